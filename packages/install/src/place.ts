import { existsSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { findProjectFolders } from '@skills/files'
import { isInside } from '@skills/files/internal'
import { makePrivateFolder, stateFolderOf } from '@skills/state'
import type { Host } from '@skills/core'
import { sha256 } from './content-cache.js'

/** Place where skills are installed, with its files. All paths are absolute, with forward slashes. */
export interface InstallPlace {
  readonly scope: 'project' | 'user'
  /** Root of the repository, or the home folder. In a project, no link below it is followed. */
  readonly top: string
  /** Folder that paths in `skills.json` are relative to. */
  readonly root: string
  readonly manifest: string
  readonly lock: string
  /** Folder that agents' folders are relative to: the project, or the home folder. */
  readonly base: string
  /** Common folder with the one copy of each skill. */
  readonly folder: string
  /** Folder that `~` stands for in both files. */
  readonly home: string
}

/**
 * Returns the place of a project, or of the user. A project's is the nearest folder at or above the working folder that
 * has a `skills.json`, up to the repository's root; without one, that root.
 */
export function installPlace(host: Pick<Host, 'cwd' | 'home' | 'uid'>, scope: 'project' | 'user'): InstallPlace {
  const { top } = scope === 'user' ? { top: host.home } : findProjectFolders(host)
  let base = top
  if (scope === 'project')
    for (let at = host.cwd; isInside(at, top) && base === top && at !== dirname(at); at = dirname(at))
      if (existsSync(`${at}/skills.json`)) base = at
  const root = scope === 'user' ? `${base}/.agents` : base
  const files = { manifest: `${root}/skills.json`, lock: `${root}/skills.lock.json` }
  return { scope, top, root, base, ...files, folder: `${base}/.agents/skills`, home: host.home }
}

/** Returns the files for the journal and the lock of a place, in the user's own state, which a project cannot write. */
export function privateFiles(place: InstallPlace, host: Host): PrivateFiles {
  const folder = `${stateFolderOf(host)}/install`
  makePrivateFolder(folder, process.geteuid?.())
  const name = sha256(realOf(place.root)).slice(0, 32)
  return { folder, journal: `${name}.journal`, record: `${name}.json`, mutex: `${folder}/${name}.lock` }
}

/** Names of files in `folder`; `mutex` is a path. */
export interface PrivateFiles {
  readonly folder: string
  readonly journal: string
  readonly record: string
  readonly mutex: string
}

function realOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : path
}
