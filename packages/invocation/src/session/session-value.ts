import { createHash } from 'node:crypto'
import type { Effort, PromptCommand, Skills } from '@skills/core'
import type { AgentContext } from '../executor.js'
import type { InvokedSkill, InvokedSkills } from '../invoked-skills.js'
import type { GivenTexts } from './given-texts.js'
import type { Lasting } from './lasting.js'
import type { HookedSkill, SkillRef } from './skill-ref.js'

/** What a session needs of an engine. */
export type SessionEngine = Pick<Skills, 'catalog' | 'emit' | 'hook' | 'host' | 'signal' | 'use'>

/** What a session has at work. */
export interface SessionState {
  readonly id: string
  /** Undefined for the engine's own. */
  readonly key: string | undefined
  readonly texts: GivenTexts
  readonly invoked: InvokedSkills
  readonly forks: ReadonlyMap<string, string>
  effort: Effort | undefined
  sentTo(agentId?: string): Set<string>
  endTurn(): void
}

/** A skill whose text the conversation was given. */
export interface SkillValue extends InvokedSkill {
  /** Of the text that the conversation still has, as SHA-256 in base64; absent after it was shortened. */
  readonly digest?: string | undefined
}

/** What one conversation has at work, as JSON: {@link Session.value} gives it, {@link Session.restore} takes it. */
export interface SessionValue {
  readonly version: 1
  readonly id: string
  readonly effort?: Effort | undefined
  /** The oldest first. */
  readonly skills: readonly SkillValue[]
  readonly hooks: {
    readonly skills: readonly HookedSkill[]
    /** Hooks that were to succeed once and have, in words of the provider. */
    readonly done: readonly string[]
  }
  /** Names of skills that the model was told of. */
  readonly sent: readonly string[]
  /** What skills ask for beyond the line in which they were invoked, and which do. */
  readonly lasting: { readonly context: AgentContext; readonly by: readonly SkillRef[] }
  /** Skills whose forks were at work. */
  readonly forks: readonly string[]
}

/** A session's value as JSON Schema. */
export async function sessionSchema(): Promise<Readonly<Record<string, unknown>>> {
  return (await import('./session-schema.js')).schema
}

/** Of the hooks that a skill declares: whether they are the same still. */
export function hooksDigest({ hooks }: Pick<PromptCommand, 'hooks'>): string {
  return createHash('sha256')
    .update(JSON.stringify(hooks ?? null))
    .digest('hex')
}

export async function valueOf(
  skills: SessionEngine,
  session: SessionState,
  { context, by }: Lasting,
): Promise<SessionValue> {
  const digests = session.texts.digests()
  const atWork = await skills.use('hooks').first(hooks => hooks.atWork?.(session.key) ?? { skills: [], done: [] })
  return {
    version: 1,
    id: session.id,
    ...(session.effort !== undefined && { effort: session.effort }),
    skills: session.invoked.known().map(skill => {
      const digest = digests.get(skill.name)
      return { ...skill, ...(digest !== undefined && { digest }) }
    }),
    hooks: atWork ?? { skills: [], done: [] },
    sent: [...session.sentTo()],
    lasting: { context, by },
    forks: [...session.forks.values()],
  }
}
