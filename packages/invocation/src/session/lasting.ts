import { createHash } from 'node:crypto'
import type { Command, ContentBlock } from '@skills/core'
import type { AgentContext, Outcome } from '../executor.js'
import type { SkillRef } from './skill-ref.js'

/** Changes that skills make for the rest of the session, and the skills that made them. */
export class Lasting {
  readonly #by = new Map<string, SkillRef>()
  context: AgentContext = {}

  get by(): readonly SkillRef[] {
    return [...this.#by.values()]
  }

  add(modifier: NonNullable<Outcome['contextModifier']>, command: Command): void {
    this.context = modifier(this.context)
    this.keep(refOf(command))
  }

  keep(ref: SkillRef): void {
    this.#by.set(JSON.stringify([ref.source, ref.name, ref.path]), ref)
  }
}

export function refOf(command: Command): SkillRef {
  const path = command.type === 'prompt' ? command.filePath : undefined
  return { name: command.name, source: command.source, ...(path !== undefined && { path }) }
}

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
