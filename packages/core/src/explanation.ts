import { isDescribed } from './visibility.js'
import type { Incomplete } from './catalog.js'
import type { CatalogEntry, Command, SourceName } from './command.js'
import type { Diagnostic } from './diagnostic.js'
import type { Note } from './source.js'

/**
 * What became of a command: it can be invoked by its name (`active`) or by a qualified one (`qualified`); it is another
 * command's file or text (`duplicate`) or lost its name with no other to go by (`shadowed`); it is switched off
 * (`disabled`), did not load (`failed`), or was there before the last reload (`gone`).
 */
export type Status = 'active' | 'qualified' | 'duplicate' | 'shadowed' | 'disabled' | 'failed' | 'gone'

/** Why a command is not offered to the model. */
export interface Reason {
  readonly cause: 'flag' | 'override' | 'disabled' | 'error' | 'shadowed' | 'gate' | 'permission' | 'budget' | 'removed'
  /** One sentence. */
  readonly text: string
}

export interface CommandRef {
  readonly name: string
  /** Unknown of a command that did not load. */
  readonly source?: SourceName | undefined
  readonly provider?: string | undefined
  readonly path?: string | undefined
}

export interface ExplainAnswer extends CommandRef {
  readonly status: Status
  readonly command?: Command | undefined
  /** One sentence: which rule put it where it is. */
  readonly chosenBy: string
  readonly shadows: readonly CommandRef[]
  readonly shadowedBy?: CommandRef | undefined
  /** Whether the model may be told of it. */
  readonly isListed: boolean
  readonly notListedBecause: readonly Reason[]
  /** Errors and warnings of its file. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Everything known of a name. See docs/reference/commands.md, "Explain". */
export interface Explanation {
  readonly query: string
  /** Every command that has, wanted or had the name; the one that has it first. */
  readonly answers: readonly ExplainAnswer[]
  readonly notes: readonly Note[]
  /** Names close to the one asked for; empty when there are answers. */
  readonly suggestions: readonly string[]
  /** Sources that did not finish: one of them may have the name all the same. */
  readonly incomplete: readonly Incomplete[]
}

/**
 * A command of an earlier catalog that the present one does not have, and since when, in milliseconds since the epoch.
 */
export type GoneEntry = CatalogEntry & { readonly since: number }

/** Why the model is not told of an entry, as far as the command itself and the configuration decide it. */
export function reasonsOf({ command, override, dormant }: CatalogEntry): readonly Reason[] {
  const reasons: Reason[] = []
  const add = (cause: Reason['cause'], text: string): unknown => reasons.push({ cause, text })
  if (command.type !== 'prompt') add('flag', 'It runs in the host and is not a prompt.')
  else if (command.disableModelInvocation)
    add('flag', 'Its author keeps the model from invoking it (disable-model-invocation).')
  else if (command.source === 'builtin') add('flag', 'It is built in, and the model is not told of what is.')
  else if (!command.isSkill) add('flag', 'It is a command, not a skill.')
  if (!isDescribed(command)) add('flag', 'It has no description, so the model could not tell when to use it.')
  if (dormant !== undefined) add('gate', dormant)
  if (override === 'user-only') add('override', 'The configuration keeps it for the user (user-only).')
  return reasons
}
