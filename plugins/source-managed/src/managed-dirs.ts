import { statOf } from '@skills/files/internal'
import type { Host } from '@skills/core'

/** Name of the policy file in each managed folder. Other programs store their own settings in the same file. */
export const policyName = 'managed-settings.json'

/**
 * Returns the folders in which a machine's administrator puts settings for all users. The folders are fixed and do not
 * depend on the environment, because a user could change the environment to avoid the policy.
 */
export function managedDirs(platform: Host['platform']): readonly string[] {
  switch (platform) {
    case 'darwin':
      return ['/Library/Application Support/ClaudeCode']
    case 'win32':
      return ['C:/Program Files/ClaudeCode']
    default:
      return ['/etc/claude-code']
  }
}

/** Rules that distinguish an administrator's files from those that others may change. */
export interface Ownership {
  /** User id that such files may have besides that of root. */
  readonly owner: number
  /** False on Windows, where the mode of a file says nothing about its permissions. */
  readonly isChecked: boolean
}

export function ownershipOn(platform: Host['platform'], owner = 0): Ownership {
  return { owner, isChecked: platform !== 'win32' }
}

/**
 * Returns who besides an administrator may change the target of a path, as the end of a sentence. Undefined if no one
 * else may change it, or if it does not exist. A sticky bit does not help: it prevents others from removing a skill,
 * but not from adding one.
 */
export function exposureOf(path: string, ownership: Ownership): string | undefined {
  const stats = ownership.isChecked ? statOf(path) : undefined
  return stats === undefined ? undefined : exposureBy(stats, ownership)
}

/** Returns who besides an administrator may change a file with these stats, as {@link exposureOf} does for a path. */
export function exposureBy(
  { uid = 0, gid = 0, mode = 0 }: { readonly [N in 'uid' | 'gid' | 'mode']?: number | undefined },
  { owner, isChecked }: Ownership,
): string | undefined {
  if (!isChecked) return undefined
  if (uid !== 0 && uid !== owner) return `belongs to the user with the id ${uid}`
  if ((mode & 0o002) !== 0) return 'may be written to by everybody'
  return (mode & 0o020) !== 0 && gid !== 0 ? `may be written to by the group with the id ${gid}` : undefined
}
