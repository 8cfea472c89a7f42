import JSON5 from 'json5'
import {
  defineProvider,
  messageOf,
  type Command,
  type Diagnostic,
  type GateRules,
  type Host,
  type Plugin,
} from '@skills/core'
import { readWholeFileSync } from '@skills/files'
import { isJsonObject, slashes } from '@skills/files/internal'
import { fileSource } from '@skills/files/source'
import { holdingNames } from '../../holding-names.js'
import type { ProgramNeeds } from '../../skill-needs.js'
import { unused } from '../../program-settings.js'

type Json = Readonly<Record<string, unknown>>

/** Content of `openclaw.json` about skills. */
interface Said {
  /** Sentence that says why OpenClaw does not start with this file, or why it is not known what it lists. */
  readonly broken?: string
  /** Keys of `skills.entries` that are switched off. */
  readonly off: ReadonlySet<string>
  /** Names of the skills that the default agent may have; undefined: all. */
  readonly allowed: { readonly by: string; readonly names: ReadonlySet<string> } | undefined
  readonly problems: readonly Diagnostic[]
  readonly needs: ProgramNeeds
}

/** Settings that are on unless the file says otherwise. */
const onByDefault: readonly string[] = ['browser.enabled', 'browser.evaluateEnabled']

const inHome = (host: Host, folder: string): string => folder.replace(/^~(?=\/|$)/, host.home)

/** Returns the folder of OpenClaw's state: a name in the home folder, or an absolute path. */
export function stateFolder(host: Host): string {
  return inHome(host, host.env['OPENCLAW_STATE_DIR'] || '.openclaw')
}

/** Returns the absolute path of the settings. A workspace has none of its own. */
function settingsFile(host: Host): string | undefined {
  const { env, home } = host
  const file = env['OPENCLAW_CONFIG_PATH'] || `${stateFolder(host)}/openclaw.json`
  const at = slashes(inHome(host, file))
  return /^(?:\/|[a-z]:\/)/i.test(at) ? at : home === '' ? undefined : `${slashes(home)}/${at}`
}

const nothing = new Set<string>()
const noNeeds: ProgramNeeds = { isSet: name => onByDefault.includes(name), gives: () => false }
const none: Said = { off: nothing, allowed: undefined, problems: [], needs: noNeeds }

class Unreadable extends Error {}

/** Throws if a value is there and is of another type, because OpenClaw does not start with such a file. */
function typed<T>(value: unknown, at: string, wanted: string, isRight: (value: unknown) => value is T): T | undefined {
  if (value === undefined || isRight(value)) return value
  throw new Unreadable(`has a value for \`${at}\` that is no ${wanted}`)
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText)
const isYesOrNo = (value: unknown): value is boolean => typeof value === 'boolean'

/** Returns a map below a key. A map that includes other files may say anything. */
function mapAt(map: Json | undefined, key: string, at: string): Json | undefined {
  const value = typed(own(map, key), at, 'map', isJsonObject)
  refuseIncluded(value, at)
  return value
}

function refuseIncluded(map: Json | undefined, at: string): void {
  if (map !== undefined && Object.hasOwn(map, '$include'))
    throw new Unreadable(
      `takes ${at === '' ? 'its settings' : `\`${at}\``} from other files by \`$include\`, and they are not read here`,
    )
}

function own(map: unknown, key: string): unknown {
  return isJsonObject(map) && Object.hasOwn(map, key) ? map[key] : undefined
}

/** Replaces `${NAME}` by the variable of the environment; one that is not set stays as it is written. */
function filled(text: string, { env }: Host): string {
  return text.replace(/(\$?)\$\{([A-Z_][A-Z0-9_]*)\}/g, (all, escape: string, name: string) =>
    escape === '' ? env[name] || all : all.slice(1),
  )
}

/** Returns the entry of the agent that OpenClaw starts without being told which. */
function defaultAgent(agents: Json | undefined): { readonly at: string; readonly entry: Json } | undefined {
  const entries = mapAt(agents, 'entries', 'agents.entries')
  const list = typed(own(agents, 'list'), 'agents.list', 'list', Array.isArray)
  const all = [
    ...Object.keys(entries ?? {}).map(id => ({
      at: `agents.entries.${id}`,
      entry: mapAt(entries, id, `agents.entries.${id}`) ?? {},
    })),
    ...(list ?? []).map((entry: unknown, at) => ({
      at: `agents.list[${at}]`,
      entry: typed(entry, `agents.list[${at}]`, 'map', isJsonObject) ?? {},
    })),
  ]
  return all.find(({ entry }) => own(entry, 'default') === true) ?? all[0]
}

