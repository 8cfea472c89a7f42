import * as s from '@skills/core/schema'
import type { FileTools } from '@skills/rules/internal'
import type { WrittenRule } from './rule-book.js'
import type { SettingsFile } from './settings-files.js'
import type { WildcardSource } from './wildcard-rules.js'

export const permissionRulesOptions = s.options('permissionRules()', {
  /**
   * Maps of wildcards, of which the last that matches decides. They join the rules: what either denies is denied.
   */
  wildcards: s.list(s.typed<WildcardSource>('a wildcard source')).default([]),
  suggest: s
    .object({
      /** Whether the prefix of a name or a command is suggested besides the exact one. */
      prefixes: s.flag().default(true),
      destination: s.text().default('localSettings'),
    })
    .default({}),
  files: s.list(s.typed<SettingsFile>('a settings file', 'path')),
  /**
   * Tools of the host whose rules are about files, as `{ ReadFile: 'reads', Find: 'searches', Save: 'edits' }`, besides
   * Read, Edit, Write, Glob, Grep and the like. Default: none.
   */
  fileTools: s.typed<FileTools>('an object'),
  /**
   * Whether a `*` anywhere in a rule for a shell that allows stands for any text (`anywhere`), or only `:*` and ` *` at
   * its end leave the rest open (`end`, the default).
   */
  asterisks: s.oneOf('anywhere', 'end'),
  /**
   * Files whose rules the host could not read, and why, as a clause: as long as there is one, everything is asked about
   * that no rule denies. Default: none.
   */
  unreadable: s.list(s.typed<{ readonly source: string; readonly problem: string }>('an object')),
  ask: s.list(s.either(s.text(), s.typed<Exclude<WrittenRule, string>>('a rule', 'rule'))).inFiles(),
  deny: s.list(s.either(s.text(), s.typed<Exclude<WrittenRule, string>>('a rule', 'rule'))).inFiles(),
  allow: s.list(s.either(s.text(), s.typed<Exclude<WrittenRule, string>>('a rule', 'rule'))).inFiles(),
  prefix: s.oneOf('segment', 'text', 'text-or-words').default('segment'),
  /**
   * Whether a skill that sets only harmless fields and embeds no command needs no rule; `unless-granting`: every skill
   * that is trusted and sets no field by which it is allowed or denied a tool or has hooks. Its commands are still
   * asked about.
   */
  safe: s.either(s.flag(), s.oneOf('unless-granting')).default(true),
  /** Whether what a file of the project allows counts. Default: the trust provider is asked about the file. */
  projectAllows: s.fn<(file: SettingsFile) => boolean | PromiseLike<boolean>>(),
  /** Whether several commands may share one pair of parentheses in the tools that a skill allows itself. */
  alternatives: s.flag().default(true),
})

export interface PermissionRulesOptions extends s.OptionsOf<typeof permissionRulesOptions> {}
