import { lstatSync, readdirSync, readlinkSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { readWholeFileSync, realPathOf } from '@skills/files'
import { readLock, readManifest, type Lock, type LockedSkill } from './lock.js'
import { sha256 } from './content-cache.js'
import { largeLimits, type FileEntry } from './skill-files.js'
import type { InstallPlace } from './place.js'

/** How the disk differs from the lock, or the lock from what is wanted. */
export interface Difference {
  readonly skill: string
  readonly kind: 'missing' | 'changed' | 'added' | 'not-locked' | 'not-wanted' | 'other-source' | 'link'
  /** Relative to the root of the place. */
  readonly path: string
  /** One sentence without its full stop. */
  readonly message: string
}

/**
 * Compares both files and the disk, and changes nothing. Every file is read and compared by its SHA-256.
 * @throws InstallError `E_INSTALL_LOCK`
 */
export function verify(place: InstallPlace): readonly Difference[] {
  const lock = readLock(place.lock)
  return [
    ...unlocked(place, lock),
    ...Object.entries(lock).flatMap(([name, locked]) => differencesOf(place, name, locked)),
  ]
}

/** How what is wanted differs from what the lock has. */
export function unlocked(place: InstallPlace, lock: Lock): readonly Difference[] {
  const { skills } = readManifest(place.manifest)
  const at = relative(place.root, place.manifest)
  const differ = (skill: string, kind: Difference['kind'], message: string): Difference => ({
    skill,
    kind,
    path: at,
    message,
  })
  return [
    ...Object.entries(skills).flatMap(([name, { source }]) => {
      const locked = lock[name]
      if (locked === undefined) return [differ(name, 'not-locked', `${name} is wanted and not in the lock`)]
      return locked.source === source
        ? []
        : [differ(name, 'other-source', `${name} is wanted from ${source} and locked from ${locked.source}`)]
    }),
    ...Object.keys(lock).flatMap(name =>
      skills[name] === undefined ? [differ(name, 'not-wanted', `${name} is locked and not wanted`)] : [],
    ),
  ]
}

/** How one skill, and what its agents get of it, differs from the lock. */
export function differencesOf(place: InstallPlace, name: string, locked: LockedSkill): readonly Difference[] {
  const folder = `${place.folder}/${name}`
  const own = isLinked(locked)
    ? linkDifference(place, name, folder, linkedFolder(place, locked))
    : folderDifferences(place, name, folder, locked.files)
  return [
    ...own,
    ...agentFolders(place, name, locked).flatMap(({ path, how }) =>
      how === 'copy' ? folderDifferences(place, name, path, locked.files) : linkDifference(place, name, path, folder),
    ),
  ]
}

export function isLinked({ digest }: Pick<LockedSkill, 'digest'>): boolean {
  return digest === ''
}

/** Where a skill that is linked really lies. */
export function linkedFolder({ root }: Pick<InstallPlace, 'root'>, { resolved, path }: LockedSkill): string {
  return resolve(root, resolved.type === 'folder' ? resolved.path : '', path).replaceAll('\\', '/')
}

/** What agents get besides the one copy. */
export function agentFolders(
  place: InstallPlace,
  name: string,
  { agents }: Pick<LockedSkill, 'agents'>,
): readonly { readonly path: string; readonly how: 'link' | 'copy' }[] {
  const seen = new Map<string, 'link' | 'copy'>()
  for (const text of Object.values(agents)) {
    const [how, folder = ''] = text.split(/ (.*)/s)
    // Where that folder is a link to the one folder, the agent has it already.
    const isSame = realPathOf(`${place.base}/${folder}`) === (realPathOf(place.folder) ?? '')
    if (!isSame && (how === 'link' || how === 'copy')) seen.set(`${place.base}/${folder}/${name}`, how)
  }
  return Array.from(seen, ([path, how]) => ({ path, how }))
}

/** The text of a link, relative where both lie in one place. */
export function linkText(path: string, target: string): string {
  return relative(path.slice(0, path.lastIndexOf('/')), target).replaceAll('\\', '/')
}

function linkDifference(place: InstallPlace, skill: string, path: string, target: string): readonly Difference[] {
  const at = relative(place.root, path)
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return [{ skill, kind: 'missing', path: at, message: `${at} is missing` }]
  const isRight = stats.isSymbolicLink() && readlinkSync(path) === linkText(path, target)
  return isRight
    ? []
    : [{ skill, kind: 'link', path: at, message: `${at} is no link to ${relative(place.root, target)}` }]
}

/** How a folder differs from what the lock says of its files. */
export function folderDifferences(
  place: InstallPlace,
  skill: string,
  folder: string,
  files: Readonly<Record<string, FileEntry>>,
): readonly Difference[] {
  const at = relative(place.root, folder)
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  if (stats === undefined) return [{ skill, kind: 'missing', path: at, message: `${at} is missing` }]
  if (!stats.isDirectory()) return [{ skill, kind: 'changed', path: at, message: `${at} is no folder` }]
  const found: Difference[] = []
  const seen = new Set<string>()
  look('')
  for (const path of Object.keys(files))
    if (!seen.has(path))
      found.push({ skill, kind: 'missing', path: `${at}/${path}`, message: `${at}/${path} is missing` })
  return found

  function look(below: string): void {
    for (const entry of readdirSync(`${folder}/${below}`, { withFileTypes: true })) {
      const path = `${below}${entry.name}`
      const expected = files[path]
      const say = (kind: Difference['kind'], what: string): void =>
        void found.push({ skill, kind, path: `${at}/${path}`, message: `${at}/${path} ${what}` })
      if (entry.isDirectory()) {
        if (Object.keys(files).some(file => file.startsWith(`${path}/`))) look(`${path}/`)
        else say('added', 'is not in the lock')
        continue
      }
      seen.add(path)
      if (expected === undefined) say('added', 'is not in the lock')
      else if (!entry.isFile()) say('changed', 'is no file')
      else if (digestAt(`${folder}/${path}`) !== expected.slice(0, 64)) say('changed', 'has other bytes')
      else if (process.platform !== 'win32' && isProgram(`${folder}/${path}`) !== expected.endsWith(' x'))
        say('changed', expected.endsWith(' x') ? 'is no program any more' : 'is a program now')
    }
  }
}

function isProgram(path: string): boolean {
  return (lstatSync(path).mode & 0o100) !== 0
}

/** Undefined for what cannot be read: it is not what the lock says. */
function digestAt(path: string): string | undefined {
  const read = readWholeFileSync(path, { maxBytes: largeLimits.bytes })
  return read === undefined || 'problem' in read ? undefined : sha256(read.bytes)
}
