import { messageOf, SkillsError, withDeadline, type KindAccess, type MaybePromise, type Skills } from '@skills/core'
import type { Grants } from './executor.js'
import type { HookDecision } from './hook-decision.js'
import type { OnAsk, Permission, PermissionDecision, PermissionRequest } from '@skills/rules'

/** A decision, and how far the command is trusted. */
export type Decided = PermissionDecision & Pick<PermissionRequest, 'trust'>

export type Question = Omit<PermissionRequest, 'trust' | 'granted'> & Grants

/**
 * Asked when a person typed the name of a skill in a place that is not trusted, and the skill is more than a text to be
 * read: whether they trust the place now. True once that is remembered; what was asked for is then decided anew.
 */
export type OnUntrusted = (question: {
  readonly request: PermissionRequest
  readonly signal: AbortSignal
}) => MaybePromise<boolean>

type Behavior = PermissionDecision['behavior']

const behaviors: readonly unknown[] = ['allow', 'deny', 'ask'] satisfies Behavior[]

/**
 * The permission provider.
 * @param what a clause for the error: what does not happen without a provider
 * @throws SkillsError `E_NO_PERMISSION`
 */
export function permissionOf(skills: Pick<Skills, 'use'>, what: string): KindAccess<Permission> {
  const permission = skills.use('permission')
  if (permission.ids.length > 0) return permission
  throw new SkillsError('E_NO_PERMISSION', `${what}: there is no permission provider.`, {
    hint: 'Register a permission provider, or allowAll() if that is meant.',
  })
}

export interface Ruling {
  /**
   * What hooks have against it: what they deny the rules are not asked about, and what they want a person to decide the
   * rules alone cannot allow.
   */
  readonly objection?: HookDecision | undefined
  readonly signal: AbortSignal | undefined
}

/** What the hooks and the rules say, before a person is asked. A provider that gives no decision denies. */
export async function ruled(
  permission: KindAccess<Permission>,
  request: PermissionRequest,
  { objection, signal }: Ruling,
): Promise<PermissionDecision> {
  if (objection?.behavior === 'deny') return objection
  const decision = await permission.first((one, call) => one.check(request, call), { signal })
  const { tool, entry } = request
  const about = tool === 'Skill' || entry.command.type === 'prompt' ? `"${entry.name}"` : `this call of ${tool}`
  const failed: PermissionDecision = {
    behavior: 'deny',
    message: `No one decided about ${about}`,
    decisionReason: { type: 'failure' },
  }
  const rules = behaviors.includes(decision?.behavior) ? { ...failed, ...decision } : failed
  return objection !== undefined && rules.behavior === 'allow' ? objection : rules
}

export interface Asking {
  readonly onAsk: OnAsk | undefined
  /** Any of them ends the wait for an answer. */
  readonly signals: readonly (AbortSignal | undefined)[]
  /** Keeps what the host allowed; false where that could not be done, and then it does not count. */
  readonly remember?: ((signal: AbortSignal) => Promise<boolean>) | undefined
}

/** The decision after the host answered what the rules leave open. Rejects with an `AbortError` on an abort. */
export async function settled(
  request: PermissionRequest,
  decision: PermissionDecision,
  { onAsk, signals, remember }: Asking,
): Promise<PermissionDecision> {
  if (decision.behavior !== 'ask') return decision
  const { message } = decision
  const answered = (
    behavior: Behavior,
    how: string,
    type: 'host' | 'unreadable' | 'failure' = 'host',
  ): PermissionDecision => ({
    ...decision,
    behavior,
    message: `${message}: ${how}`,
    decisionReason: { ...decision.decisionReason, type },
  })
  try {
    // `onAsk` may ignore its signal.
    return await withDeadline(
      async signal => {
        const answer = await onAsk?.({ request, decision, signal })
        const { type } = decision.decisionReason
        if (answer === undefined)
          return answered('deny', 'no one was there to be asked.', type === 'unreadable' ? type : 'host')
        if (answer !== 'allow') return answered('deny', 'the answer was no.')
        if ((await remember?.(signal)) === false)
          return answered(
            'deny',
            'the answer was yes, and that could not be remembered, as a diagnostic says.',
            'failure',
          )
        return answered('allow', 'the answer was yes.')
      },
      { signals },
    )
  } catch (error) {
    if (signals.some(signal => signal?.aborted === true)) throw error
    return answered('deny', `asking failed: ${messageOf(error)}`, 'failure')
  }
}
