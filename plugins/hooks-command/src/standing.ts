import type { HookOwner } from '@skills/invocation/internal'
import type { HooksContext } from './options.js'
import type { ActiveHook } from './active-hook.js'

/**
 * True if a skill was approved in its present state, so that its hooks run only while the skill does not change. False
 * for a skill that needs no approval, or that was allowed without approval.
 */
export async function isBound(
  { command, approved }: Pick<HookOwner, 'command' | 'approved'>,
  { use }: Pick<HooksContext, 'use'>,
  signal: AbortSignal,
): Promise<boolean> {
  const trust = use('trust')
  const free = await trust.first((one, call) => one.judge(command, false, call), { signal })
  if (free === undefined || free.isApproved) return false
  const verdict = await trust.first((one, call) => one.judge(command, true, { ...call, approved }), { signal })
  return verdict?.isApproved === true || verdict?.item === 'agreed'
}

/**
 * Returns a clause with the reason why a hook must not run any more, and a hint; undefined if the hook may run. Called
 * before each run, because trust can be revoked and files can change.
 */
export async function whyNotAnyMore(
  { owner: { command, approved }, isBound: asksApproval }: Pick<ActiveHook, 'owner' | 'isBound'>,
  { use, signal: closing }: Pick<HooksContext, 'use' | 'signal'>,
  signal: AbortSignal | undefined,
): Promise<readonly [reason: string, hint: string] | undefined> {
  const trust = use('trust')
  // Without a trust provider the decision of the registration counts.
  if (trust.ids.length === 0) return undefined
  // A closing engine has no trust provider to ask.
  if (closing.aborted)
    return asksApproval
      ? [
          'was not run: an engine that closes cannot check whether the skill has changed',
          'End the session before you close the engine.',
        ]
      : undefined
  const verdict = await trust.first((one, call) => one.judge(command, asksApproval, { ...call, approved }), { signal })
  if (verdict?.level !== 'trusted')
    return ['was not run: the folder or plugin of the hook is not trusted any more', 'Trust that folder or plugin.']
  return asksApproval && !verdict.isApproved && verdict.item !== 'agreed'
    ? ['was not run: the skill has changed since it was approved', 'Invoke the skill again, to be asked.']
    : undefined
}
