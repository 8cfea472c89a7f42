import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { findProjectFolders, realPathOf } from '@skills/fs'
import { permissionRules, type PermissionRules, type PermissionRulesOptions, type SettingsFile } from '@skills/permission-rules'
import { stateFolderOf } from '@skills/state'
import type { Host } from '@skills/core'

export { allowAll, formatRule, type PermissionRules, type PermissionRulesOptions, type Rule } from '@skills/permission-rules'

export type PermissionHost = Pick<Host, 'cwd' | 'home' | 'env' | 'platform' | 'uid'>

/**
 * The permission rules of the standard distribution, in hand, for a host that adds and saves rules: `standard({ permission })`.
 * Throws `E_STATE` without a home folder. See docs/reference.md, "The standard distribution".
 * @param options further rules, or other settings files
 */
export function standardPermissions(host: PermissionHost, options: PermissionRulesOptions = {}): PermissionRules {
  return permissionRules({ files: settingsFiles(host), ...options })
}

/** The user's settings, those that a project brings along, and what this user said for this project, which lies outside of it. */
export function settingsFiles(host: PermissionHost): readonly SettingsFile[] {
  const { top } = findProjectFolders(host)
  const project = createHash('sha256').update(realPathOf(top) ?? top).digest('hex').slice(0, 16)
  const configured = host.env['CLAUDE_CONFIG_DIR'] ?? ''
  const user = configured === '' ? `${host.home}/.claude` : resolve(host.cwd, configured)
  return [
    { source: 'localSettings', path: `${stateFolderOf(host)}/permissions/${project}.json` },
    { source: 'projectSettings', path: `${top}/.claude/settings.json`, isProject: true },
    { source: 'userSettings', path: `${user}/settings.json` },
  ]
}
