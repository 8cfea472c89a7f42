import { dirname } from 'node:path'
import { isJsonObject, readWholeFileSync } from '@skills/files'
import { commonLock, wantedIn } from './common-lock.js'
import { InstallError } from './error.js'
import { foldedPath, isSkillName, problemOfName } from './file-name.js'
import { digestOf, type FileEntry } from './skill-files.js'
import type { Resolved } from './open-source.js'

/** What is wanted: `skills.json`. */
export interface Manifest {
  /** Agents that get each skill. */
  readonly agents: readonly string[]
  readonly skills: Readonly<Record<string, WantedSkill>>
}

export interface WantedSkill {
  /** As it was asked for; a path is relative to the file. */
  readonly source: string
  /** Whether a local folder is linked and not copied. */
  readonly link?: boolean | undefined
}

/** What is there: `skills.lock.json`. */
export type Lock = Readonly<Record<string, LockedSkill>>

export interface LockedSkill {
  readonly source: string
  readonly resolved: Resolved
  /** Folder of the skill in the source; empty for its root. */
  readonly path: string
  /** Of all files, `sha256:` and 64 hexadecimal digits; empty for a folder that is linked. */
  readonly digest: string
  /** How each agent gets it: `same`, or `link` or `copy` and the folder, as `link .claude/skills`. */
  readonly agents: Readonly<Record<string, string>>
  /** SHA-256 of each file, with ` x` behind that of a program. */
  readonly files: Readonly<Record<string, FileEntry>>
}

const schemas = 'https://unpkg.com/@skills/install'
/** Bytes of either file. */
const largestFile = 64 * 1024 * 1024
const digestForm = /^sha256:[\da-f]{64}$/
const entryForm = /^[\da-f]{64}(?: x)?$/

/**
 * Reads `skills.json`; where there is none, what the `skills-lock.json` of other installers beside it wants, until
 * something is written. Throws `E_INSTALL_LOCK`.
 */
export function readManifest(path: string): Manifest {
  const data = objectIn(path)
  if (data === undefined) {
    const other = `${dirname(path)}/${commonLock}`
    const common = objectIn(other)
    return { agents: [], skills: common === undefined ? {} : sorted(wantedIn(other, common)) }
  }
  const { agents = [], skills = {} } = data
  const wrong = wrongIn(path)
  if (!isTexts(agents)) throw wrong('"agents" is no list of names')
  if (!isJsonObject(skills)) throw wrong('"skills" is no object')
  const entries = Object.entries(skills).map(([name, given]): [string, WantedSkill] => {
    if (!isSkillName(name)) throw wrong(`${JSON.stringify(name)} is no name of a skill`)
    const { source, link = false } = isJsonObject(given) ? given : {}
    if (typeof source !== 'string' || typeof link !== 'boolean') throw wrong(`${JSON.stringify(name)} has no source`)
    return [name, { source, ...(link && { link }) }]
  })
  return { agents, skills: sorted(Object.fromEntries(entries)) }
}

/**
 * Reads `skills.lock.json`; empty where there is none. It may come from anyone who can write to the project, so that all
 * of it is checked before anything is done by it. Throws `E_INSTALL_LOCK`.
 */
