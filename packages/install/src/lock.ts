import { dirname } from 'node:path'
import { messageOf, SkillsError } from '@skills/core'
import { isJsonObject, pathInside } from '@skills/files/internal'
import { readWholeFileSync } from '@skills/files'
import { commonLock, wantedIn } from './common-lock.js'
import { masked, isRefused } from './error.js'
import { misfitOf, type Resolved } from './resolution.js'
import { parsePlainJson, printed } from './plain-json.js'
import { parseSource, type InstallSource } from './source.js'
import { foldedPath, isSkillName, problemOfName } from './file-name.js'
import { digestOf, sorted, type FileEntry } from './skill-files.js'

export interface WantedSkill {
  /** Source as it was asked for; a path is relative to the file. */
  readonly source: string
  /** True if a local folder is linked instead of copied. Default: false. */
  readonly link?: boolean | undefined
}

export interface LockedSkill {
  readonly source: string
  readonly resolved: Resolved
  /** Folder of the skill in the source; empty for its root. */
  readonly path: string
  /** Digest of all files, `sha256:` and 64 hexadecimal digits; empty for a folder that is linked. */
  readonly digest: string
  /** How each agent gets the skill: `same`, or `link` or `copy` with the folder, such as `link .claude/skills`. */
  readonly agents: Readonly<Record<string, string>>
  /** SHA-256 of each file, followed by ` x` for a program. */
  readonly files: Readonly<Record<string, FileEntry>>
}

/** Wanted skills: the content of `skills.json`. */
export interface Manifest {
  /** Agents that get each skill. */
  readonly agents: readonly string[]
  readonly skills: Readonly<Record<string, WantedSkill>>
}

/** Installed skills: the content of `skills.lock.json`. */
export type Lock = Readonly<Record<string, LockedSkill>>

const schemas = 'https://unpkg.com/@skills/install'
/** Most bytes of either file. */
const largestFile = 64 * 1024 * 1024
const entryForm = /^[\da-f]{64}(?: x)?$/
/** Text fields of each kind of resolved source. */
const resolvedKeys: Readonly<Record<string, readonly string[]>> = {
  git: ['url', 'commit'],
  npm: ['name', 'version', 'integrity'],
  archive: ['at', 'digest'],
  site: ['url'],
  folder: ['path'],
}

/**
 * Reads `skills.json`. If the file is missing, reads the wanted skills from the `skills-lock.json` of other installers
 * in the same folder. After the first change there is a `skills.json`. Throws `E_INSTALL_LOCK`.
 */
export function readManifest(path: string): Manifest {
  const data = objectIn(path)
  if (data === undefined) {
    const other = `${dirname(path)}/${commonLock}`
    const common = objectIn(other)
    return { agents: [], skills: common === undefined ? {} : sorted(wantedIn(other, common)) }
  }
  const { agents = [], skills } = data
  const isNames = Array.isArray(agents) && agents.every((one): one is string => typeof one === 'string')
  if (!isNames) throw wrong(path, '"agents" is not a list of names')
  const read = ({ source, link = false }: Data, at: string): WantedSkill => {
    if (!isFilled(source)) throw wrong(path, `${at} has no "source"`)
    if (typeof link !== 'boolean') throw wrong(path, `"link" of ${at} is neither true nor false`)
    return { source, ...(link && { link }) }
  }
  return { agents, skills: skillsIn(path, skills ?? {}, read) }
}

/**
 * Reads `skills.lock.json`; empty if there is none. Anyone who can write to the project may have changed the lock, so
 * every part is checked first: each entry must be complete, and its source must be able to lead to its resolution.
 * Throws `E_INSTALL_LOCK`.
 * @param home absolute folder that `~` stands for; without it a source below `~` is refused
 */
export function readLock(path: string, home?: string): Lock {
  const data = objectIn(path)
  if (data === undefined) return {}
  const { version, skills } = data
  if (version !== 1)
    throw typeof version === 'number' && version > 1
      ? new SkillsError(
          'E_INSTALL_LOCK',
          `${path} has the version ${version}, but this program supports only version 1.`,
          { hint: 'Use a later version of this program.' },
        )
      : wrong(path, `its version is ${JSON.stringify(version)}, and only 1 is supported`)
  const sources = new Map<string, InstallSource>()
  const fitting = new Set<string>()
  return skillsIn(path, skills, ({ source, resolved, path: folder, digest, agents, files }, at) => {
    if (!isFilled(source) || typeof folder !== 'string' || typeof digest !== 'string')
      throw wrong(path, `${at} lacks "source", "path" or "digest"`)
    if (!isResolved(resolved)) throw wrong(path, `"resolved" of ${at} is missing or not understood`)
    if (folder !== '' && pathInside(folder) !== folder) throw wrong(path, `"path" of ${at} leads out of its source`)
    // Many skills have the same source.
    const from = sources.get(source) ?? sourceIn(path, source, at, home)
    sources.set(source, from)
    const pair = JSON.stringify([source, resolved])
    const misfit = fitting.has(pair) ? undefined : misfitOf(from, resolved, dirname(path))
    if (misfit !== undefined) throw wrong(path, `${at} is from ${masked(source)}, and ${masked(misfit)}`, at)
    fitting.add(pair)
    if (!isTextMap(agents) || !Object.values(agents).every(isTarget))
      throw wrong(path, `"agents" of ${at} names a path that is not a folder of the project`)
    if (!isTextMap(files)) throw wrong(path, `"files" of ${at} is not an object`)
    const bad = Object.entries(files).find(([file, entry]) => !isFilePath(file) || !entryForm.test(entry))
    if (bad !== undefined) throw wrong(path, `${at} has the file ${JSON.stringify(bad[0])}, which is not understood`)
    const paths = Object.keys(files)
    const isWhole =
      digest === ''
        ? from.type === 'folder' && paths.length === 0
        : digestOf(files) === digest && new Set(paths.map(foldedPath)).size === paths.length
    if (!isWhole) throw wrong(path, `the digest of ${at} does not match its files`)
    return { source, resolved, path: folder, digest, agents, files: sorted(files) }
  })
}

