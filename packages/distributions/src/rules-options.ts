import { permissionRulesOptions, type PermissionRulesOptions } from '@skills/permission-rules/options'

/**
 * Joins a host's rules with those of the distribution: a host that denies a skill does not take away what the
 * distribution allows. Throws `E_INVALID_OPTION` for an option that there is not and for one of a wrong type.
 */
export function rulesOver(
  own: Partial<PermissionRulesOptions>,
  given: Partial<PermissionRulesOptions>,
): PermissionRulesOptions {
  // Checked at once: what forbids is not to be missing until the first invocation says so.
  permissionRulesOptions.read(given, 'rules')
  const both = (behavior: 'allow' | 'ask' | 'deny') => [...(given[behavior] ?? []), ...(own[behavior] ?? [])]
  return { ...own, ...given, allow: both('allow'), ask: both('ask'), deny: both('deny') }
}
