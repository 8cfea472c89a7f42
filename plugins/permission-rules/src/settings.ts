import { messageOf } from '@skills/core'
import type { Behavior } from '@skills/tool-rules'

/** What a settings file says of permissions. */
export interface SettingsRules {
  readonly lists: Readonly<Record<Behavior, readonly unknown[]>>
}

export interface SettingsProblem {
  /** A clause: what is wrong. */
  readonly problem: string
  readonly field?: string
  readonly line?: number
}

export const behaviors: readonly Behavior[] = ['allow', 'deny', 'ask']

/** The text of a settings file, without a mark of the byte order. Throws a TypeError for what is not UTF-8. */
export function decodeSettings(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
}

/** Checks what stands under `permissions`; every other key is for somebody else. */
export function parseSettings(bytes: Uint8Array): SettingsRules | SettingsProblem {
  let data: unknown
  try {
    data = JSON.parse(decodeSettings(bytes))
  } catch (error) {
    const offset = /at position (\d+)/.exec(messageOf(error))?.[1]
    const line = offset === undefined ? undefined : new TextDecoder().decode(bytes).slice(0, Number(offset)).split('\n').length
    return { problem: `is not JSON: ${messageOf(error)}`, ...(line === undefined ? {} : { line }) }
  }
  if (!isObject(data)) return { problem: 'does not hold an object' }
  const permissions = Object.hasOwn(data, 'permissions') ? data['permissions'] : undefined
  if (permissions === undefined || permissions === null) return { lists: { allow: [], deny: [], ask: [] } }
  if (!isObject(permissions)) return { problem: 'has a "permissions" that is no object', field: 'permissions' }
  const lists: Record<Behavior, readonly unknown[]> = { allow: [], deny: [], ask: [] }
  for (const behavior of behaviors) {
    const list = Object.hasOwn(permissions, behavior) ? permissions[behavior] : undefined
    if (list === undefined || list === null) continue
    if (!Array.isArray(list)) return { problem: `has a "permissions.${behavior}" that is no list`, field: `permissions.${behavior}` }
    lists[behavior] = list
  }
  return { lists }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The line where a text stands as a JSON string, if it stands there once. */
export function lineOfString(file: string, text: string): number | undefined {
  const parts = file.split(JSON.stringify(text))
  return parts.length === 2 ? parts[0]?.split('\n').length : undefined
}
