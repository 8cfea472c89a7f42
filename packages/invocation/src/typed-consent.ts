import type { KindAccess } from '@skills/core'
import type { Decided, Question } from './decision.js'
import type { Trust } from './trust.js'

/**
 * Answers a question about a skill that a person typed. If the skill is trusted and unchanged, typing its name counts
 * as a yes. If the skill is new or has changed since its folder was trusted, the person is still asked, and the
 * question says so. Returns undefined if typing decides nothing: a rule asks, the skill is not trusted, or a model
 * invokes the skill. See docs/reference/permissions.md, "Typing is consent".
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
  // A call of a fork's model was not typed by a person.
  if (
    caller !== 'user' ||
    grants !== true ||
    command.type !== 'prompt' ||
    decided.trust !== 'trusted' ||
    decisionReason.type !== 'default'
  )
    return undefined
  const verdict = await trust.first((one, call) => one.judge(command, true, { ...call, approved: question.approved }), {
    signal,
  })
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
