import { resolve } from 'node:path'
import { findProjectFolders } from '@skills/files'
import { lstatOf } from '@skills/files/internal'
import { stateFolderOf } from '@skills/state'
import type { Host } from '@skills/core'

export type PermissionHost = Pick<Host, 'cwd' | 'home' | 'env' | 'platform' | 'uid'>

/** Names of the settings files in `.claude` of a project, highest first. */
export const projectSettingsNames = ['settings.local.json', 'settings.json'] as const

/** Returns the path of the user's settings file. Undefined without a home folder and without `CLAUDE_CONFIG_DIR`. */
export function userSettings({ cwd, home, env }: Pick<Host, 'cwd' | 'home' | 'env'>): string | undefined {
  const configured = env['CLAUDE_CONFIG_DIR'] ?? ''
  if (configured !== '') return `${resolve(cwd, configured)}/settings.json`
  return home === '' ? undefined : `${home}/.claude/settings.json`
}

/**
 * Returns the file in which Claude Code records the plugins that it has installed for the user, in
 * `$CLAUDE_CODE_PLUGIN_CACHE_DIR` if that is set. Empty without a home.
 */
export function installedRecord(host: Pick<Host, 'cwd' | 'home' | 'env'>): string {
  const { CLAUDE_CODE_PLUGIN_CACHE_DIR: named = '' } = host.env
  if (named !== '') return `${resolve(host.cwd, named.replace(/^~(?=$|[\\/])/, host.home))}/installed_plugins.json`
  return userSettings(host)?.replace(/[^/]*$/, 'plugins/installed_plugins.json') ?? ''
}

/** True if a settings file may exist that has permission rules. No file is read. */
export function hasSettings(host: PermissionHost): boolean {
  // Without a home folder there are no settings of the user.
  if (host.home === '') return false
  return (
    hasProjectSettings(host) ||
    [userSettings(host) ?? '', `${stateFolderOf(host)}/permissions`].some(path => lstatOf(path) !== undefined)
  )
}

/** True if a settings file of the project may exist. No file is read. */
export function hasProjectSettings(host: Pick<Host, 'cwd' | 'home' | 'uid'>): boolean {
  const { top } = findProjectFolders(host)
  return (
    // A worktree has the settings of its main checkout too.
    lstatOf(`${top}/.git`)?.isFile() === true ||
    [top, host.cwd].some(folder =>
      projectSettingsNames.some(name => lstatOf(`${folder}/.claude/${name}`) !== undefined),
    )
  )
}
