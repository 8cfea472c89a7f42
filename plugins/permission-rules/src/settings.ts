import { isJsonObject } from '@skills/files/internal'
import { readJsonFile, type KeyLines } from '@skills/files'
import type { Behavior } from '@skills/rules'

/** Lists of rules in a settings file, as they are written. */
export type RuleLists = Readonly<Record<Behavior, readonly unknown[]>>

export interface Change {
  readonly does: 'add' | 'remove'
  readonly behavior: Behavior
  readonly text: string
}

export interface Settings {
  /** Text without a byte order mark. */
  readonly text: string
  readonly lists: RuleLists
  readonly lines: KeyLines
}

export interface SettingsProblem {
  readonly type: 'io' | 'parse'
  readonly code: 'unreadable-settings' | 'invalid-settings'
  /** Clause that says what is wrong. */
  readonly problem: string
  readonly field?: string
  readonly line?: number
  readonly column?: number
}

export const behaviors: readonly Behavior[] = ['allow', 'deny', 'ask']

export function isBehavior(value: unknown): value is Behavior {
  return behaviors.some(behavior => behavior === value)
}

/** Reads a settings file; undefined if there is none. */
export function readSettings(path: string): Settings | SettingsProblem | undefined {
  const file = readJsonFile(path, { code: 'invalid-settings', what: path })
  if (file === undefined) return undefined
  if ('severity' in file) {
    const { code, message, line, column } = file
    const problem = message.slice(message.indexOf(path) + path.length + 1).replace(/\.$/, '')
    if (code !== 'invalid-settings') return { type: 'io', code: 'unreadable-settings', problem }
    return {
      type: 'parse',
      code,
      problem,
      ...(line !== undefined && { line }),
      ...(column !== undefined && { column }),
    }
  }
  const lists = listsOf(file.data)
  return 'problem' in lists ? lists : (repeatedIn(file.lines) ?? { text: file.text, lists, lines: file.lines })
}

/** Finds a repeated key: only the later one is read, so rules of the earlier one that forbid would be lost. */
function repeatedIn(lines: KeyLines): SettingsProblem | undefined {
  const keys = [['permissions'], ['permissions', 'deny'], ['permissions', 'ask']].find(path => lines.isRepeated(path))
  if (keys === undefined) return undefined
  const field = keys.join('.')
  const line = lines.of(keys)
  return {
    type: 'parse',
    code: 'invalid-settings',
    problem: `has "${field}" twice`,
    field,
    ...(line !== undefined && { line }),
  }
}

/** Checks the lists under `permissions`. Other keys belong to other programs. */
export function listsOf(data: Readonly<Record<string, unknown>>): RuleLists | SettingsProblem {
  const permissions = Object.hasOwn(data, 'permissions') ? data['permissions'] : undefined
  const lists: Record<Behavior, readonly unknown[]> = { allow: [], deny: [], ask: [] }
  if (permissions === undefined || permissions === null) return lists
  if (!isJsonObject(permissions)) return wrongField('permissions', 'object')
  for (const behavior of behaviors) {
    const list = Object.hasOwn(permissions, behavior) ? permissions[behavior] : undefined
    if (list === undefined || list === null) continue
    if (!Array.isArray(list)) return wrongField(`permissions.${behavior}`, 'list')
    lists[behavior] = list
  }
  return lists
}

function wrongField(field: string, wanted: 'object' | 'list'): SettingsProblem {
  return {
    type: 'parse',
    code: 'invalid-settings',
    problem: `has a "${field}" that has to be ${wanted === 'object' ? 'an object' : 'a list'}`,
    field,
  }
}
