import { told } from './event-sets.js'
import type { HookVerdict, SkillHookEvent } from '@skills/invocation'

/**
 * Combines two answers: the first answer that blocks or stops decides. It takes precedence over an answer that only
 * wants a person to be asked.
 */
export function joinedVerdict(one: HookVerdict, next: HookVerdict): HookVerdict {
  const decides = isDecided(one) || (one.ask === true && !isDecided(next)) ? one : next
  const { block, reason, ask } = decides
  const context = [one.context, next.context].filter(text => text !== undefined).join('\n')
  const messages = [...(one.messages ?? []), ...(next.messages ?? [])]
  const others = [...(one.others ?? []), ...(next.others ?? [])]
  return {
    ...(block !== undefined && { block }),
    ...(reason !== undefined && { reason }),
    ...(ask !== undefined && { ask }),
    ...((one.stop === true || next.stop === true) && { stop: true }),
    ...(context !== '' && { context }),
    ...(messages.length > 0 && { messages }),
    ...(others.length > 0 && { others }),
  }
}

/**
 * True if no further hook has to be asked. It is false after an answer that only wants a question, because a later hook
 * could still block, and for events about something that has already happened, which go to all hooks.
 */
export function isSettled(event: SkillHookEvent, verdict: HookVerdict): boolean {
  return !told.has(event) && isDecided(verdict)
}

function isDecided({ block, ask, stop }: HookVerdict): boolean {
  return stop === true || (block === true && ask !== true)
}
