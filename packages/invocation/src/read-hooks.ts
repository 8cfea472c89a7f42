import { closestNames, messageOf } from '@skills/core'
import { otherHookEvents, otherHookTypes, skillHookEvents, type SkillHookEvent } from './hooks.js'

/** Hook that a skill declares, after validation. */
export interface DeclaredHook {
  readonly event: SkillHookEvent
  readonly matcher: string
  readonly command: string
  /** Milliseconds; undefined for the longest time that any hook may take. */
  readonly timeoutMs: number | undefined
  readonly isOnce: boolean
  /** Path of the field, such as `hooks.PreToolUse[0].hooks[1]`. */
  readonly field: string
}

/** Problem of a declaration of hooks. The faulty part has no effect. */
export interface HookProblem {
  /** `warning` for an event of an unknown name, which an agent of another version may have. */
  readonly severity: 'error' | 'warning'
  /** Rest of a sentence that begins with the name of the field: `has no command`. */
  readonly message: string
  readonly hint: string
  readonly field: string
  /** Path of the field as keys: `['hooks', 'PreToolUse', 0]`. */
  readonly keyPath: readonly (string | number)[]
}

/** Valid hook of an event or a type that other agents have, and that no engine of ours runs. */
export interface UnsupportedHook extends Pick<HookProblem, 'field' | 'keyPath'> {
  readonly event: string
  readonly type: string
  /** Undefined for another type than `command`. */
  readonly command: string | undefined
}

export interface ReadHooks {
  readonly hooks: readonly DeclaredHook[]
  readonly problems: readonly HookProblem[]
  readonly unsupported: readonly UnsupportedHook[]
}

type Fields = Readonly<Record<string, unknown>>
type KeyPath = HookProblem['keyPath']

/** Longest delay of a timer: 2³¹ − 1 milliseconds. */
const longestMs = 2_147_483_647
/** Number written as text: frontmatter keeps every scalar as text, and JSON does not. Both forms are accepted. */
const decimal = /^(?:\d+\.?\d*|\.\d+)$/
const trueWords: readonly string[] = ['true', 'yes', 'on', '1']
const falseWords: readonly string[] = ['false', 'no', 'off', '0']

/**
 * Reads a map from event to matchers, as in the frontmatter of a skill or a file of a plugin. A faulty part is left out
 * and reported; the others are kept.
 * @param strict true if a hook counts only with its type, and with `once` as a boolean or without it
 */
