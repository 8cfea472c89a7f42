/**
 * Owners of the hooks that are asked: the agents from the outermost to the innermost. Undefined stands for the
 * conversation.
 */
export type Scopes = readonly (string | undefined)[]

const conversation: Scopes = [undefined]

/** Nesting of forks. A question of a fork also goes to the hooks of the agents around it. */
export class Nesting {
  readonly #scopes = new Map<string, Scopes>()

  /** Begins a fork. The agents around it stay around it, even when they have ended. */
  enter(agentId: string, parentId: string | undefined): void {
    this.#scopes.set(agentId, [...this.scopesOf(parentId), agentId])
  }

  get isEmpty(): boolean {
    return this.#scopes.size === 0
  }

  leave(agentId: string): void {
    this.#scopes.delete(agentId)
  }

  /**
   * Returns the scopes of an agent. One whose start was not announced, such as one of the host's own, has two: the
   * conversation and itself.
   */
  scopesOf(agentId: string | undefined): Scopes {
    return agentId === undefined ? conversation : (this.#scopes.get(agentId) ?? [undefined, agentId])
  }
}
