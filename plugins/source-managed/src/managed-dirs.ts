import type { Host } from '@skills/core'

/** The name of the policy in each managed folder. Other programs keep their own settings in the same file. */
export const policyName = 'managed-settings.json'

/**
 * Where the administrator of a machine puts what holds for all its users. Fixed words and not the environment: a user
 * could change that, and with it the policy that is meant for them.
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
