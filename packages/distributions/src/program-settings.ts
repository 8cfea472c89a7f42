import path from 'node:path'
import { findProjectFolders, readJsonFile } from '@skills/files'
import { isInside, realFolders, realPathOf, slashes } from '@skills/files/internal'
import { fileSource, type FileSourceOptions, type SkillRoot } from '@skills/files/source'
import {
  defineProvider,
  type Diagnostic,
  type GateRules,
  type Host,
  type Plugin,
  type Provider,
  type SourceName,
} from '@skills/core'

// Settings of the followed programs. Each is a regular file of at most 1 MiB that is read again at each load. A link of
// a project must not lead out of it. A fault in a file gives a warning, and the rest of the file applies.

/** Settings file. A project's file applies to that project only. */
export interface SettingsPlace {
  readonly path: string
  readonly isProject: boolean
}

/** Text in a list of a settings file. */
export interface Setting extends SettingsPlace {
  readonly text: string
  readonly line: number | undefined
}

export interface Settings {
  readonly entries: readonly Setting[]
  readonly problems: readonly Diagnostic[]
}

const code = 'program-settings'

/** Makes the warning for a setting that has no effect. */
export function unused(
  { path: at, line }: Pick<Setting, 'path'> & { readonly line?: number | undefined },
  message: string,
  hint: string,
): Diagnostic {
  return { severity: 'warning', type: 'validation', code, path: at, message, hint, ...(line && { line }) }
}

/**
 * Reads the texts of a list in settings files, file by file.
 * @param keys path of the list, such as `['skills', 'disabled']`
 */
export function settingsIn(
  host: Host,
  places: readonly SettingsPlace[],
  keys: readonly [string, ...string[]],
): Settings {
  const within = realPathOf(findProjectFolders(host).top)
  const read = places.map((place): Settings => {
    const file = readJsonFile(place.path, {
      code,
      what: 'The settings file',
      within: place.isProject ? within : undefined,
      comments: true,
    })
    if (file === undefined) return { entries: [], problems: [] }
    if ('severity' in file) return { entries: [], problems: [{ ...file, severity: 'warning' }] }
    const list = valueAt(file.data, keys)
    if (list === undefined) return { entries: [], problems: [] }
    const named = keys.join('.')
    const line = (at: readonly number[] = []): number | undefined => file.lines.of([...keys, ...at])
    if (!Array.isArray(list)) {
      const said = unused({ path: place.path, line: line() }, `\`${named}\` must be a list.`, 'Write a list of texts.')
      return { entries: [], problems: [said] }
    }
    const entries = list.flatMap((text: unknown, at) =>
      typeof text === 'string' ? [{ ...place, text, line: line([at]) }] : [],
    )
    const problems = list.flatMap((text: unknown, at) =>
      typeof text === 'string'
        ? []
        : [
            unused(
              { path: place.path, line: line([at]) },
              `\`${named}[${at}]\` is not text.`,
              'Put the value in quotes.',
            ),
          ],
    )
    return { entries, problems }
  })
  return { entries: read.flatMap(one => one.entries), problems: read.flatMap(one => one.problems) }
}

/**
 * Reads several lists in settings files, by name. A fault that several lists find is reported once.
 * @param lists paths of the lists
 */
export function listsIn<Name extends string>(
  host: Host,
  places: readonly SettingsPlace[],
  lists: Readonly<Record<Name, readonly [string, ...string[]]>>,
): { readonly lists: Readonly<Record<Name, readonly Setting[]>>; readonly problems: readonly Diagnostic[] } {
  const read = (Object.keys(lists) as Name[]).map(name => [name, settingsIn(host, places, lists[name])] as const)
  const problems = new Map(
    read.flatMap(([, one]) => one.problems).map(one => [`${one.path}:${one.line} ${one.message}`, one]),
  )
  return {
    lists: Object.fromEntries(read.map(([name, { entries }]) => [name, entries])) as Record<Name, readonly Setting[]>,
    problems: [...problems.values()],
  }
}

/** Rules about skills that settings make in a load. */
export interface GateSettings {
  /** Text that is another one if the rules change. */
  readonly key: string
  readonly rules: GateRules
  readonly problems: readonly Diagnostic[]
}

/** Makes the gate of a program's settings, and a source that reports their problems. */
export function settingsGate(read: (host: Host) => GateSettings): readonly Plugin[] {
  return [
    defineProvider({
      kind: 'gate',
      id: 'settings',
      setup({ host }) {
        let before: GateSettings | undefined
        return {
          rules() {
            const now = read(host)
            // Returning the same object as in the load before means that nothing changed.
            if (before?.key !== now.key) before = now
            return before.rules
          },
        }
      },
    }),
    fileSource({ id: 'settings', source: 'user', roots: host => ({ roots: [], diagnostics: read(host).problems }) }),
  ]
}

/**
 * Returns the path of the first settings file in which a value is `false`; undefined if there is none. A file that
 * cannot be read has none.
 * @param keys path of the value, such as `['skills', 'enabled']`
 */
export function fileWithFalse(
  host: Host,
  places: readonly SettingsPlace[],
  keys: readonly [string, ...string[]],
): string | undefined {
  const within = realPathOf(findProjectFolders(host).top)
  return places.find(place => {
    const about = { code, what: 'The settings file', within: place.isProject ? within : undefined, comments: true }
    const file = readJsonFile(place.path, about)
    return file !== undefined && !('severity' in file) && valueAt(file.data, keys) === false
  })?.path
}

function valueAt(data: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined,
    data,
  )
}

/**
 * Resolves a path of a settings file. Returns a problem if a project names a path outside of it.
 * @param base folder to which the path is relative
 */
function placeOf(host: Host, { text, path: file, line, isProject }: Setting, base: string): string | Diagnostic {
  const at = slashes(path.resolve(base, text.replace(/^~(?=\/|$)/, host.home)))
  if (!isProject || isInside(at, findProjectFolders(host).top)) return at
  return unused(
    { path: file, line },
    `The settings of the project name ${at}, which is outside the project, so it is not searched.`,
    'Name the folder in your own settings.',
  )
}

interface NamedFolders extends Omit<FileSourceOptions, 'roots'> {
  readonly source: SourceName
  /** True for the folders that the project's settings name, false for those of the user's settings. */
  readonly isProject: boolean
  readonly settings: (host: Host) => Settings
  /** Returns the folder to which a path is relative. */
  readonly base: (host: Host, setting: Setting) => string
  readonly root?: Omit<SkillRoot, 'path'> | undefined
}

/**
 * Makes a source of the folders that settings name. Folders that a project's settings name have to be inside the
 * project, and so do the targets of links in them. The source of the user's settings reports the problems of all files.
 */
export function namedFolders({ isProject, settings, base, root, ...options }: NamedFolders): Provider<'source'> {
  return fileSource({
    ...options,
    roots: host => {
      const { entries, problems } = settings(host)
      const found = entries
        .filter(entry => entry.isProject === isProject)
        .map(entry => placeOf(host, entry, base(host, entry)))
      const within = isProject ? realFolders([findProjectFolders(host).top]) : undefined
      return {
        roots: found.flatMap(one => (typeof one === 'string' ? [{ path: one, within, ...root }] : [])),
        diagnostics: [...(isProject ? [] : problems), ...found.flatMap(one => (typeof one === 'string' ? [] : [one]))],
      }
    },
  })
}
