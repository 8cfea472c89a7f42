import { findProjectFolders, readJsonFile } from '@skills/files'
import { isJsonObject, realPathOf } from '@skills/files/internal'
import { fitsWildcard } from '@skills/rules'
import { settingsPlaces } from './settings.js'
import type { Host } from '@skills/core'
import type { SettingsPlace } from '../../program-settings.js'
import type { NarrowingSource, WildcardMap } from '@skills/permission-rules/internal'

type Json = Readonly<Record<string, unknown>>
type Behaviors = Record<string, 'allow' | 'ask' | 'deny'>

const tool = 'skill'

/** How the settings of a program that descends from OpenCode differ. */
interface OpencodeLikeSettings {
  readonly name?: string
  /** Files, those that win last. */
  readonly places?: (host: Host) => readonly SettingsPlace[]
  /** Names of the agent that a session begins with, unless the settings name one. Those that win last. */
  readonly agents?: readonly string[]
}

/**
 * Returns what `permission` of OpenCode's settings says about skills, as sources of rules that only restrict. The user's
 * files decide by themselves, and together with those of the project: no project allows what the user forbids, though
 * OpenCode would let it.
 */
export function opencodePermission(
  host: Host,
  { name = 'opencode.json', places: all = settingsPlaces, agents = ['build'] }: OpencodeLikeSettings = {},
): readonly NarrowingSource[] {
  const files =
    (ofProject: boolean): (() => readonly WildcardMap[]) =>
    () => {
      const places = all(host).filter(({ isProject }) => ofProject || !isProject)
      const within = realPathOf(findProjectFolders(host).top)
      let settings: Json = {}
      for (const { path, isProject } of places) {
        const about = { code: 'program-settings', what: 'The settings file', within: isProject ? within : undefined }
        const file = readJsonFile(path, { ...about, comments: true })
        if (file === undefined) continue
        // OpenCode does not start with a file that it cannot read. It may forbid any skill.
        if ('severity' in file) return [{ [tool]: 'ask' }]
        settings = merged(settings, file.data)
      }
      return mapsOf(settings, agents)
    }
  return [
    { source: `the user's ${name}`, narrowing: files(false) },
    { source: name, narrowing: files(true) },
  ]
}

/** Merges settings, object by object, as OpenCode does: a key keeps its place, and a later value replaces the one before. */
function merged(one: Json, other: Json): Json {
  const all = new Map(Object.entries(one))
  for (const [key, value] of Object.entries(other)) {
    const before = all.get(key)
    all.set(key, isJsonObject(before) && isJsonObject(value) ? merged(before, value) : value)
  }
  return Object.fromEntries(all)
}

/** Returns the maps about skills: those for all agents, then those of the agent that a session begins with. */
function mapsOf(settings: Json, otherwise: readonly string[]): readonly WildcardMap[] {
  const names = typeof settings['default_agent'] === 'string' ? [settings['default_agent']] : otherwise
  const agents = ['mode', 'agent'].map(key => settings[key]).filter(isJsonObject)
  const agent = names.flatMap(name =>
    agents.map(one => (Object.hasOwn(one, name) ? one[name] : undefined)).filter(isJsonObject),
  )
  return [settings, agent.reduce(merged, {})].flatMap(({ tools, permission }) => [
    ...(isJsonObject(tools) ? mapOf(fromTools(tools)) : []),
    ...(permission === undefined ? [] : mapOf(isJsonObject(permission) ? permission : { '*': permission })),
  ])
}

/** Returns a map of tools that are switched on or off as a map of permissions. */
function fromTools(tools: Json): Json {
  return Object.fromEntries(Object.entries(tools).map(([key, isOn]) => [key, isOn === false ? 'deny' : 'allow']))
}

/**
 * Returns the entries for skills in their order. A word that is no behaviour, of which OpenCode does not start, is kept:
 * rules that cannot be understood ask.
 */
function mapOf(permission: Json): readonly WildcardMap[] {
  return Object.entries(permission)
    .filter(([key]) => fitsWildcard(tool, key))
    .map(([, value]) => ({ [tool]: (isJsonObject(value) ? value : { '*': value }) as Behaviors }))
}
