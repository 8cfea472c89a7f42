import type { KindAccess } from '@skills/core'
import type { Decided, Question } from './decision.js'
import type { Trust } from './trust.js'

/**
 * What becomes of a question about a skill that a person typed: where it is trusted, and is what was agreed to, typing
 * is the answer. What is new or changed since its folder was trusted stays a question, which says so. Undefined where
 * typing says nothing: a rule asks, the skill is not trusted, or a model wants it. See
 * docs/reference/permissions.md, "Typing is consent".
 */
export async function typedConsent(
  trust: KindAccess<Trust>,
  question: Question,
  decided: Decided,
  signal: AbortSignal | undefined,
): Promise<Decided | undefined> {
  const {
    caller,
    grants = true,
    entry: { command },
  } = question
  const { decisionReason, message } = decided
  // Calls of a fork's model are not what a person typed.
  if (
    caller !== 'user' ||
    !grants ||
    command.type !== 'prompt' ||
    decided.trust !== 'trusted' ||
    decisionReason.type !== 'default'
  )
    return undefined
  const verdict = await trust.first((one, call) => one.judge(command, true, call), { signal })
  if (verdict?.level !== 'trusted') return undefined
  if (verdict.isApproved || verdict.item === 'agreed') {
    return {
      ...decided,
      behavior: 'allow',
      message: 'The user typed it.',
      decisionReason: { type: 'typed' },
      suggestions: undefined,
    }
  }
  const { changes = [] } = verdict
  const what = changes.length === 0 ? '' : `: ${changes.join('; ')}`
  const why =
    verdict.item === 'changed'
      ? `it changed since its folder was trusted${what}`
      : 'it is new since its folder was trusted'
  return {
    ...decided,
    message: `${message.replace(/\.$/, '')} (${why})`,
    decisionReason: { ...decisionReason, change: why },
  }
}
