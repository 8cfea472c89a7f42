import { createHash } from 'node:crypto'
import { plainFolder, realPathOf } from '@skills/files/internal'
import { settingsPlaces, type PermissionHost } from './find-settings.js'
import { managedDirs, policyName } from '@skills/source-managed'
import type { Host } from '@skills/core'
import type { SettingsFile } from '@skills/permission-rules/internal'

/**
 * Returns the settings files: the file with this user's answers for this project, which is stored outside of the
 * project; the two of the project; and the user's own. A repository can bring along both files of the project.
 */
export function settingsFiles(host: PermissionHost): readonly SettingsFile[] {
  const {
    top,
    local,
    project: [personal, shared],
    user,
  } = settingsPlaces(host)
  const name = createHash('sha256')
    .update(realPathOf(top) ?? top)
    .digest('hex')
    .slice(0, 16)
  return [
    { source: 'localSettings', path: `${local}/${name}.json`, top },
    { source: 'projectLocalSettings', path: personal, isProject: true, top },
    { source: 'projectSettings', path: shared, isProject: true, top },
    { source: 'userSettings', path: user },
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
