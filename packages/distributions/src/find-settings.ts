import { resolve } from 'node:path'
import { findProjectFolders, lstatOf } from '@skills/files'
import { stateFolderOf } from '@skills/state'
import type { Host } from '@skills/core'

export type PermissionHost = Pick<Host, 'cwd' | 'home' | 'env' | 'platform' | 'uid'>

/**
 * Where permission rules may stand: a folder with a file for each project, and two files. Throws `E_STATE` without a
 * home folder.
 */
export function settingsPlaces(host: PermissionHost): {
  readonly top: string
  readonly local: string
  readonly project: string
  readonly user: string
} {
  const { top } = findProjectFolders(host)
  const configured = host.env['CLAUDE_CONFIG_DIR'] ?? ''
  const user = configured === '' ? `${host.home}/.claude` : resolve(host.cwd, configured)
  return {
    top,
    local: `${stateFolderOf(host)}/permissions`,
    project: `${top}/.claude/settings.json`,
    user: `${user}/settings.json`,
  }
}

/** Whether there is any settings file that may have permission rules. Nothing of them is read. */
export function hasSettings(host: PermissionHost): boolean {
  // Without a home folder there is nothing that the user could have said.
  if (host.home === '') return false
  const { local, project, user } = settingsPlaces(host)
  return [user, project, local].some(path => lstatOf(path) !== undefined)
}
