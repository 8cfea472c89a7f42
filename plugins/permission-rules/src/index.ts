import { permissionRulesOptions, type PermissionRulesOptions } from './options.js'
import { RuleBook, type GivenRules, type RuleUpdate } from './rule-book.js'
import { type CatalogEntry, type Diagnostic, type Provider } from '@skills/core'
import type { RuleSuggestion } from '@skills/rules'
import type { Rule } from '@skills/rules/internal'

export { allowAll } from './allow-all.js'
export type { PermissionRulesOptions } from './options.js'

/** Permission provider whose rules the host can change. */
export interface PermissionRules extends Provider<'permission', 'trust' | 'executor'> {
  /**
   * Adds rules from now on. If one is refused, none is added.
   * @param bind command that the rules were accepted for: rules that allow are bound to its source, `Skill(deploy)`
   * becoming `Skill(user:deploy)`
   * @throws SkillsError `E_INVALID_OPTION` for an invalid rule, or a destination that no settings file has
   */
  addRules(update: RuleUpdate | RuleSuggestion, bind?: CatalogEntry): void
  /** Removes rules that were added or that the destination has. */
  removeRules(update: RuleUpdate): void
  /** Returns all rules. Settings files are read again if they changed. */
  listRules(options?: { readonly signal?: AbortSignal | undefined }): Promise<readonly Rule[]>
  /**
   * Writes the changes for a destination into its settings file, and keeps everything else in it.
   * @throws SkillsError `E_STATE` if the file cannot be written; the changes still hold, and can be saved again.
   * `E_INVALID_OPTION` for a destination that no file has
   */
  save(destination: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<void>
}

/**
 * Makes the permission provider `rules`. The provider decides by rules of the host, of settings files and of the
 * session. The same object adds and saves rules while the engine runs. An invalid rule is reported, and a person is
 * asked about everything that the rule may have meant to forbid. See docs/reference/permissions.md, "Permissions".
 *
 *     const files = [{ path: `${home}/.claude/settings.json`, source: 'userSettings' }]
 *     const permission = permissionRules({ deny: ['Skill(release)'], files })
 *     const skills = createSkills({ plugins: [permission, …], onDiagnostic })
 *
 * @throws SkillsError `E_INVALID_OPTION` for settings files that share a name or have a relative path
 */
export function permissionRules(given?: PermissionRulesOptions): PermissionRules {
  const options = permissionRulesOptions.read(given)
  const { prefix, safe, projectAllows, wildcards, sourceNames, suggest: suggestions } = options
  const book = new RuleBook(options)
  return {
    kind: 'permission',
    id: 'rules',
    needs: ['trust'],
    wants: ['executor'],
    async setup(context) {
      book.clock = context.host.clock
      // Imported at first use: listing skills does not need it.
      const { Judge, explainDecision, WildcardRules } = await import('./judge.js')
      const judge = new Judge(
        {
          book,
          wildcards: new WildcardRules(wildcards),
          prefix,
          safe,
          projectAllows,
          fileTools: options.fileTools,
          asterisks: options.asterisks,
          alternatives: options.alternatives,
          suggestions,
          ...(sourceNames === 'saved' && {
            plainIn: new Set(
              options.files?.map(({ source }) => source).filter(source => source !== suggestions.destination),
            ),
          }),
        },
        context,
      )
      return {
        check: (request, call) => judge.check(request, call),
        denied: (entries, call) => judge.denied(entries, call),
        explain: explainDecision(judge, context),
      }
    },
    addRules: (update, bind) => book.addRules(update, bind),
    removeRules: update => book.removeRules(update),
    async listRules(asked) {
      const { WildcardRules } = await import('./judge.js')
      return [...(await book.listRules(asked)), ...new WildcardRules(wildcards).rules]
    },
    save: (to, asked) => book.save(to, asked),
  }
}

/**
 * Returns the errors because of which rules could not be read or understood. An error of a settings file has its place,
 * and an error of a given rule its source. As long as there is such an error, `permissionRules()` asks about everything
 * that the rule may have meant to forbid.
 */
export async function unreadableRules(given: GivenRules): Promise<readonly Omit<Diagnostic, 'provider'>[]> {
  const { problems } = await new RuleBook(given).current()
  return problems.filter(({ severity }) => severity === 'error')
}
