import { createHash } from 'node:crypto'
import { realPathOf } from '@skills/files'
import {
  permissionRules,
  type PermissionRules,
  type PermissionRulesOptions,
  type SettingsFile,
} from '@skills/permission-rules'
import { settingsPlaces, type PermissionHost } from './find-settings.js'

export {
  allowAll,
  formatRule,
  unreadableRules,
  type GivenRules,
  type PermissionRules,
  type PermissionRulesOptions,
  type Rule,
} from '@skills/permission-rules'
export type { PermissionHost } from './find-settings.js'

/**
 * The permission rules of the standard distribution, in hand, for a host that adds and saves rules: `standard({
 * permission })`. Throws `E_STATE` without a home folder. See
 * docs/reference/distributions.md, "The standard distribution".
 * @param options further rules, or other settings files
 */
export function standardPermissions(host: PermissionHost, options: PermissionRulesOptions = {}): PermissionRules {
  return permissionRules({ files: settingsFiles(host), ...options })
}

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
