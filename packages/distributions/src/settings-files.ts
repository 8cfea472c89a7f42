import { createHash } from 'node:crypto'
import { realPathOf } from '@skills/files/internal'
import { settingsPlaces, type PermissionHost } from './find-settings.js'
import type { SettingsFile } from '@skills/permission-rules/internal'

/**
 * Returns the settings files: the file with this user's answers for this project, which is stored outside of the
 * project; the project's own; and the user's own.
 */
export function settingsFiles(host: PermissionHost): readonly SettingsFile[] {
  const { top, local, project, user } = settingsPlaces(host)
  const name = createHash('sha256')
    .update(realPathOf(top) ?? top)
    .digest('hex')
    .slice(0, 16)
  return [
    { source: 'localSettings', path: `${local}/${name}.json`, top },
    { source: 'projectSettings', path: project, isProject: true, top },
    { source: 'userSettings', path: user },
  ]
}
