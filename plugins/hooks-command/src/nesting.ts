/** Where hooks are registered that a question goes to: agents from the outermost in, undefined for the conversation. */
export type Scopes = readonly (string | undefined)[]

const conversation: Scopes = [undefined]

/** Which forks are inside which: what a fork starts is asked about its hooks too. */
export class Nesting {
  readonly #scopes = new Map<string, Scopes>()

  /** A fork begins. What is around it stays around it, also when that has ended. */
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
   * An agent whose start was not announced, such as one of the host's own, has two scopes: the conversation and itself.
   */
  scopesOf(agentId: string | undefined): Scopes {
    return agentId === undefined ? conversation : (this.#scopes.get(agentId) ?? [undefined, agentId])
  }
}
