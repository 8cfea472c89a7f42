import { permissionRulesOptions, type PermissionRulesOptions } from './options.js'
import { RuleBook, type GivenRules, type RuleUpdate } from './rule-book.js'
import { type CatalogEntry, type Diagnostic, type Provider } from '@skills/core'
import type { RuleSuggestion } from '@skills/rules'
import type { Rule } from '@skills/rules/internal'

export { allowAll } from './allow-all.js'
export type { PermissionRulesOptions } from './options.js'

/** The permission provider, with its rules in hand. */
export interface PermissionRules extends Provider<'permission', 'trust'> {
  /**
   * Adds rules from now on. Throws `E_INVALID_OPTION` for a rule that does not parse or a destination that no settings
   * file has, and then adds none of them.
   * @param bind the command they were accepted for: what they allow is bound to its source, `Skill(deploy)` becoming
   *   `Skill(user:deploy)`
   */
  addRules(update: RuleUpdate | RuleSuggestion, bind?: CatalogEntry): void
  /** Takes rules away that were added or that the destination has. */
  removeRules(update: RuleUpdate): void
  /** Every rule there is; settings files are read again when they changed. */
  listRules(options?: { readonly signal?: AbortSignal | undefined }): Promise<readonly Rule[]>
  /**
   * Writes the changes for a destination into its settings file, which keeps everything else. Throws `E_STATE` when
   * that cannot be done; the changes hold all the same and can be saved again. Throws `E_INVALID_OPTION` for a
   * destination that no file has.
   */
  save(destination: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<void>
}

/**
 * The permission provider `rules`: who may invoke what, by rules of the host, of settings files and of the session. It
 * is a plugin, and what adds and saves rules while the engine runs. Throws `E_INVALID_OPTION` for settings files that
 * share a name or have a relative path; a rule that does not parse is reported instead, and what it may forbid is asked
 * about. See docs/reference/permissions.md, "Permissions".
 *
 *     const permission = permissionRules({ deny: ['Skill(release)'], files: [{ path: `${home}/.claude/settings.json`,
 * source: 'userSettings' }] }) const skills = createSkills({ plugins: [permission, …], onDiagnostic })
 */
export function permissionRules(given?: PermissionRulesOptions): PermissionRules {
  const options = permissionRulesOptions.read(given)
  const { prefix, safe, projectAllows, wildcards, suggest: suggestions } = options
  const book = new RuleBook(options)
  return {
    kind: 'permission',
    id: 'rules',
    needs: ['trust'],
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
 * The errors that keep rules from being read or understood: of settings files with the place, of given rules with their
 * source. As long as there is one, `permissionRules()` asks about what the rule may forbid.
 */
export async function unreadableRules(given: GivenRules): Promise<readonly Omit<Diagnostic, 'provider'>[]> {
  const { problems } = await new RuleBook(given).current()
  return problems.filter(({ severity }) => severity === 'error')
}
