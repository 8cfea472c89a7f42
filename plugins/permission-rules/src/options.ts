import * as s from '@skills/core/schema'
import type { FileTools } from '@skills/rules/internal'
import type { WrittenRule } from './rule-book.js'
import type { SettingsFile } from './settings-files.js'
import type { WildcardSource } from './wildcard-rules.js'

export const permissionRulesOptions = s.options('permissionRules()', {
  /**
   * Maps of wildcards. The last one that matches decides. They add to the rules: what either denies is denied. Maps with
   * `narrowing` only restrict.
   */
  wildcards: s.list(s.typed<WildcardSource>('a wildcard source')).default([]),
  suggest: s
    .object({
      /** True if the prefix of a name or a command is suggested besides the exact one. */
      prefixes: s.flag().default(true),
      destination: s.text().default('localSettings'),
    })
    .default({}),
  files: s.list(s.typed<SettingsFile>('a settings file', 'path')),
  /**
   * Tools of the host whose rules are about files, such as `{ ReadFile: 'reads', Find: 'searches', Save: 'edits' }`,
   * besides Read, Edit, Write, Glob, Grep and similar ones. Default: none.
   */
  fileTools: s.typed<FileTools>('an object'),
  /**
   * Meaning of `*` in an allow rule for a shell. `end` (default): only `:*` and ` *` at the end are open; `anywhere`:
   * each `*` is any text.
   */
  asterisks: s.oneOf('anywhere', 'end'),
  /**
   * Files whose rules the host could not read, each with a clause that says why. While there is one, everything is
   * asked about unless a rule denies it. Default: none.
   */
  unreadable: s.list(s.typed<{ readonly source: string; readonly problem: string }>('an object')),
  ask: s.list(s.either(s.text(), s.typed<Exclude<WrittenRule, string>>('a rule', 'rule'))).inFiles(),
  deny: s.list(s.either(s.text(), s.typed<Exclude<WrittenRule, string>>('a rule', 'rule'))).inFiles(),
  allow: s.list(s.either(s.text(), s.typed<Exclude<WrittenRule, string>>('a rule', 'rule'))).inFiles(),
  /**
   * Allow rules that may name the source of a skill, such as `Skill(project:deploy)`. `all` (default): every one;
   * `saved`: those of the options, of the session, and of the file that questions are saved in.
   */
  sourceNames: s.oneOf('all', 'saved').default('all'),
  prefix: s.oneOf('segment', 'text', 'text-or-words').default('segment'),
  /**
   * True if a skill that sets only harmless fields and embeds no command needs no rule. `unless-granting`: the same for
   * every trusted skill that sets no field which allows or denies tools or adds hooks; its commands are still asked
   * about.
   */
  safe: s.either(s.flag(), s.oneOf('unless-granting')).default(true),
  /** Decides whether the allow rules of a project's file count. Default: the trust provider is asked about the file. */
  projectAllows: s.fn<(file: SettingsFile) => boolean | PromiseLike<boolean>>(),
  /** True if several commands may share one pair of parentheses in a skill's allowed-tools. */
  alternatives: s.flag().default(true),
})

export interface PermissionRulesOptions extends s.OptionsOf<typeof permissionRulesOptions> {}
