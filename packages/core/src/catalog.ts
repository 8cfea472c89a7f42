import { closestNames, foldedName, nameKey, qualifierOf } from './name.js'
import { fail } from './error.js'
import type { Command, PromptCommand, CatalogEntry, CatalogView, Collision } from './command.js'
import type { Diagnostic } from './diagnostic.js'
import type { Place } from './source.js'

// The rules of docs/reference/commands.md, "Who sees what". Each is about one command by itself; the catalog adds
// overrides and gates.

/** True if a command says that it is enabled. One that throws is off, so that it does not break every list. */
function isOn(command: Command): boolean {
  try {
    return command.isEnabled()
  } catch {
    return false
  }
}

/**
 * True if a command has a `when_to_use`, or a description other than its name. A description that was derived from the
 * command's text is enough. Only listings use this.
 */
export function isDescribed(command: Command): boolean {
  return (
    command.hasUserSpecifiedDescription ||
    !['', command.name].includes(command.description) ||
    (command.type === 'prompt' && command.whenToUse !== undefined && command.whenToUse !== '')
  )
}

/** True for commands that all four lists below may have. */
const isOffered = (command: Command): command is PromptCommand =>
  command.type === 'prompt' && command.source !== 'builtin' && isDescribed(command) && isOn(command)

/** True for a skill that a listing may show to a model. See docs/reference/commands.md, "Who sees what". */
export const isModelVisible = (command: Command): command is PromptCommand =>
  isOffered(command) && command.isSkill && !command.disableModelInvocation

/** True for a prompt that a model may see but that is not a skill. It reaches a model only if the host offers it. */
export const isSlashVisible = (command: Command): command is PromptCommand =>
  isOffered(command) && !command.isSkill && !command.disableModelInvocation

/**
 * True for a skill, and for any other prompt that the model may not invoke. See docs/reference/commands.md, "Who sees
 * what".
 */
export const isHybrid = (command: Command): command is PromptCommand =>
  isOffered(command) && (command.isSkill || command.disableModelInvocation)

/** True if help shows the command. */
export const isUserVisible = (command: Command): command is PromptCommand => isOffered(command) && !command.isHidden

/**
 * True if a person may invoke the command by name, with or without a description. See docs/reference/commands.md, "Who
 * sees what".
 */
export const mayUserInvoke = (command: Command): boolean => isOn(command) && command.userInvocable

/**
 * True if a model may invoke the command: a prompt without `disable-model-invocation`, with or without a description.
 * See docs/reference/commands.md, "Who sees what".
 */
export const mayModelInvoke = (command: Command): boolean =>
  isOn(command) && command.type === 'prompt' && !command.disableModelInvocation

/** Entry of an earlier catalog that the present catalog no longer has. `since`: milliseconds since the epoch. */
export type GoneEntry = CatalogEntry & { readonly since: number }

/** Source that did not finish. */
export interface Incomplete {
  readonly provider: string
  /** One sentence that says why. */
  readonly reason: string
}

export interface CatalogParts extends Pick<
  Catalog,
  'entries' | 'disabled' | 'collisions' | 'errors' | 'warnings' | 'places' | 'incomplete'
> {
  /** Entries that large sources found. Default: none. */
  readonly found?: readonly CatalogEntry[]
  /** Catalog that has the same entries and no found ones. */
  readonly listed?: Catalog
  /** Names in the configured overrides, to be compared with the existing names. */
  readonly overridden: readonly string[]
  readonly sharesDisplayNames?: boolean
}

/**
 * All commands at one moment. Immutable: a reload makes a new catalog, and readers keep theirs. See
 * docs/reference/commands.md, "The catalog".
 */
export class Catalog implements CatalogView {
  readonly collisions: readonly Collision[]
  readonly errors: readonly Diagnostic[]
  readonly warnings: readonly Diagnostic[]
  readonly places: readonly (Place & { readonly provider: string })[]
  /** Sources that did not finish, so that there may be more commands. They are asked again. */
  readonly incomplete: readonly Incomplete[]
  /**
   * Entries that large sources have and do not list. They are here because their names were asked for, and are found by
   * these names only.
   */
  readonly found: readonly CatalogEntry[]
  readonly #parts: CatalogParts
  readonly #byName: ReadonlyMap<string, CatalogEntry>
  #others: ReadonlyMap<string, readonly CatalogEntry[]> | undefined