export function readLock(path: string): Lock {
  const data = objectIn(path)
  if (data === undefined) return {}
  const wrong = wrongIn(path)
  if (data['version'] !== 1) throw wrong(`its version is ${JSON.stringify(data['version'])}, and 1 is known`)
  if (!isJsonObject(data['skills'])) throw wrong('"skills" is no object')
  const skills = Object.entries(data['skills']).map(([name, given]) => {
    const at = JSON.stringify(name)
    if (!isSkillName(name)) throw wrong(`${at} is no name of a skill`)
    const { source, resolved, path: folder, digest, agents, files } = isJsonObject(given) ? given : {}
    if (typeof source !== 'string' || typeof folder !== 'string' || typeof digest !== 'string')
      throw wrong(`${at} lacks "source", "path" or "digest"`)
    const known = resolvedOf(resolved)
    if (known === undefined) throw wrong(`${at} has no "resolved" that is known`)
    if (!isTextMap(agents) || !Object.values(agents).every(isTarget)) throw wrong(`"agents" of ${at} is not understood`)
    if (!isTextMap(files)) throw wrong(`"files" of ${at} is no object`)
    const isLinked = known.type === 'folder' && digest === ''
    const seen = new Set(Object.keys(files).map(foldedPath))
    for (const [file, entry] of Object.entries(files))
      if (!entryForm.test(entry) || file.split('/').some(part => problemOfName(part) !== undefined))
        throw wrong(`${at} has the file ${JSON.stringify(file)}, which is not understood`)
    if (
      !isLinked &&
      (!digestForm.test(digest) || digestOf(files) !== digest || seen.size !== Object.keys(files).length)
    )
      throw wrong(`the digest of ${at} is not that of its files`)
    return [name, { source, resolved: known, path: folder, digest, agents, files }] as const
  })
  return sorted(Object.fromEntries(skills))
}

/** The text of `skills.json`. What both files end with stays last, so that an entry behind another changes no line of it. */
export function manifestText({ agents, skills }: Manifest): string {
  return textOf({ skills: sorted(skills), agents: agents.toSorted(), $schema: `${schemas}/skills.schema.json` })
}

/** The text of `skills.lock.json`: sorted, and a line for each file, so that git merges it by lines. */
export function lockText(lock: Lock): string {
  const skills = Object.entries(sorted(lock)).map(([name, { source, resolved, path, digest, agents, files }]) => [
    name,
    { source, resolved, path, digest, agents: sorted(agents), files: sorted(files) },
  ])
  return textOf({ skills: Object.fromEntries(skills), version: 1, $schema: `${schemas}/skills-lock.schema.json` })
}

function textOf(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}

function sorted<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** A folder of the place, and never one outside of it. */
function isTarget(text: string): boolean {
  const [how = '', folder] = text.split(/ (.*)/s)
  if (how === 'same') return folder === undefined
  return ['link', 'copy'].includes(how) && folder?.split('/').every(part => problemOfName(part) === undefined) === true
}

function resolvedOf(given: unknown): Resolved | undefined {
  if (!isTextMap(given)) return undefined
  const {
    type,
    url = '',
    commit = '',
    name = '',
    version = '',
    integrity = '',
    at = '',
    digest = '',
    path = '',
  } = given
  switch (type) {
    case 'git':
      return /^(?:[\da-f]{40}|[\da-f]{64})$/.test(commit) && url !== '' ? { type, url, commit } : undefined
    case 'npm':
      return name !== '' && version !== '' && integrity !== '' ? { type, name, version, integrity } : undefined
    case 'archive':
      return at !== '' && digestForm.test(digest) ? { type, at, digest } : undefined
    case 'site':
      return url === '' ? undefined : { type, url }
    case 'folder':
      return path === '' ? undefined : { type, path }
    default:
      return undefined
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(one => typeof one === 'string')
}

function isTextMap(value: unknown): value is Readonly<Record<string, string>> {
  return isJsonObject(value) && Object.values(value).every(one => typeof one === 'string')
}

function wrongIn(path: string): (why: string) => InstallError {
  return why =>
    new InstallError(
      'E_INSTALL_LOCK',
      `${path} cannot be used: ${why}.`,
      'Take it back from git, or correct it by hand.',
    )
}

function objectIn(path: string): Readonly<Record<string, unknown>> | undefined {
  const text = textAt(path)
  if (text === undefined) return undefined
  const wrong = wrongIn(path)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw wrong('it is no JSON, as after a merge with conflicts')
  }
  if (!isJsonObject(value)) throw wrong('it is no object')
  return value
}

/** What either file says; undefined where there is none. Throws `E_INSTALL_LOCK` */
export function textAt(path: string): string | undefined {
  const read = readWholeFileSync(path, { maxBytes: largestFile })
  if (read !== undefined && 'problem' in read)
    throw new InstallError('E_INSTALL_LOCK', read.problem.message, read.problem.hint ?? 'Look at it from a terminal.')
  return read?.bytes.toString('utf8')
}
