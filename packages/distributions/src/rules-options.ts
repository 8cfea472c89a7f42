import { checkOptions, SkillsError } from '@skills/core'
import type { PermissionRulesOptions } from '@skills/permission-rules'

/**
 * A host's rules join those of the distribution: one that denies a skill does not take away what the others are
 * allowed.
 */
export function rulesOver(
  own: Partial<PermissionRulesOptions>,
  given: Partial<PermissionRulesOptions>,
): PermissionRulesOptions {
  // What forbids is not to be missing until the first invocation says so.
  checkOptions<PermissionRulesOptions>('rules', given, {
    allow: 1,
    alternatives: 1,
    ask: 1,
    asterisks: 1,
    deny: 1,
    fileTools: 1,
    files: 1,
    prefix: 1,
    projectAllows: 1,
    safe: 1,
    suggest: 1,
    unreadable: 1,
    wildcards: 1,
  })
  const both = (behavior: 'allow' | 'ask' | 'deny') => {
    const list = given[behavior] ?? []
    if (Array.isArray(list)) return [...list, ...(own[behavior] ?? [])]
    throw new SkillsError('E_INVALID_OPTION', `rules.${behavior} is ${JSON.stringify(list)}.`, {
      hint: 'Give a list of rules.',
    })
  }
  return { ...own, ...given, allow: both('allow'), ask: both('ask'), deny: both('deny') }
}
