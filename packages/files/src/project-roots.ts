import { existsSync, statSync } from 'node:fs'
import { ioProblem } from './problem.js'
import { isInside } from '@skills/store'
import { realPathOf, statOf } from './real-path.js'
import { plainFolder } from './slashes.js'
import type { Diagnostic, Host } from '@skills/core'

/** Folders whose skills belong to a project, nearest first. */
export interface ProjectFolders {
  /** Working folder and its parents, nearest first; absolute, with forward slashes. */
  readonly folders: readonly string[]
  /** Folder that links must stay in: the repository's, or without one the outermost. */
  readonly top: string
  readonly diagnostics: readonly Diagnostic[]
  /** Parents that are left out because of their owner. */
  readonly skipped: readonly string[]
}

/** Limit up to which the folders of a project go. */
export type ProjectReach = 'repository' | 'repository-or-all' | 'root' | 'home' | 'working-folder'

/**
 * Finds the folders of the project that contains `host.cwd`. The folders go up to the repository root. Without a
 * repository, they go up to the home folder, which is not included. Outside of a repository and of the home folder, the
 * working folder is the only one.
 *
 * Skips a parent that belongs to neither the user nor root, or that all users share, such as `/tmp`: skills could be
 * planted there. A `.git` in a skipped parent does not make a repository. See docs/reference/folders.md, "Project
 * folders".
 * @param reach `repository-or-all` goes up through all parents if there is no repository, while links must stay in the
 *   working folder; `root` is the root of the repository alone, or else the working folder; `home` goes up to the home
 *   folder, past any repository; `working-folder` does not go up
 */
export function findProjectFolders(
  host: Pick<Host, 'cwd' | 'home' | 'uid'>,
  reach: ProjectReach = 'repository',
): ProjectFolders {
  const diagnostics: Diagnostic[] = []
  const cwd = workingFolder(plainFolder(host.cwd), diagnostics)
  const chain = [cwd, ...parentsOf(cwd)]
  const isOwn = (folder: string): boolean => folder === cwd || isTrusted(folder, host.uid)
  const holdsGit = (folder: string): boolean => existsSync(`${folder}/.git`)
  const repository = chain.find(folder => holdsGit(folder) && isOwn(folder))
  // The working folder usually has its links resolved, the home folder is as configured.
  const homes = host.home === '' ? [] : [plainFolder(host.home), ...realFolders([host.home])]
  const home = homes.find(folder => isInside(cwd, folder))
  let searched = [cwd]
  const isByRepository = reach === 'repository' || reach === 'repository-or-all' || reach === 'root'
  if (reach === 'root') searched = [repository ?? cwd]
  else if (isByRepository && repository !== undefined) searched = chain.slice(0, chain.indexOf(repository) + 1)
  else if (reach === 'repository-or-all') searched = chain.filter(folder => !homes.includes(folder))
  else if (reach !== 'working-folder' && home !== undefined && cwd !== home)
    searched = chain.slice(0, chain.indexOf(home))

  const folders = searched.filter(isOwn)
  // Repository that seems to contain the working folder, but is not trusted.
  const seeming = isByRepository && repository !== cwd ? (chain.find(holdsGit) ?? cwd) : cwd
  const skipped = [...new Set([...searched, seeming])].filter(folder => !isOwn(folder))
  diagnostics.push(
    ...skipped.map((folder): Diagnostic => ({
      severity: 'warning',
      type: 'traversal',
      code: 'foreign-parent',
      path: folder,
      message: `${folder} belongs to another user or is open to all users, so its skills, rules and configuration are ignored.`,
      hint: 'Work in a folder of your own, or name that folder as an additional one.',
    })),
  )
  const top = reach === 'repository-or-all' && repository === undefined ? cwd : (folders.at(-1) ?? cwd)
  return { folders, top, diagnostics, skipped }
}

/**
 * Returns folders of the main checkout of a git worktree; none for any other folder.
 * @param top root of the worktree
 * @param names of the folders, relative to the root
 */
export async function foldersOfMain(top: string, names: readonly string[]): Promise<readonly string[]> {
  if (statOf(`${top}/.git`)?.isFile() !== true) return []
  const main = (await import('./main-checkout.js')).mainCheckoutOf(top)
  return main === undefined ? [] : names.map(name => `${main}/${name}`)
}

/** Returns a usable folder if the working folder is a file, or has been deleted meanwhile. */
function workingFolder(cwd: string, diagnostics: Diagnostic[]): string {
  try {
    const stats = statSync(cwd, { throwIfNoEntry: false })
    if (stats?.isDirectory() === true) return cwd
    if (stats !== undefined) return cwd.slice(0, cwd.lastIndexOf('/')) || '/'
    diagnostics.push({
      severity: 'warning',
      type: 'io',
      code: 'no-working-folder',
      path: cwd,
      message: `The working folder ${cwd} does not exist.`,
      hint: 'Change to a folder that exists.',
    })
  } catch (error) {
    diagnostics.push(ioProblem('The working folder', cwd, error))
  }
  return cwd
}

function parentsOf(folder: string): readonly string[] {
  const parents: string[] = []
  for (let at = folder.lastIndexOf('/'); at >= 0; at = folder.lastIndexOf('/', at - 1)) {
    const parent = at === 0 ? '/' : folder.slice(0, at)
    if (parent !== folder) parents.push(parent)
    if (at === 0) break
  }
  return parents
}

/** Returns true if only the user and root can write there. */
function isTrusted(folder: string, uid: number | undefined): boolean {
  if (uid === undefined) return true
  const stats = statOf(folder)
  // A folder like the system's temporary one belongs to root, but everyone can write to it.
  const isShared = stats !== undefined && (stats.mode & 0o1002) === 0o1002
  return !isShared && (stats?.uid === uid || stats?.uid === 0)
}

/** Returns the real paths of the folders that exist. A project's links must stay in these folders. */
export function realFolders(folders: readonly string[]): readonly string[] {
  const real = new Set<string>()
  for (const folder of folders) {
    try {
      const path = realPathOf(folder)
      if (path !== undefined) real.add(path)
    } catch {
      // No link can lead to a folder that cannot be resolved; reading it reports why.
      continue
    }
  }
  return [...real]
}
