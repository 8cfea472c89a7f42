import { isJsonObject, readJsonFile } from '@skills/fs'
import type { Behavior } from '@skills/tool-rules'

/** The lists of rules of a settings file, as they stand there. */
export type RuleLists = Readonly<Record<Behavior, readonly unknown[]>>

export interface Settings {
  /** Without a mark of the byte order. */
  readonly text: string
  readonly lists: RuleLists
}

export interface SettingsProblem {
  readonly type: 'io' | 'parse'
  readonly code: 'unreadable-settings' | 'invalid-settings'
  /** A clause: what is wrong. */
  readonly problem: string
  readonly field?: string
  readonly line?: number
}

export const behaviors: readonly Behavior[] = ['allow', 'deny', 'ask']

export function isBehavior(value: unknown): value is Behavior {
  return behaviors.some(behavior => behavior === value)
}

/** Reads a settings file; undefined when there is none. */
export function readSettings(path: string): Settings | SettingsProblem | undefined {
  const file = readJsonFile(path, { code: 'invalid-settings', what: path })
  if (file === undefined) return undefined
  if ('severity' in file) {
    const { code, message, line } = file
    const problem = message.slice(message.indexOf(path) + path.length + 1).replace(/\.$/, '')
    if (code !== 'invalid-settings') return { type: 'io', code: 'unreadable-settings', problem }
    return { type: 'parse', code, problem, ...(line !== undefined && { line }) }
  }
  const lists = listsOf(file.data)
  return 'problem' in lists ? lists : { text: file.text, lists }
}

/** Checks what stands under `permissions`; every other key is for somebody else. */
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
  return { type: 'parse', code: 'invalid-settings', problem: `has a "${field}" that is no ${wanted}`, field }
}

/** The line where a text stands as a JSON string, if it stands there once. */
export function lineOfString(file: string, text: string): number | undefined {
  const parts = file.split(JSON.stringify(text))
  return parts.length === 2 ? parts[0]?.split('\n').length : undefined
}