export function readHooks(declared: unknown, strict = false): ReadHooks {
  const hooks: DeclaredHook[] = []
  const problems: HookProblem[] = []
  const unsupported: UnsupportedHook[] = []
  const refuse = (keyPath: KeyPath, message: string, hint: string, severity: HookProblem['severity'] = 'error'): void =>
    void problems.push({ severity, field: fieldAt(keyPath), keyPath, message, hint })

  const readHook = (event: string, matcher: string, given: unknown, at: KeyPath): void => {
    if (!isFields(given)) return refuse(at, 'is not an object', 'Write { type: command, command: … }.')
    const { type = strict ? undefined : 'command', command, timeout, once } = given
    if (type === undefined) return refuse(at, 'has no type', 'Write type: command.')
    if (strict && isGiven(once) && typeof once !== 'boolean')
      return refuse(at, `has the invalid value ${shown(once)} for "once"`, 'Write true or false, without quotes.')
    if (typeof type === 'string' && otherHookTypes.includes(type))
      return void unsupported.push({ event, type, command: undefined, field: fieldAt(at), keyPath: at })
    if (type !== 'command')
      return refuse(
        at,
        `has the unknown type ${shown(type)}`,
        `Agents have hooks of the types ${['command', ...otherHookTypes].join(', ')}; only "command" is run here.`,
      )
    if (typeof command !== 'string' || command.trim() === '')
      return refuse(at, 'has no command', 'Give the hook a command, as text.')
    if (!isEvent(event)) return void unsupported.push({ event, type, command, field: fieldAt(at), keyPath: at })
    const timeoutMs = millisecondsIn(timeout)
    if (isGiven(timeout) && timeoutMs === undefined)
      refuse(
        at,
        `has the invalid timeout ${shown(timeout)}, which is ignored`,
        'Give a number of seconds above 0 and up to 2,147,483.',
      )
    const isOnce = booleanIn(once)
    if (isGiven(once) && isOnce === undefined)
      refuse(at, `has the invalid value ${shown(once)} for "once", which is ignored`, 'Write true or false.')
    hooks.push({ event, matcher, command, timeoutMs, isOnce: isOnce === true, field: fieldAt(at) })
  }

  const readEntry = (event: string, entry: unknown, at: KeyPath): void => {
    if (!isFields(entry)) return refuse(at, 'is not an object', 'Write { matcher, hooks: [ … ] }.')
    const { matcher = '', hooks: inner } = entry
    if (typeof matcher !== 'string')
      return refuse(
        at,
        'has a matcher that is not a text',
        'Name one tool, or several tools with "|" between them, or write a regular expression.',
      )
    const wrong = matcherProblem(matcher)
    if (wrong !== undefined)
      return refuse(
        at,
        `has a matcher that is not a regular expression: ${wrong}`,
        'Correct the expression, or name tools with "|" between them.',
      )
    // Some write the hook itself where the list of hooks belongs.
    if (inner === undefined) return readHook(event, matcher, entry, at)
    if (!Array.isArray(inner))
      return refuse(at, 'has no list of hooks', 'Write hooks: [ { type: command, command: … } ].')
    for (const [index, one] of inner.entries()) readHook(event, matcher, one, [...at, 'hooks', index])
  }

  if (!isFields(declared))
    refuse(['hooks'], 'is not a map from event to matchers', 'Write PreToolUse: [ { matcher, hooks: [ … ] } ].')
  else {
    for (const [event, entries] of Object.entries(declared)) {
      const at = ['hooks', event]
      if (!isEvent(event) && !otherHookEvents.includes(event)) {
        const [close] = closestNames(event, [...skillHookEvents, ...otherHookEvents], 1)
        refuse(
          at,
          'names an unknown event',
          close === undefined ? `Events that are run here: ${skillHookEvents.join(', ')}.` : `Did you mean "${close}"?`,
          'warning',
        )
      } else if (!Array.isArray(entries)) refuse(at, 'is not a list', 'Write a list of { matcher, hooks: [ … ] }.')
      else for (const [index, entry] of entries.entries()) readEntry(event, entry, [...at, index])
    }
  }
  return { hooks, problems, unsupported }
}

/** Most hooks that {@link describeUnsupported} names. */
const mostNamed = 5

/** Describes in one finding which valid hooks are not run here. Returns undefined if there are none. */
export function describeUnsupported(
  unsupported: readonly UnsupportedHook[],
): Pick<HookProblem, 'field' | 'keyPath' | 'message' | 'hint'> | undefined {
  const [first] = unsupported
  if (first === undefined) return undefined
  const names = [...new Set(unsupported.map(({ event, type }) => (type === 'command' ? event : `${event} (${type})`)))]
  const more = names.length - mostNamed
  const shownNames = `${names.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  const { length } = unsupported
  return {
    field: first.field,
    keyPath: first.keyPath,
    message: `${length === 1 ? 'One hook is' : `${length} hooks are`} not run here: ${shownNames}`,
    hint: 'Other agents, such as Claude Code, run them. Here only hooks of the type "command" for the documented events run.',
  }
}

/** Returns why a matcher is not valid; undefined if it is. Names joined by `|` or `,` are always valid. */
function matcherProblem(source: string): string | undefined {
  if (source.trim() === '*') return undefined
  try {
    // The expression is only compiled: running it may take forever.
    void new RegExp(source)
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

function millisecondsIn(seconds: unknown): number | undefined {
  const number = typeof seconds === 'string' && decimal.test(seconds.trim()) ? Number(seconds) : seconds
  const ms = typeof number === 'number' ? Math.ceil(number * 1000) : Number.NaN
  return ms > 0 && ms <= longestMs ? ms : undefined
}

function booleanIn(value: unknown): boolean | undefined {
  if (typeof value !== 'string' && typeof value !== 'boolean' && typeof value !== 'number') return undefined
  const word = String(value).trim().toLowerCase()
  return trueWords.includes(word) ? true : falseWords.includes(word) ? false : undefined
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

function fieldAt(keyPath: KeyPath): string {
  return keyPath.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`)).join('')
}

/** Writes a scalar as JSON, and any other value as its type, since it may be cyclic. */
function shown(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'object' : (JSON.stringify(value) ?? typeof value)
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isEvent(name: string): name is SkillHookEvent {
  return (skillHookEvents as readonly string[]).includes(name)
}
