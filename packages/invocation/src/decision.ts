import { messageOf, SkillsError, withDeadline, type KindAccess, type MaybePromise, type Skills } from '@skills/core'
import type { Grants } from './executor.js'
import type { HookDecision } from './hook-decision.js'
import type { OnAsk, Permission, PermissionDecision, PermissionRequest } from '@skills/rules'

/** Decision, with the trust level of the command. */
export type Decided = PermissionDecision & Pick<PermissionRequest, 'trust' | 'approved'>

export type Question = Omit<PermissionRequest, 'trust' | 'granted'> & Grants

/**
 * Called when a person typed the name of an untrusted skill that does more than give its text. Returns true if the
 * person trusts the folder now and the answer is stored; the invocation is then decided again.
 */
export type OnUntrusted = (question: {
  readonly request: PermissionRequest
  readonly signal: AbortSignal
}) => MaybePromise<boolean>

type Behavior = PermissionDecision['behavior']

const behaviors: readonly unknown[] = ['allow', 'deny', 'ask'] satisfies Behavior[]

/**
 * Returns the permission provider.
 * @param what first clause of the error's message: the action that is not possible without a provider
 * @throws SkillsError `E_NO_PERMISSION`
 */
export function permissionOf(skills: Pick<Skills, 'use'>, what: string): KindAccess<Permission> {
  const permission = skills.use('permission')
  if (permission.ids.length > 0) return permission
  throw new SkillsError('E_NO_PERMISSION', `${what}: there is no permission provider.`, {
    hint: 'Register a permission provider, or allowAll() to allow every call.',
  })
}

export interface Ruling {
  /**
   * Objection of the hooks. `deny` decides without asking the rules; `ask` turns an allow of the rules into a question.
   */
  readonly objection?: HookDecision | undefined
  readonly signal: AbortSignal | undefined
}

/** Decides by hooks and rules, before a person is asked. Denies if the provider returns no decision. */
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
  // The hook asks this question, and no rule does. The host is told so, and cannot take it for the question of a rule.
  const isOpen = rules.behavior === 'allow' || (rules.behavior === 'ask' && rules.decisionReason.type === 'default')
  return objection !== undefined && isOpen ? objection : rules
}

export interface Asking {
  readonly onAsk: OnAsk | undefined
  /** Any of these ends the wait for an answer. */
  readonly signals: readonly (AbortSignal | undefined)[]
  /** Called after a yes of the host. Returns false if the yes does not count. */
  readonly confirm?: ((signal: AbortSignal) => Promise<boolean>) | undefined
  /** Passed on to the host. */
  readonly approve?: ((signal: AbortSignal) => Promise<void>) | undefined
}

/**
 * Asks the host if the decision is `ask`, and returns the final decision. Rejects with an `AbortError` when the signal
 * aborts.
 */
export async function settled(
  request: PermissionRequest,
  decision: PermissionDecision,
  { onAsk, signals, confirm, approve }: Asking,
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
        const answer = await onAsk?.({
          request,
          decision,
          signal,
          ...(approve !== undefined && { approve: () => approve(signal) }),
        })
        const { type } = decision.decisionReason
        if (answer === undefined)
          return answered('deny', 'there was no one to ask.', type === 'unreadable' ? type : 'host')
        if (answer !== 'allow') return answered('deny', 'the answer was no.')
        if ((await confirm?.(signal)) === false)
          return answered('deny', 'the answer was yes, but it does not count; a diagnostic says why.', 'failure')
        return answered('allow', 'the answer was yes.')
      },
      { signals },
    )
  } catch (error) {
    if (signals.some(signal => signal?.aborted === true)) throw error
    return answered('deny', `asking failed: ${messageOf(error)}`, 'failure')
  }
}
