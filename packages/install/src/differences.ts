import { lstatSync, readdirSync, readlinkSync } from 'node:fs'
import { basename, dirname, relative, resolve } from 'node:path'
import { readWholeFileSync } from '@skills/files'
import { realPathOf } from '@skills/files/internal'
import { isFolderLink } from '@skills/state/internal'
import { masked } from './error.js'
import { readManifest, type Lock, type LockedSkill } from './lock.js'
import { sha256 } from './content-cache.js'
import { largeLimits, ownOf } from './skill-files.js'
import type { InstallPlace } from './place.js'

/** Difference between the disk and the lock, between the lock and the wanted skills, or from what an agent finds. */
export interface Difference {
  readonly skill: string
  readonly kind: 'missing' | 'changed' | 'added' | 'not-locked' | 'not-wanted' | 'other-source' | 'link' | 'unseen'
  /** Relative to the root of the place. */
  readonly path: string
  /** One sentence without its full stop. */
  readonly message: string
}

/** Returns the differences between the wanted skills and the lock. */
export function unlocked({ root, manifest }: InstallPlace, lock: Lock): readonly Difference[] {
  const { skills } = readManifest(manifest)
  const path = relative(root, manifest)
  return Object.keys({ ...skills, ...lock }).flatMap((skill): readonly Difference[] => {
    const [wanted, locked] = [ownOf(skills, skill), ownOf(lock, skill)]
    if (locked === undefined)
      return [{ skill, kind: 'not-locked', path, message: `${skill} is in skills.json and not in the lock` }]
    if (wanted === undefined)
      return [{ skill, kind: 'not-wanted', path, message: `${skill} is in the lock and not in skills.json` }]
    if (wanted.source === locked.source) return []
    const message = `${skill} comes from ${masked(wanted.source)} in skills.json, and from ${locked.source} in the lock`
    return [{ skill, kind: 'other-source', path, message }]
  })
}

/** Place of a skill on the disk: a copy of its files, or a link. */
export interface Spot {
  readonly path: string
  /** Target of the link, absolute; undefined for a copy. */
  readonly target?: string | undefined
}

export function isLinked({ digest }: Pick<LockedSkill, 'digest'>): boolean {
  return digest === ''
}

/** Returns all places of a skill: its place in the common folder first, then its places for agents. */
export function spotsOf(place: InstallPlace, name: string, locked: LockedSkill): readonly Spot[] {
  const own = `${place.folder}/${name}`
  const spots = new Map<string, Spot>()
  for (const text of Object.values(locked.agents)) {
    const [how, folder = ''] = text.split(/ (.*)/s)
    const path = `${place.base}/${folder}/${name}`
    // If that folder is a link to the common folder, the agent has the skill already.
    const isSame = how === 'same' || realPathOf(dirname(path)) === (realPathOf(place.folder) ?? '')
    if (!isSame) spots.set(path, { path, target: how === 'link' ? own : undefined })
  }
  const { resolved, path } = locked
  const linked = (): string =>
    resolve(place.root, resolved.type === 'folder' ? resolved.path : '', path).replaceAll('\\', '/')
  return [{ path: own, target: isLinked(locked) ? linked() : undefined }, ...spots.values()]
}

/**
 * Returns the text of a link: the path of its target, relative to the folder of the link. Both are without links on the
 * way, because the system follows the link from the folder in which it really is.
 */
export function linkText(path: string, target: string): string {
  return relative(realPlaceOf(dirname(path)), `${realPlaceOf(dirname(target))}/${basename(target)}`).replaceAll(
    '\\',
    '/',
  )
}

/** Returns the real path of a folder that may not exist yet. */
function realPlaceOf(path: string): string {
  const real = realPathOf(path)
  if (real !== undefined || dirname(path) === path) return real ?? path
  return `${realPlaceOf(dirname(path))}/${basename(path)}`
}

/** Returns the differences between the lock and one skill, including its places for agents. */
export function differencesOf(place: InstallPlace, name: string, locked: LockedSkill): readonly Difference[] {
  return spotsOf(place, name, locked).flatMap(spot => spotDifferences(place, name, spot, locked.files))
}

/** Returns the differences between the lock's files and one place of a skill. */
export function spotDifferences(
  { root }: Pick<InstallPlace, 'root'>,
  skill: string,
  { path: folder, target }: Spot,
  files: LockedSkill['files'],
): readonly Difference[] {
  const found: Difference[] = []
  const at = relative(root, folder)
  const say = (kind: Difference['kind'], what: string, path = at): void =>
    void found.push({ skill, kind, path, message: `${path} ${what}` })
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  if (stats === undefined) say('missing', 'is missing')
  else if (target !== undefined) {
    const isLink = stats.isSymbolicLink()
    if (!isLink || !isFolderLink(folder, readlinkSync(folder), linkText(folder, target)))
      say(isLink ? 'link' : 'changed', `is not a link to ${relative(root, target)}`)
  } else if (!stats.isDirectory()) say('changed', 'is not a folder')
  else {
    const left = new Set(Object.keys(files))
    look('', left, foldersOf(left))
    for (const path of left) say('missing', 'is missing', `${at}/${path}`)
  }
  return found

  function look(below: string, left: Set<string>, folders: ReadonlySet<string>): void {
    for (const entry of readdirSync(`${folder}/${below}`, { withFileTypes: true })) {
      const path = `${below}${entry.name}`
      const full = `${folder}/${path}`
      const expected = ownOf(files, path)
      if (entry.isDirectory() && folders.has(path)) {
        look(`${path}/`, left, folders)
        continue
      }
      left.delete(path)
      const shouldRun = expected?.endsWith(' x') === true
      if (expected === undefined) say('added', 'is not in the lock', `${at}/${path}`)
      else if (!entry.isFile()) say('changed', 'is not a file', `${at}/${path}`)
      else {
        const { digest, isProgram } = contentAt(full)
        if (digest !== expected.slice(0, 64)) say('changed', 'has other content', `${at}/${path}`)
        else if (process.platform !== 'win32' && isProgram !== shouldRun)
          say('changed', shouldRun ? 'is no longer executable' : 'is executable now', `${at}/${path}`)
      }
    }
  }
}

/** Returns every folder that contains one of the files, at any depth. */
function foldersOf(files: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>()
  for (const file of files)
    for (let at = file.lastIndexOf('/'); at > 0; at = file.lastIndexOf('/', at - 1)) {
      const folder = file.slice(0, at)
      // The folders above it were added with it.
      if (folders.has(folder)) break
      folders.add(folder)
    }
  return folders
}

/** Returns no digest for a file that cannot be read, so that it counts as different. */
function contentAt(path: string): { readonly digest?: string; readonly isProgram?: boolean } {
  const read = readWholeFileSync(path, { maxBytes: largeLimits.bytes })
  if (read === undefined || 'problem' in read) return {}
  return { digest: sha256(read.bytes), isProgram: ((read.stats.mode ?? 0) & 0o100) !== 0 }
}
