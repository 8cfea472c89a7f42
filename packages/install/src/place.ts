import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { findProjectFolders, isInside } from '@skills/files'
import { makePrivateFolder, stateFolderOf } from '@skills/state'
import type { Host } from '@skills/core'
import { InstallError } from './error.js'
import { sha256 } from './content-cache.js'

/** Where skills are installed, and what says which: all paths absolute, forward slashes. */
export interface InstallPlace {
  readonly scope: 'project' | 'user'
  /** What paths of `skills.json` are relative to. */
  readonly root: string
  readonly manifest: string
  readonly lock: string
  /** What folders of agents are relative to: the project, or the home folder. */
  readonly base: string
  /** The one copy of each skill. */
  readonly folder: string
  /** What `~` stands for in both files. */
  readonly home: string
}

/**
 * The place of a project, or of the user. A project's is the nearest folder at or above the working folder that has a
 * `skills.json`, up to the repository's root; without one, that root.
 */
export function installPlace(host: Pick<Host, 'cwd' | 'home' | 'uid'>, scope: 'project' | 'user'): InstallPlace {
  const { top } = scope === 'user' ? { top: host.home } : findProjectFolders(host)
  let base = top
  if (scope === 'project')
    for (let at = host.cwd; isInside(at, top) && base === top && at !== dirname(at); at = dirname(at))
      if (existsSync(`${at}/skills.json`)) base = at
  const root = scope === 'user' ? `${base}/.agents` : base
  const files = { manifest: `${root}/skills.json`, lock: `${root}/skills.lock.json` }
  return { scope, root, base, ...files, folder: `${base}/.agents/skills`, home: host.home }
}

/** Where the journal and the lock between processes of a place lie: in the user's own state, which no project writes. */
export function privateFiles(place: InstallPlace, host: Host): { readonly journal: string; readonly mutex: string } {
  const folder = `${stateFolderOf(host)}/install`
  makePrivateFolder(folder, process.geteuid?.())
  const name = sha256(realOf(place.root)).slice(0, 32)
  return { journal: `${folder}/${name}.journal`, mutex: `${folder}/${name}.lock` }
}

/**
 * Refuses a folder that a link leads out of the place, as a repository may bring one along: what is written there would
 * be written elsewhere.
 * @param folder absolute; it need not exist
 */
export function refuseLinkedFolder({ root, scope }: Pick<InstallPlace, 'root' | 'scope'>, folder: string): void {
  // A home folder is arranged by its user, and may well have links in it.
  if (scope === 'user') return
  const real = realOf(root)
  for (let at = folder; isInside(at, root) && at !== root; at = dirname(at)) {
    const stats = lstatSync(at, { throwIfNoEntry: false })
    if (stats === undefined) continue
    if (!stats.isDirectory() && !stats.isSymbolicLink())
      throw new InstallError('E_INSTALL_TAKEN', `${at} is not a folder.`, 'Move what is there.')
    if (stats.isSymbolicLink() && !(existsSync(at) && isInside(realOf(at), real)))
      throw new InstallError(
        'E_INSTALL_UNSAFE',
        `${at} is a link to ${readlinkSync(at)}, outside of ${root}, and nothing is written there.`,
        'Remove the link.',
      )
  }
}

function realOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : path
}
