import { mostProjectRules, readRule, type SettingsFile } from './settings-files.js'
import { behaviors, readSettings } from './settings.js'
import type { Claim } from '@skills/invocation'
import type { Rule } from '@skills/rules/internal'

/** Makes the claim for a project's allow rule, for a person to agree to. */
export function claimOf({ text }: Pick<Rule, 'text'>, { path }: Pick<SettingsFile, 'path'>): Claim {
  return { kind: 'rule', label: text, path, text }
}

/**
 * Returns the claims of the allow rules in a project's settings file, each once, with its line. A file that cannot be
 * read, or that only restricts, has no claims.
 */
export function claimsOfSettings(file: SettingsFile): readonly (Claim & { readonly line?: number })[] {
  const settings = file.onlyRestricts === true ? undefined : readSettings(file.path)
  // A file with more rules counts as unreadable.
  if (
    settings === undefined ||
    'problem' in settings ||
    behaviors.reduce((sum, behavior) => sum + settings.lists[behavior].length, 0) > mostProjectRules
  )
    return []
  const { allow } = settings.lists
  return allow.flatMap((written, at) => {
    if (
      typeof written !== 'string' ||
      allow.indexOf(written) !== at ||
      readRule(written, 'allow', file.source).rules.length === 0
    )
      return []
    const line = settings.lines.of(['permissions', 'allow', at])
    return [{ ...claimOf({ text: written }, file), ...(line !== undefined && { line }) }]
  })
}
