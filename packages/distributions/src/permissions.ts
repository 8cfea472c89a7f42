import { permissionRules, type PermissionRules, type PermissionRulesOptions } from '@skills/permission-rules'
import { settingsFiles } from './settings-files.js'
import type { PermissionHost } from './find-settings.js'

export { unreadableRules } from '@skills/permission-rules'
export { settingsFiles } from './settings-files.js'

/**
 * Makes the permission rules of the standard distribution, for a host that adds and saves rules: `standard({ permission
 * })`. Throws `E_STATE` without a home folder. See docs/reference/distributions.md, "The standard distribution".
 * @param options further rules, or other settings files
 */
export function standardPermissions(host: PermissionHost, options: PermissionRulesOptions = {}): PermissionRules {
  return permissionRules({ files: settingsFiles(host), ...options })
}
