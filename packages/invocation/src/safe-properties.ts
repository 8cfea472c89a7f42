import { fieldDefaults, fieldTable } from '@skills/core/fields'
import type { PromptCommand } from '@skills/core'

/** Default of each field. Without the prototype, a key such as `constructor` has no default. */
const defaults: Readonly<Record<string, unknown>> = { __proto__: null, ...fieldDefaults }

/** Properties that the engine and the sources add to describe a command. */
const added = [
  'type',
  'displayName',
  'hasUserSpecifiedDescription',
  'isHidden',
  'source',
  'loadedFrom',
  'qualifier',
  'isScoped',
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

/** Properties that need no permission. Every other one does, including unknown ones. */
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
 * Returns the first field that a command sets and that needs permission. Undefined means that an invocation only reads
 * the command's text, unless the text embeds a command. See docs/reference/permissions.md, "Permissions".
 */
export function firstUnsafeField(command: PromptCommand): string | undefined {
  return firstFieldBesides(command, key => harmless.has(key))
}

/** Fields that say how a skill runs and that grant it nothing. */
const ofRunning = new Set<string>(fieldTable.filter(({ runs }) => runs).map(({ property }) => property))

/**
 * Returns the first field that allows or denies tools, adds hooks, or is unknown. Fields that describe a command or say
 * how it runs are ignored.
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
      // A field with its default value changes nothing.
      if (isSet(value) && value !== defaults[key]) return key
    }
  }
  return undefined
}

function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

/** False if no dialect finds an embedded command in a body, so that no expander need be loaded to look. */
export function mayEmbedCommand(body: string): boolean {
  // The fence matches only from the start of a run of marks. From every mark of it, a long run would take quadratic
  // time.
  return /!`|(?<![`~])[`~]{3,}[ \t]*!/.test(body)
}
