import { isJsonObject, pathInside, serversSchema, type KeyPath } from '@skills/files/internal'
import type { Violation } from './manifest-rules.js'

/** Server of an `mcp.json` that follows every rule that can be judged without the disk. */
export type StandardServer =
  | {
      readonly type: 'stdio'
      readonly command: string
      readonly args?: readonly string[]
      readonly env?: Readonly<Record<string, string>>
      readonly cwd?: string
    }
  | {
      readonly type: 'streamable-http' | 'sse'
      readonly url: string
      readonly headers?: Readonly<Record<string, string>>
    }

/** Variables that only the client sets. */
export const reservedVariables = ['PLUGIN_ROOT', 'PLUGIN_DATA'] as const

const fieldsOf = {
  stdio: ['type', 'command', 'args', 'env', 'cwd'],
  'streamable-http': ['type', 'url', 'headers'],
  sse: ['type', 'url', 'headers'],
} as const satisfies Record<StandardServer['type'], readonly string[]>

/** Judges the top level of an `mcp.json`. A violation disables all servers of the plugin. */
export function judgeServersFile(data: Readonly<Record<string, unknown>>): readonly Violation[] {
  const found: Violation[] = []
  if (!Object.hasOwn(data, '$schema')) found.push({ keys: ['$schema'], message: 'is missing' })
  else if (data['$schema'] !== serversSchema)
    found.push({ keys: ['$schema'], message: `must be "${serversSchema}", the version that plugin.json declares` })
  if (!Object.hasOwn(data, 'mcpServers')) found.push({ keys: ['mcpServers'], message: 'is missing' })
  else if (!isJsonObject(data['mcpServers'])) found.push({ keys: ['mcpServers'], message: 'must be an object' })
  for (const key of Object.keys(data))
    if (key !== '$schema' && key !== 'mcpServers') found.push({ keys: [key], message: 'is not a field of mcp.json' })
  return found
}

/** Returns the first violation of the form of a server: what the schema of the standard says. */
export function formViolation(server: unknown): Violation | undefined {
  if (!isJsonObject(server)) return { keys: [], message: 'must be an object' }
  const { type } = server
  if (!Object.hasOwn(server, 'type')) return { keys: ['type'], message: 'is missing' }
  if (type !== 'stdio' && type !== 'streamable-http' && type !== 'sse')
    return { keys: ['type'], message: 'must be stdio, streamable-http or sse' }
  const fields: readonly string[] = fieldsOf[type]
  const other = Object.keys(server).find(key => !fields.includes(key))
  if (other !== undefined) return { keys: [other], message: `is not a field of a server of type ${type}` }
  const needed = type === 'stdio' ? 'command' : 'url'
  if (!Object.hasOwn(server, needed)) return { keys: [needed], message: 'is missing' }
  if (typeof server[needed] !== 'string') return { keys: [needed], message: 'must be text' }
  if (server[needed] === '') return { keys: [needed], message: 'must not be empty' }
  return (
    textsViolation(server, 'args') ??
    recordViolation(server, 'env') ??
    recordViolation(server, 'headers') ??
    workingFolderViolation(server)
  )
}

function textsViolation(server: Readonly<Record<string, unknown>>, key: string): Violation | undefined {
  const value = server[key]
  if (!Object.hasOwn(server, key)) return undefined
  if (!Array.isArray(value)) return { keys: [key], message: 'must be a list of texts' }
  const at = value.findIndex(one => typeof one !== 'string')
  return at < 0 ? undefined : { keys: [key, at], message: 'must be text' }
}

function recordViolation(server: Readonly<Record<string, unknown>>, key: string): Violation | undefined {
  const value = server[key]
  if (!Object.hasOwn(server, key)) return undefined
  if (!isJsonObject(value)) return { keys: [key], message: 'must be an object' }
  for (const [name, one] of Object.entries(value)) {
    if (typeof one !== 'string') return { keys: [key, name], message: 'must be text' }
    if (key === 'env' && reservedVariables.some(reserved => reserved === name))
      return { keys: [key, name], message: 'cannot be set, because the program that starts the server sets it' }
  }
  return undefined
}

const forms = /^(?:\.\/|\$\{PLUGIN_(?:ROOT|DATA)\}(?:\/|$))/

function workingFolderViolation(server: Readonly<Record<string, unknown>>): Violation | undefined {
  if (!Object.hasOwn(server, 'cwd')) return undefined
  const { cwd } = server
  if (typeof cwd !== 'string') return { keys: ['cwd'], message: 'must be text' }
  return forms.test(cwd)
    ? undefined
    : { keys: ['cwd'], message: 'must begin with "./", ${PLUGIN_ROOT} or ${PLUGIN_DATA}' }
}

/**
 * Returns the first violation of the rules that the text of the standard adds to its schema, as far as they can be
 * judged without the disk.
 */
export function meaningViolation(server: StandardServer): Violation | undefined {
  if (server.type === 'stdio') return commandViolation(server.command) ?? escapeViolation(server.cwd)
  return urlViolation(server.url) ?? headersViolation(server.headers ?? {})
}

function commandViolation(command: string): Violation | undefined {
  const keys: KeyPath = ['command']
  if (command.startsWith('./')) {
    const inside = pathInside(command)
    if (inside === undefined) return { keys, message: 'leads out of the plugin' }
    return inside === '' ? { keys, message: 'must be the path of a program' } : undefined
  }
  return /^[^\s\p{C}/\\:]+$/u.test(command) && !/^\.+$/.test(command)
    ? undefined
    : { keys, message: 'must be the name of one program, or a path that begins with "./"' }
}

/** Checks the path that follows the folder, as it is written. Links are followed when the server starts. */
function escapeViolation(cwd: string | undefined): Violation | undefined {
  if (cwd === undefined) return undefined
  const below = cwd.replace(/^\$\{PLUGIN_(?:ROOT|DATA)\}/, '.')
  return pathInside(below) === undefined ? { keys: ['cwd'], message: 'leads out of its folder' } : undefined
}

function urlViolation(written: string): Violation | undefined {
  const say = (message: string): Violation => ({ keys: ['url'], message })
  if (!/^https?:\/\/[^/?#]/i.test(written) || /[\s\p{C}\\]/u.test(written) || !URL.canParse(written))
    return say('must be an absolute http or https URL')
  const url = new URL(written)
  const [, authority = ''] = /^https?:\/\/([^/?#]*)/i.exec(written) ?? []
  if (authority.includes('@')) return say('must not contain a user or a password')
  if (written.includes('#')) return say('must not contain a fragment')
  return url.protocol === 'https:' || isLoopback(url.hostname)
    ? undefined
    : say('must be https, because its host is not this machine')
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host)
}

function headersViolation(headers: Readonly<Record<string, string>>): Violation | undefined {
  const seen = new Set<string>()
  for (const [name, value] of Object.entries(headers)) {
    const keys: KeyPath = ['headers', name]
    if (!/^[!#$%&'*+.^_`|~\dA-Za-z-]+$/.test(name)) return { keys, message: 'is not a valid name of a header' }
    if (!/^(?:[!-~\x80-\xff](?:[\t -~\x80-\xff]*[!-~\x80-\xff])?)?$/.test(value))
      return { keys, message: 'is not a valid value of a header' }
    if (seen.size === seen.add(name.toLowerCase()).size)
      return { keys, message: 'is there twice: names of headers do not depend on upper and lower case' }
  }
  return undefined
}
