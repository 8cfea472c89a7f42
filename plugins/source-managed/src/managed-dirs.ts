import type { Host } from '@skills/core'

/** Name of the policy file in each managed folder. Other programs store their own settings in the same file. */
export const policyName = 'managed-settings.json'

/**
 * Returns the folders in which a machine's administrator puts settings for all users. They are fixed and do not depend
 * on the environment, because a user could change that to avoid the policy.
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
