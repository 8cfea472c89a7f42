import { addsContext, aboutStopping } from './event-sets.js'
import { isFields, type Fields } from './fields.js'
import { plainText } from './plain-text.js'
import type { HookVerdict, SkillHookEvent } from '@skills/invocation'

/** Answer of a hook in JSON. */
export interface HookOutput {
  readonly verdict: HookVerdict
  /** Keys that have no effect, such as `hookSpecificOutput.updatedInput`. */
  readonly unheeded: readonly string[]
}

/** Tests whether a key has a valid value. A hook's output is never shown, so `suppressOutput` needs no code. */
const heeded: Readonly<Record<string, (value: unknown) => boolean>> = {
  continue: isBoolean,
  suppressOutput: isBoolean,
  stopReason: isText,
  systemMessage: isText,
  reason: isText,
  decision: value => value === 'block' || value === 'deny' || value === 'approve' || value === 'allow',
  hookSpecificOutput: isFields,
}
const heededOfEvent: Readonly<Record<string, (value: unknown, event: SkillHookEvent) => boolean>> = {
  hookEventName: isText,
  permissionDecisionReason: isText,
  permissionDecision: (value, event) =>
    value === 'deny' || value === 'allow' || (value === 'ask' && event === 'PreToolUse'),
  additionalContext: (value, event) => isText(value) && addsContext.has(event),
}

/**
 * Reads the answer of a hook. An answer may block, demand that a person is asked, stop the agent, and add text. An
 * answer that allows has no effect.
 * @param maxContextChars most UTF-16 code units of text for the model
 * @param strict true if text for the model counts only beside the name of the event
 */
export function readOutput(event: SkillHookEvent, said: Fields, maxContextChars: number, strict: boolean): HookOutput {
  const given = said['hookSpecificOutput']
  const own = isFields(given) ? given : {}
  const others = Object.entries(said).filter(([key, value]) => !isHeeded(heeded, key, value, event))
  const ownOthers = Object.entries(own).filter(
    ([key, value]) =>
      !isHeeded(heededOfEvent, key, value, event) ||
      (strict && key === 'additionalContext' && own['hookEventName'] !== event),
  )
  const message = text(said['systemMessage'])
  const addsText = addsContext.has(event) && (!strict || own['hookEventName'] === event)
  const context = addsText ? text(own['additionalContext'], maxContextChars) : ''
  return {
    verdict: {
      ...decisionOf(event, said, own),
      ...(context !== '' && { context }),
      ...(message !== '' && { messages: [message] }),
      ...(others.length + ownOthers.length > 0 && {
        others: [
          Object.fromEntries([
            ...others,
            ...(ownOthers.length > 0 ? [['hookSpecificOutput', Object.fromEntries(ownOthers)] as const] : []),
          ]),
        ],
      }),
    },
    unheeded: [...others.map(([key]) => key), ...ownOthers.map(([key]) => `hookSpecificOutput.${key}`)],
  }
}

/** Decides what an answer does. Stopping wins over blocking, and blocking over asking. */
function decisionOf(event: SkillHookEvent, said: Fields, own: Fields): HookVerdict {
  const { permissionDecision, permissionDecisionReason } = own
  // To stop an agent that is about to stop, let it.
  if (said['continue'] === false)
    return { ...(!aboutStopping.has(event) && { block: true }), stop: true, reason: reasonOf(said['stopReason']) }
  if (said['decision'] === 'block' || said['decision'] === 'deny') return blocking(said['reason'])
  if (permissionDecision === 'deny') return blocking(permissionDecisionReason)
  if (permissionDecision !== 'ask' || event !== 'PreToolUse') return {}
  const why = text(permissionDecisionReason)
  return { block: true, ask: true, reason: why === '' ? 'A hook wants a person to be asked.' : why }
}

export function blocking(reason: unknown): HookVerdict {
  return { block: true, reason: reasonOf(reason) }
}

function reasonOf(reason: unknown): string {
  const why = text(reason)
  return why === '' ? 'A hook blocked it and gave no reason.' : why
}

function isHeeded(
  keys: Readonly<Record<string, (value: unknown, event: SkillHookEvent) => boolean>>,
  key: string,
  value: unknown,
  event: SkillHookEvent,
): boolean {
  // A null counts like a missing key.
  return Object.hasOwn(keys, key) && (value === null || keys[key]?.(value, event) === true)
}

function text(value: unknown, mostChars?: number): string {
  return typeof value === 'string' ? plainText(value, mostChars) : ''
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean'
}