  constructor(parts: CatalogParts, byName: ReadonlyMap<string, CatalogEntry>) {
    this.#parts = parts
    this.#byName = byName
    this.collisions = parts.collisions
    this.errors = parts.errors
    this.places = parts.places
    this.incomplete = parts.incomplete
    this.found = parts.found ?? []
    this.warnings = [...parts.warnings, ...this.#idleOverrides()]
  }

  get entries(): readonly CatalogEntry[] {
    const { entries } = this.#parts
    return entries.every(isEntryOn) ? entries : entries.filter(isEntryOn)
  }

  get disabled(): readonly CatalogEntry[] {
    return [...this.#parts.disabled, ...this.#parts.entries.filter(entry => !isEntryOn(entry))]
  }

  /** Catalog with the same entries and without the {@link found} ones. It stays the same while more is found. */
  get listed(): Catalog {
    return this.#parts.listed ?? this
  }

  get size(): number {
    return this.entries.length
  }

  get(name: string): CatalogEntry | undefined {
    const entry = this.#byName.get(nameKey(name))
    return entry !== undefined && isEntryOn(entry) ? entry : undefined
  }

  /**
   * Finds the entry that a person means: by exact name, then display name, then alias; then by each ignoring case.
   * Returns undefined if none matches. Throws `E_AMBIGUOUS_NAME` if several match at one step, and for a plain name that
   * only qualified names contain.
   */
  lookup(name: string): CatalogEntry | undefined {
    const exact = this.get(name)
    if (exact !== undefined) return exact
    const others = this.#otherNames()
    const [key, low] = [nameKey(name), foldedName(name)]
    for (const step of [
      `display:${key}`,
      `alias:${key}`,
      `NAME:${low}`,
      `DISPLAY:${low}`,
      `ALIAS:${low}`,
      `${variant}${key}`,
    ]) {
      const named = step.startsWith('NAME') ? (this.get(low) ?? []) : []
      const found = [...new Set([named, others.get(step) ?? []].flat())].filter(isEntryOn)
      if (found.length > 1) {
        const candidates = found.map(entry => `"${entry.name}"`).join(' or ')
        fail('E_AMBIGUOUS_NAME', `"${name}" could be ${candidates}.`, 'Use one of these names exactly.')
      }
      if (found[0] !== undefined && !step.startsWith(variant)) return found[0]
    }
    return undefined
  }

  /** Does the same as {@link lookup}, but throws `E_UNKNOWN_NAME`, with the closest names, if none matches. */
  require(name: string): CatalogEntry {
    const found = this.lookup(name)
    const [first] = this.incomplete
    if (found === undefined && first !== undefined) {
      fail(
        'E_UNKNOWN_NAME',
        `No command named "${name}" was found, but "${first.provider}" is incomplete: ${first.reason}`,
        'Try again.',
      )
    }
    return (
      found ??
      fail(
        'E_UNKNOWN_NAME',
        `There is no command named "${name}".`,
        this.#closest(name, 'Look at the list of commands.'),
      )
    )
  }

  /** Returns names close to an unknown one, the best first. */
  suggest(name: string): readonly string[] {
    return closestNames(
      name,
      this.entries.map(entry => entry.name),
    )
  }

  #otherNames(): ReadonlyMap<string, readonly CatalogEntry[]> {
    return (this.#others ??=
      this.#parts.listed === undefined ? otherNames(this.#parts) : this.#parts.listed.#otherNames())
  }

  #closest(name: string, otherwise: string): string {
    const close = this.suggest(name)
    return close.length > 0 ? `Did you mean ${close.map(other => `"${other}"`).join(' or ')}?` : otherwise
  }

  #idleOverrides(): readonly Diagnostic[] {
    const { overridden, disabled } = this.#parts
    const isKnown = (key: string): boolean => this.#byName.has(key) || disabled.some(entry => entry.name === key)
    return overridden
      .filter(name => !isKnown(nameKey(name)))
      .map(name => ({
        severity: 'warning',
        type: 'validation',
        code: 'unknown-override',
        name,
        message: `The override of "${name}" has no effect: there is no such command.`,
        hint: this.#closest(name, 'Remove it, or correct the name.'),
      }))
  }
}

const isEntryOn = ({ command }: CatalogEntry): boolean => isOn(command)

/** Step by which a plain name is refused that belongs to none of several qualified entries. */
const variant = 'variant:'

/** Collects other names of commands, and names with capitals, by the steps of {@link Catalog.lookup}. */
function otherNames({ entries, sharesDisplayNames }: CatalogParts): ReadonlyMap<string, readonly CatalogEntry[]> {
  const others = new Map<string, CatalogEntry[]>()
  const add = (step: string, entry: CatalogEntry): unknown => others.get(step)?.push(entry) ?? others.set(step, [entry])
  for (const entry of entries) {
    const low = foldedName(entry.name)
    if (low !== entry.name) add(`NAME:${low}`, entry)
    // A loser is found by its qualified name only: its other names belong to the winner.
    if (entry.isQualified) {
      add(`${variant}${nameKey(entry.command.name)}`, entry)
      continue
    }
    const { displayName, aliases } = entry.command
    for (const [step, name] of [['display', displayName], ...aliases.map(alias => ['alias', alias])] as const) {
      if ((name === entry.name && step === 'display') || !isFree(name, entry.command)) continue
      if (sharesDisplayNames && step === 'display' && others.has(`display:${nameKey(name)}`)) continue
      add(`${step}:${nameKey(name)}`, entry)
      add(`${step.toUpperCase()}:${foldedName(name)}`, entry)
    }
  }
  return others
}

/**
 * True if a command may have a name besides its own. Names with the qualifier of another source belong to that source,
 * even while it has no command.
 */
const isFree = (name: string, command: Command): boolean => qualifierOf(name, command) === undefined

/** Returns the path of a command's file, as part of a diagnostic. */
export const pathOf = (command: Command): { path?: string } =>
  command.type === 'prompt' && command.filePath !== undefined ? { path: command.filePath } : {}

/** Changes of a reload, by name. */
export interface CatalogChange {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Names of commands that were replaced, read again, or woken. */
  readonly changed: readonly string[]
}

/**
 * Compares two catalogs. Returns the names that were added, those that were removed, and those whose command changed or
 * became active through its `paths`. See docs/reference/engine.md, "Events".
 */
export function compareCatalogs(before: Pick<Catalog, 'entries'>, after: Pick<Catalog, 'entries'>): CatalogChange {
  const old = new Map(before.entries.map(entry => [entry.name, entry]))
  const now = new Set(after.entries.map(({ name }) => name))
  const isAsBefore = ({ name, command, dormant }: CatalogEntry): boolean =>
    old.get(name)?.command === command && old.get(name)?.dormant === dormant
  const changed = after.entries.filter(entry => old.has(entry.name) && !isAsBefore(entry)).map(({ name }) => name)
  return {
    added: [...now].filter(name => !old.has(name)),
    removed: [...old.keys()].filter(name => !now.has(name)),
    changed,
  }
}