function read(text: string, host: Host): Said {
  const data: unknown = JSON5.parse(text.replace(/^\ufeff/, ''))
  if (!isJsonObject(data)) throw new Unreadable('must be an object')
  refuseIncluded(data, '')
  const entries = mapAt(mapAt(data, 'skills', 'skills'), 'entries', 'skills.entries')
  const off = Object.keys(entries ?? {}).filter(key => {
    const at = `skills.entries.${key}`
    return typed(own(mapAt(entries, key, at), 'enabled'), `${at}.enabled`, 'yes or no', isYesOrNo) === false
  })
  const agents = mapAt(data, 'agents', 'agents')
  const agent = defaultAgent(agents)
  const listOf = (at: string, map: Json | undefined) => {
    const names = typed(own(map, 'skills'), `${at}.skills`, 'list of texts', isTexts)
    return names && { by: `${at}.skills`, names: new Set(names.map(name => filled(name, host).trim())) }
  }
  const defaults = listOf('agents.defaults', mapAt(agents, 'defaults', 'agents.defaults'))
  return {
    off: new Set(off),
    allowed: (agent && listOf(agent.at, agent.entry)) ?? defaults,
    problems: [],
    needs: {
      isSet: path => {
        const value = path
          .split('.')
          .filter(Boolean)
          .reduce<unknown>((map, key) => own(map, key), data)
        if (value === undefined) return onByDefault.includes(path)
        return typeof value === 'string' ? filled(value, host).trim() !== '' : Boolean(value)
      },
      gives: (command, variable) => {
        const entry = own(entries, keyOf(command))
        const given = own(own(entry, 'env'), variable)
        return (
          (isText(given) && filled(given, host).trim() !== '') ||
          (own(blockOf(command), 'primaryEnv') === variable && isSecret(own(entry, 'apiKey')))
        )
      },
    },
  }
}

const isSecret = (value: unknown): boolean => (isText(value) ? value.trim() !== '' : isJsonObject(value))

const blockOf = (command: Command): unknown =>
  command.type === 'prompt' ? own(command.metadata, 'openclaw') : undefined

/** Returns the key of a skill in `skills.entries`. */
function keyOf(command: Command): string {
  const key = own(blockOf(command), 'skillKey')
  return isText(key) && key !== '' ? key : command.name
}

const known = new WeakMap<Host, { readonly text: string; readonly said: Said; readonly rules: GateRules }>()

/** Reads the settings. The same object as before means that nothing changed. */
function current(host: Host): { readonly said: Said } {
  const file = settingsFile(host)
  const found = file === undefined ? undefined : readWholeFileSync(file)
  if (file === undefined || found === undefined) return { said: none }
  const text = 'problem' in found ? found.problem.message : Buffer.from(found.bytes).toString('utf8')
  const before = known.get(host)
  if (before?.text === text) return before
  const said = 'problem' in found ? unreadable(file, 'cannot be read') : readSafely(file, text, host)
  const now = { text, said, rules: {} }
  known.set(host, now)
  return now
}

function readSafely(file: string, text: string, host: Host): Said {
  try {
    return read(text, host)
  } catch (error) {
    if (error instanceof Unreadable) return unreadable(file, error.message)
    const line = Number((error as { lineNumber?: unknown }).lineNumber)
    return unreadable(file, `is not JSON5: ${messageOf(error).replace(/^JSON5: /, '')}`, line || undefined)
  }
}

/** Returns settings with which no skill is listed. */
function unreadable(file: string, reason: string, line?: number): Said {
  return {
    ...none,
    broken: `No skill is listed until ${file} can be read: it ${reason}.`,
    problems: [
      unused({ path: file, line }, `The settings file ${reason}.`, 'Correct the file. Until then, no skill is listed.'),
    ],
  }
}

/** Returns what the settings say about the needs of skills. */
export const openclawNeeds = (host: Host): ProgramNeeds => current(host).said.needs

/**
 * Leaves out the skills that `openclaw.json` switches off with `skills.entries.KEY.enabled`, and those that are not in
 * the list of the default agent. OpenClaw does not start with a file that it cannot read: then all are left out. See
 * docs/reference/distributions.md, "Settings of other programs".
 */
export function openclawSettings(): readonly Plugin[] {
  return [
    defineProvider({
      kind: 'gate',
      id: 'settings',
      setup: ({ host }) => ({
        rules() {
          const { broken, off, allowed } = current(host).said
          if (broken === undefined && off.size === 0 && allowed === undefined) return noRules
          return {
            command: holdingNames(command => {
              if (broken !== undefined) return broken
              const key = keyOf(command)
              if (off.has(key)) return `\`skills.entries.${key}.enabled\` is false in openclaw.json.`
              return allowed === undefined || allowed.names.has(command.name)
                ? undefined
                : `\`${allowed.by}\` of openclaw.json does not name it.`
            }),
          }
        },
      }),
    }),
    // Reports problems of the file.
    fileSource({
      id: 'settings',
      source: 'user',
      roots: host => ({ roots: [], diagnostics: current(host).said.problems }),
    }),
  ]
}

const noRules: GateRules = {}
