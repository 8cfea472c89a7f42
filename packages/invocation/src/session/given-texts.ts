import { createHash } from 'node:crypto'
import type { ContentBlock } from '@skills/core'

/** Texts of skills that each agent has in its conversation, as digests. */
export class GivenTexts {
  readonly #byAgent = new Map<string, Map<string, string>>()

  /**
   * Returns true if the agent has this exact content of a skill already, and records that it has it now.
   * @param agentId undefined for the main conversation
   */
  has(agentId = '', name: string, content: readonly ContentBlock[]): boolean {
    const known = this.#of(agentId)
    const digest = createHash('sha256').update(JSON.stringify(content)).digest('base64')
    const isKnown = known.get(name) === digest
    known.set(name, digest)
    return isKnown
  }

  /** Returns the digests of the texts that the main conversation has, by skill. */
  digests(): ReadonlyMap<string, string> {
    return this.#of('')
  }

  /** Records that the main conversation has the text of a skill with this digest. */
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
