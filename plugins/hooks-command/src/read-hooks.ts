import { closestNames } from '@skills/core'
import { skillHookEvents, type SkillHookEvent } from '@skills/invocation'
import { matcherProblem } from './matcher.js'
import { isTime } from './options.js'

/** A hook as a skill declares it, checked. */
export interface DeclaredHook {
  readonly event: SkillHookEvent
  readonly matcher: string
  readonly command: string
  /** Milliseconds; undefined: as long as any may take. */
  readonly timeoutMs: number | undefined
  readonly isOnce: boolean
  /** Where it stands, as `hooks.PreToolUse[0].hooks[1]`. */
  readonly field: string
}

/** What is wrong with what was declared; the part that it is about does nothing. */
export interface HookProblem {
  readonly message: string
  readonly hint: string
  readonly field: string
}

export interface ReadHooks {
  readonly hooks: readonly DeclaredHook[]
  readonly problems: readonly HookProblem[]
}

/** Reads a map from event to matchers. Whatever is wrong costs the part that it stands in, and nothing else. */
export function readHooks(declared: unknown): ReadHooks {
  const hooks: DeclaredHook[] = []
  const problems: HookProblem[] = []
  const refuse = (field: string, message: string, hint: string): void => void problems.push({ field, message, hint })

  const readHook = (event: SkillHookEvent, matcher: string, given: unknown, field: string): void => {
    if (!isRecord(given)) return refuse(field, 'is no object', 'Write { type: command, command: … }.')
    const { type = 'command', command, timeout, once = false } = given
    if (type !== 'command') return refuse(field, `is of the type ${shown(type)}, which is not known here`, 'Only hooks of the type "command" are run.')
    if (typeof command !== 'string' || command.trim() === '') return refuse(field, 'has no command', 'Give it one, as text.')
    const timeoutMs = typeof timeout === 'number' ? Math.ceil(timeout * 1000) : undefined
    const isTimeRead = timeoutMs !== undefined && isTime(timeoutMs)
    if (timeout !== undefined && timeout !== null && !isTimeRead) refuse(field, `has the timeout ${shown(timeout)}, which does nothing`, 'Give a number of seconds above 0 and up to 2,147,483.')
    if (typeof once !== 'boolean') refuse(field, `has ${shown(once)} for "once", which does nothing`, 'Write true or false.')
    hooks.push({ event, matcher, command, timeoutMs: isTimeRead ? timeoutMs : undefined, isOnce: once === true, field })
  }

  const readEntry = (event: SkillHookEvent, entry: unknown, field: string): void => {
    if (!isRecord(entry)) return refuse(field, 'is no object', 'Write { matcher, hooks: [ … ] }.')
    const { matcher = '', hooks: inner } = entry
    if (typeof matcher !== 'string') return refuse(field, 'has a matcher that is no text', 'Name a tool, several with "|" between them, or write a regular expression.')
    const wrong = matcherProblem(matcher)
    if (wrong !== undefined) return refuse(field, `has a matcher that is no regular expression: ${wrong}`, 'Correct the expression, or name tools with "|" between them.')
    // Some write the hook itself where the list of hooks belongs.
    if (inner === undefined) return readHook(event, matcher, entry, field)
    if (!Array.isArray(inner)) return refuse(field, 'has no list of hooks', 'Write hooks: [ { type: command, command: … } ].')
    for (const [at, one] of inner.entries()) readHook(event, matcher, one, `${field}.hooks[${at}]`)
  }

  if (!isRecord(declared)) refuse('hooks', 'is no map from event to matchers', 'Write PreToolUse: [ { matcher, hooks: [ … ] } ].')
  else {
    for (const [event, entries] of Object.entries(declared)) {
      const field = `hooks.${event}`
      if (!isEvent(event)) {
        const [close] = closestNames(event, skillHookEvents, 1)
        refuse(field, 'is for an event that there is not', close === undefined ? `There are ${skillHookEvents.join(', ')}.` : `Did you mean "${close}"?`)
      } else if (!Array.isArray(entries)) refuse(field, 'is no list', 'Write a list of { matcher, hooks: [ … ] }.')
      else for (const [at, entry] of entries.entries()) readEntry(event, entry, `${field}[${at}]`)
    }
  }
  return { hooks, problems }
}

/** A value as it was written; one that is more than a word by its type, since it may lead back to itself. */
function shown(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'object' : JSON.stringify(value) ?? typeof value
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isEvent(name: string): name is SkillHookEvent {
  return (skillHookEvents as readonly string[]).includes(name)
}
