import { permissionRules, type PermissionRules, type PermissionRulesOptions } from '@skills/permission-rules'
import { managedSettingsFiles, settingsFiles } from './settings-files.js'
import type { Host } from '@skills/core'
import type { PermissionHost } from './find-settings.js'

export { unreadableRules } from '@skills/permission-rules'
export { settingsFiles } from './settings-files.js'

/**
 * Makes the permission rules of the standard distribution, for a host that adds and saves rules: `standard({ permission
 * })`. Throws `E_STATE` without a home folder. See docs/reference/distributions.md, "The standard distribution".
 * @param options further rules, or other settings files
 * @param dirs folders of the machine's administrator; default: the platform's own
 */
export function standardPermissions(
  host: PermissionHost & Pick<Host, 'platform'>,
  options: PermissionRulesOptions = {},
  dirs?: readonly string[],
): PermissionRules {
  return permissionRules({ files: [...managedSettingsFiles(host, dirs), ...settingsFiles(host)], ...options })
}
