import { fieldDefaults, fieldTable } from '@skills/core/fields'
import type { PromptCommand } from '@skills/core'

/** Keys of commands that are no fields have none. */
const defaults: Readonly<Record<string, unknown>> = { __proto__: null, ...fieldDefaults }

/** What the engine and the sources add, which describes a command. */
const added = [
  'type',
  'displayName',
  'hasUserSpecifiedDescription',
  'isHidden',
  'source',
  'loadedFrom',
  'qualifier',
  'pluginName',
  'plugin',
  'baseDir',
  'folder',
  'filePath',
  'file',
  'contentLength',
  'isSkill',
  'progressMessage',
  'isSnapshot',
]

/** All that is not known to be harmless needs permission. */
const harmless = new Set<string>([...added, ...fieldTable.filter(({ asks }) => !asks).map(({ property }) => property)])
const methods = new Set<string>([
  'constructor',
  'isEnabled',
  'load',
  'snapshot',
  'digest',
  'bytes',
  'resolveVariable',
  'toJSON',
])

/**
 * The first field that a command sets and that is not harmless; undefined when there is none: then it is there to be
 * read and nothing else, unless a command is embedded in its text. See docs/reference/permissions.md, "Permissions".
 */
export function firstUnsafeField(command: PromptCommand): string | undefined {
  return firstFieldBesides(command, key => harmless.has(key))
}

/** Fields that say how a skill runs, and grant it nothing. */
const ofRunning = new Set<string>(fieldTable.filter(({ runs }) => runs).map(({ property }) => property))

/**
 * The first field by which a command is allowed or denied a tool, or hooks into others, or that is not known: all but
 * those that describe it and say how it runs.
 */
export function firstGrantingField(command: PromptCommand): string | undefined {
  return firstFieldBesides(command, key => harmless.has(key) || ofRunning.has(key))
}

function firstFieldBesides(command: PromptCommand, isKnown: (key: string) => boolean): string | undefined {
  // Fields may be getters of a class, which no listing of the object's own keys shows.
  for (
    let level: object | null = command;
    level !== null && level !== Object.prototype;
    level = Reflect.getPrototypeOf(level)
  ) {
    for (const key of Object.getOwnPropertyNames(level)) {
      if (isKnown(key) || methods.has(key)) continue
      const value: unknown = Reflect.get(command, key)
      // What is so without the field sets nothing.
      if (isSet(value) && value !== defaults[key]) return key
    }
  }
  return undefined
}

function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

/**
 * Whether a body has, or might have, a command embedded: rather one too many, for what is found is only asked about.
 */
export function mayEmbedCommand(body: string): boolean {
  // Begun only where a run of marks begins: from each of its marks anew, a long one would be gone through as often as
  // it is long.
  return /!`|(?<![`~])[`~]{3,}[ \t]*!/.test(body)
}
