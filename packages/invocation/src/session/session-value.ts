import { createHash } from 'node:crypto'
import type { Effort, PromptCommand, Skills } from '@skills/core'
import type { AgentContext } from '../executor.js'
import type { InvokedSkill, InvokedSkills } from '../invoked-skills.js'
import type { GivenTexts } from './given-texts.js'
import type { Lasting } from './lasting.js'
import type { HookedSkill, SkillRef } from './skill-ref.js'

/** Parts of an engine that a session uses. */
export type SessionEngine = Pick<Skills, 'catalog' | 'emit' | 'hook' | 'host' | 'signal' | 'use'>

/** State of a session. */
export interface SessionState {
  readonly id: string
  /** Undefined for the engine's own session. */
  readonly key: string | undefined
  readonly texts: GivenTexts
  readonly invoked: InvokedSkills
  readonly forks: ReadonlyMap<string, string>
  effort: Effort | undefined
  sentTo(agentId?: string): Set<string>
  endTurn(): void
}

/** Skill whose text the conversation has received. */
export interface SkillValue extends InvokedSkill {
  /** SHA-256 in base64 of the text that the conversation still has; absent after the conversation was shortened. */
  readonly digest?: string | undefined
}

/**
 * State of one conversation as JSON. {@link Session.value} returns such a state, and {@link Session.restore} restores
 * it.
 */
export interface SessionValue {
  readonly version: 1
  readonly id: string
  readonly effort?: Effort | undefined
  /** Texts of skills, the oldest first. */
  readonly skills: readonly SkillValue[]
  readonly hooks: {
    readonly skills: readonly HookedSkill[]
    /** Hooks with `once` that have succeeded, in the provider's own notation. */
    readonly done: readonly string[]
  }
  /** Names of skills that the model was told of. */
  readonly sent: readonly string[]
  /** Changes that skills made for the rest of the session, and the skills that made them. */
  readonly lasting: { readonly context: AgentContext; readonly by: readonly SkillRef[] }
  /** Names of skills whose forks were running. */
  readonly forks: readonly string[]
}

/** Returns the JSON Schema of a session's value. */
export async function sessionSchema(): Promise<Readonly<Record<string, unknown>>> {
  return (await import('./session-schema.js')).schema
}

/**
 * Returns the SHA-256, in hexadecimal digits, of the hooks that a skill declares. The digest changes when the hooks
 * change.
 */
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
