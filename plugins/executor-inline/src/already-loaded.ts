import { createHash } from 'node:crypto'
import type { ContentBlock } from '@skills/core'

/** Which skills an agent has in its conversation, by a digest of what they said. */
export class AlreadyLoaded {
  readonly #byAgent = new Map<string, Map<string, string>>()

  /** Whether the agent has this very content already; from now on it has. */
  has(agentId = '', name: string, content: readonly ContentBlock[]): boolean {
    const known = this.#byAgent.get(agentId) ?? new Map<string, string>()
    this.#byAgent.set(agentId, known)
    const digest = createHash('sha256').update(JSON.stringify(content)).digest('base64')
    const isKnown = known.get(name) === digest
    known.set(name, digest)
    return isKnown
  }

  forget(agentId = ''): void {
    this.#byAgent.delete(agentId)
  }
}
