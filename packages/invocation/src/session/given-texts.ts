import { createHash } from 'node:crypto'
import type { ContentBlock } from '@skills/core'

/** Which texts of skills each agent has in its conversation, by a digest of what they said. */
export class GivenTexts {
  readonly #byAgent = new Map<string, Map<string, string>>()

  /**
   * Whether the agent has this very content of a skill already; from now on it has.
   * @param agentId undefined for the main conversation
   */
  has(agentId = '', name: string, content: readonly ContentBlock[]): boolean {
    const known = this.#of(agentId)
    const digest = createHash('sha256').update(JSON.stringify(content)).digest('base64')
    const isKnown = known.get(name) === digest
    known.set(name, digest)
    return isKnown
  }

  /** Digests of what the main conversation has, by skill. */
  digests(): ReadonlyMap<string, string> {
    return this.#of('')
  }

  /** The main conversation has the text of a skill with this digest. */
  restore(name: string, digest: string): void {
    this.#of('').set(name, digest)
  }

  forget(agentId = ''): void {
    this.#byAgent.delete(agentId)
  }

  #of(agentId: string): Map<string, string> {
    const known = this.#byAgent.get(agentId) ?? new Map<string, string>()
    this.#byAgent.set(agentId, known)
    return known
  }
}
