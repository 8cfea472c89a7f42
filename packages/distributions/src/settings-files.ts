import { createHash } from 'node:crypto'
import { plainFolder, realPathOf } from '@skills/files/internal'
import { findProjectFolders } from '@skills/files'
import { stateFolderOf } from '@skills/state'
import { userSettings, type PermissionHost } from './find-settings.js'
import { projectSettings } from './project-settings.js'
import { managedDirs, policyName } from '@skills/source-managed'
import type { Host } from '@skills/core'
import type { SettingsFile } from '@skills/permission-rules/internal'

/**
 * Returns the settings files: the file with this user's answers for this project, which is stored outside of the
 * project; those of the project, see {@link projectSettings}; and the user's own. A repository can bring along the files
 * of the project. Throws `E_STATE` without a home folder.
 */
export function settingsFiles(host: PermissionHost): readonly SettingsFile[] {
  const { top } = findProjectFolders(host)
  const name = createHash('sha256')
    .update(realPathOf(top) ?? top)
    .digest('hex')
    .slice(0, 16)
  return [
    { source: 'localSettings', path: `${stateFolderOf(host)}/permissions/${name}.json`, top },
    ...projectSettings(host).map(file => ({ ...file, isProject: true })),
    { source: 'userSettings', path: userSettings(host) ?? `${host.home}/.claude/settings.json` },
  ]
}

/**
 * Returns the administrator's settings files, highest first. What they deny or ask about counts. What they allow
 * counts only if their own folder is trusted, as it is with `trust: { all: true }`: only the program itself knows whether
 * it runs on a machine of theirs.
 * @param dirs folders of the machine's administrator; default: the platform's own
 */
export function managedSettingsFiles(
  { platform }: Pick<Host, 'platform'>,
  dirs: readonly string[] = managedDirs(platform),
): readonly SettingsFile[] {
  return dirs.map((dir, at) => ({
    source: at === 0 ? 'managedSettings' : `managedSettings ${at + 1}`,
    path: `${plainFolder(dir)}/${policyName}`,
    isProject: true,
    asks: true,
  }))
}
