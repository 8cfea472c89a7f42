import { findProjectFolders } from '@skills/files'
import { mainCheckoutOf } from '@skills/files/internal'
import { projectSettingsNames } from './find-settings.js'
import type { Host } from '@skills/core'

// Apart from the search for settings files, which every start of a program needs.

/** Settings file of a project. A repository can bring it along. */
export interface ProjectSettings {
  readonly source: string
  readonly path: string
  /** Folder whose `.claude` has the file. */
  readonly top: string
  /** True if nothing that the file allows or switches on counts. */
  readonly onlyRestricts: boolean
}

/**
 * Returns the settings files of a project, highest first. Claude Code reads `settings.local.json` in the repository's
 * root and in the working folder, and `settings.json` in the working folder alone. In a worktree, the main checkout takes
 * the root's place. All other files of the root, of the topmost folder and of another checkout only restrict.
 */
export function projectSettings(host: Pick<Host, 'cwd' | 'home' | 'uid'>): readonly ProjectSettings[] {
  const {
    top,
    folders: [cwd = top],
  } = findProjectFolders(host)
  const { top: root } = findProjectFolders(host, 'root')
  const main = mainCheckoutOf(root) ?? root
  const [personal, shared] = projectSettingsNames
  const places = [
    ['projectLocalSettings', main, personal, main !== root],
    ['folderLocalSettings', cwd, personal, false],
    ['projectSettings', cwd, shared, false],
    ['topLocalSettings', top, personal, true],
    ['topSettings', top, shared, true],
  ] as const
  const files = places.map(([source, folder, name, onlyRestricts]) => ({
    source,
    path: `${folder}/.claude/${name}`,
    top: folder,
    onlyRestricts,
  }))
  return files.filter(({ path }, at) => files.findIndex(one => one.path === path) === at)
}
