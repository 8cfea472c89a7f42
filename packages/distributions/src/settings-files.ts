import { createHash } from 'node:crypto'
import { realPathOf } from '@skills/files/internal'
import { settingsPlaces, type PermissionHost } from './find-settings.js'
import type { SettingsFile } from '@skills/permission-rules/internal'

/**
 * Returns the settings files: this user's answers for this project, which are stored outside of it; the project's; and
 * the user's.
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
