import type { Command } from '@skills/core'
import type { AgentContext, Outcome } from '../executor.js'
import type { SkillRef } from './skill-ref.js'

/** Changes for the rest of the session, and the skills that made these changes. */
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
