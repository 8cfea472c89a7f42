import { permissionRulesOptions, type PermissionRulesOptions } from '@skills/permission-rules/options'

/**
 * Joins a host's rules with those of the distribution, so that a deny rule of a host does not remove the distribution's
 * allow rules. Throws `E_INVALID_OPTION` for an unknown option and for one of a wrong type.
 */
export function rulesOver(
  own: Partial<PermissionRulesOptions>,
  given: Partial<PermissionRulesOptions>,
): PermissionRulesOptions {
  // Checked now: a faulty deny rule must not stay unnoticed until the first invocation.
  permissionRulesOptions.read(given, 'rules')
  const both = (behavior: 'allow' | 'ask' | 'deny') => [...(given[behavior] ?? []), ...(own[behavior] ?? [])]
  return { ...own, ...given, allow: both('allow'), ask: both('ask'), deny: both('deny') }
}