/** Parses the source of an entry as it was when the entry was written. */
function sourceIn(path: string, text: string, at: string, home: string | undefined): InstallSource {
  if (home === undefined && text.includes('~/'))
    throw wrong(path, `${at} has the source ${text}, but the home folder is not known`)
  try {
    return parseSource(text, { cwd: dirname(path), home: home ?? '/' })
  } catch (error) {
    if (!isRefused(error)) throw error
    throw wrong(path, `the source of ${at} is not valid: ${error.message.replace(/\.$/, '')}`, at)
  }
}

/**
 * Returns the text of `skills.json`. The last part of the file is always the same, as in the lock, so that adding an
 * entry changes no other line.
 */
export function manifestText({ agents, skills }: Manifest): string {
  return printed({ skills: sorted(skills), agents: agents.toSorted(), $schema: `${schemas}/skills.schema.json` })
}

/** Returns the text of `skills.lock.json`: sorted, with a line for each file, so that git merges it by lines. */
export function lockText(lock: Lock): string {
  const skills = Object.entries(sorted(lock)).map(([name, { source, resolved, path, digest, agents, files }]) => [
    name,
    { source, resolved, path, digest, agents: sorted(agents), files: sorted(files) },
  ])
  return printed({ skills: Object.fromEntries(skills), version: 1, $schema: `${schemas}/skills-lock.schema.json` })
}

/** Returns true for a folder of the place, and false for one outside of it. */
function isTarget(text: string): boolean {
  const [how = '', folder] = text.split(/ (.*)/s)
  return how === 'same' ? folder === undefined : ['link', 'copy'].includes(how) && isFilePath(folder ?? '')
}

function isFilePath(path: string): boolean {
  return path.split('/').every(part => problemOfName(part) === undefined)
}

function isResolved(given: unknown): given is Resolved {
  if (!isTextMap(given)) return false
  const { type = '' } = given
  const keys = Object.hasOwn(resolvedKeys, type) ? resolvedKeys[type] : undefined
  return keys?.every(key => isFilled(given[key])) === true
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isTextMap(value: unknown): value is Readonly<Record<string, string>> {
  return isJsonObject(value) && Object.values(value).every(one => typeof one === 'string')
}

type Data = Readonly<Record<string, unknown>>

/** @param read called with the data of one skill, and its name in quotes */
function skillsIn<T>(path: string, skills: unknown, read: (data: Data, at: string) => T): Record<string, T> {
  if (!isJsonObject(skills)) throw wrong(path, '"skills" is not an object')
  const entries = Object.entries(skills).map(([name, given]): [string, T] => {
    const at = JSON.stringify(name)
    if (!isSkillName(name)) throw wrong(path, `${at} is not a valid name of a skill`)
    return [name, read(isJsonObject(given) ? given : {}, at)]
  })
  return sorted(Object.fromEntries(entries))
}

/** @param at entry to be removed, if correcting it by hand cannot help */
function wrong(path: string, why: string, at?: string): SkillsError {
  const hint =
    at === undefined
      ? 'Restore the file from git, or correct the file by hand.'
      : `Restore the file from git, or remove ${at} from the file and run: skills update.`
  return new SkillsError('E_INSTALL_LOCK', `${path} cannot be used: ${why}.`, { hint })
}

function objectIn(path: string): Data | undefined {
  const text = textAt(path)
  if (text === undefined) return undefined
  let value: unknown
  try {
    value = parsePlainJson(text)
  } catch (error) {
    throw wrong(path, `it is not JSON, or it has merge conflicts: ${messageOf(error)}`)
  }
  if (!isJsonObject(value)) throw wrong(path, 'it is not an object')
  return value
}

/** Returns the text of either file, or undefined if it is missing. Throws `E_INSTALL_LOCK`. */
export function textAt(path: string): string | undefined {
  const read = readWholeFileSync(path, { maxBytes: largestFile })
  if (read !== undefined && 'problem' in read)
    throw new SkillsError('E_INSTALL_LOCK', read.problem.message, {
      hint: read.problem.hint ?? 'Look at that file from a terminal.',
    })
  return read?.bytes.toString('utf8')
}
