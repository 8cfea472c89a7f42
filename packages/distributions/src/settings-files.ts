import { createHash } from 'node:crypto'
import { realPathOf } from '@skills/files/internal'
import { settingsPlaces, type PermissionHost } from './find-settings.js'
import type { SettingsFile } from '@skills/permission-rules/internal'

/**
 * The user's settings, those that a project brings along, and what this user said for this project, which lies outside
 * of it.
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
