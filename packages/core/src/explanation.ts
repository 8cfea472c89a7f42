import { isDescribed } from './catalog.js'
import type { Incomplete } from './catalog.js'
import type { CatalogEntry, Command, SourceName } from './command.js'
import type { Diagnostic } from './diagnostic.js'
import type { Note } from './source.js'

/**
 * State of a command in the catalog.
 * - `active`: it is invoked by its name
 * - `qualified`: it is invoked by a qualified name
 * - `duplicate`: another command has the same file or the same text
 * - `shadowed`: another command has its name, and it has no qualified name
 * - `disabled`: it is switched off
 * - `failed`: it did not load
 * - `gone`: it existed before the last reload
 */
export type Status = 'active' | 'qualified' | 'duplicate' | 'shadowed' | 'disabled' | 'failed' | 'gone'

/** Reason why a command is not offered to the model. */
export interface Reason {
  readonly cause:
    | 'flag'
    | 'override'
    | 'disabled'
    | 'error'
    | 'shadowed'
    | 'gate'
    | 'permission'
    | 'budget'
    | 'removed'
    | 'found'
  /** One sentence. */
  readonly text: string
  /** For a rule: the source that has it, such as `projectSettings`. */
  readonly source?: string | undefined
}

export interface CommandRef {
  readonly name: string
  /** Undefined for a command that did not load. */
  readonly source?: SourceName | undefined
  readonly provider?: string | undefined
  readonly path?: string | undefined
}

export interface ExplainAnswer extends CommandRef {
  readonly status: Status
  readonly command?: Command | undefined
  /** One sentence that names the rule which decided. */
  readonly chosenBy: string
  readonly shadows: readonly CommandRef[]
  readonly shadowedBy?: CommandRef | undefined
  /** True if the model may be told of it. */
  readonly isListed: boolean
  readonly notListedBecause: readonly Reason[]
  /** Errors and warnings about its file. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Everything that the engine knows about a name. See docs/reference/commands.md, "Explain". */
export interface Explanation {
  readonly query: string
  /** Commands that have, wanted or had the name. The one that has it comes first. */
  readonly answers: readonly ExplainAnswer[]
  readonly notes: readonly Note[]
  /** Names close to the one asked for; empty if there are answers. */
  readonly suggestions: readonly string[]
  /** Sources that did not finish and may still have the name. */
  readonly incomplete: readonly Incomplete[]
}

/** Entry of an earlier catalog that the present catalog no longer has. `since`: milliseconds since the epoch. */
export type GoneEntry = CatalogEntry & { readonly since: number }

/**
 * Returns the reasons why no listing shows an entry to the model. Only reasons from the command itself and the
 * configuration are included.
 */
export function reasonsOf({ command, override, dormant, isFound, provider }: CatalogEntry): readonly Reason[] {
  const reasons: Reason[] = []
  const add = (cause: Reason['cause'], text: string): unknown => reasons.push({ cause, text })
  if (command.type !== 'prompt') add('flag', 'It runs in the host and is not a prompt.')
  else if (command.disableModelInvocation)
    add('flag', 'Its author keeps the model from invoking it (disable-model-invocation).')
  else if (command.source === 'builtin') add('flag', 'It is built in, and models are not told of such commands.')
  else if (!command.isSkill) add('flag', 'It is a command, not a skill.')
  if (!isDescribed(command)) add('flag', 'It has no description, so the model could not tell when to use it.')
  if (dormant !== undefined) add('gate', dormant)
  if (isFound === true) add('found', `"${provider}" lists only what is pinned; a search finds the rest.`)
  if (override === 'user-only') add('override', 'The configuration keeps it for the user (user-only).')
  return reasons
}
