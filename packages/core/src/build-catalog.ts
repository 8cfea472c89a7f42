import { barredBy, whyDormant, type GateRules } from './provider.js'
import { pathOf, type CatalogParts } from './catalog.js'
import { engineProblem, type Diagnostic, type Severity } from './diagnostic.js'
import { messageOf } from './error.js'
import { compareCodeUnits, nameKey, doubtfulNames, lookOf, shownName, qualifierOf } from './name.js'
import { isTurnDue, turn } from './host.js'
import type { Clock } from './host.js'
import type { CatalogEntry, Collision, Command, FileIdentity, Override, PromptCommand, SourceName } from './command.js'
import type { LoadResult } from './source.js'

export interface CatalogRules {
  /**
   * Source names, highest first. Other sources follow by name. The word `legacy` stands for the legacy commands of all
   * sources, `nested` for the skills of folders below the working folder, and `conditional` for all others with `paths`.
   * These rank among each other as their sources do. Without the word, they rank with their sources.
   */
  readonly precedence: readonly SourceName[]
  /**
   * True if a command that lost its name to another text stays reachable under a qualified name, such as `user:deploy`.
   * A list: only commands of the providers with these ids.
   */
  readonly qualifyLosers: boolean | readonly string[]
  /** Returns the identity by which two files count as one; undefined for a file that is never the same as another. */
  readonly identityOf: (file: FileIdentity, command: PromptCommand) => string | undefined
  /** Rules of policies that keep commands out. */
  readonly gates?: readonly GateRules[]
  /** Returns the warnings about collisions. Called once a catalog; if it throws, the load fails. Default: none. */
  readonly warningsOf?: ((collisions: readonly Collision[]) => readonly Diagnostic[]) | undefined
  /** True if models are told of skills whose names differ in case only. Default: only of the first. */
  readonly tellsCaseTwins?: boolean | undefined
  /** True if a display name that several commands have calls the first of them. Default: it is refused. */
  readonly sharesDisplayNames?: boolean | undefined
  /** Overrides by name. */
  readonly overrides: Readonly<Record<string, Override>>
  /** Clock for the time limit of reading a file to compare it. */
  readonly clock: Clock
}

/** Parts of a catalog, with what is needed to join found commands to it. */
export interface Assembled {
  readonly parts: CatalogParts
  readonly byName: ReadonlyMap<string, CatalogEntry>
  readonly byIdentity: ReadonlyMap<string, CatalogEntry>
  readonly owners: ReadonlySet<string>
  readonly bySource: ReadonlyMap<SourceName, unknown>
}

export interface ProvidedResult {
  /** Id of the provider that returned it. */
  readonly provider: string
  readonly result: LoadResult
}

/** Returns the word of a precedence for commands that it may place apart from the others of their source. */
function wordOf(command: Command): SourceName | undefined {
  if (command.loadedFrom === 'commands') return 'legacy'
  if (command.type !== 'prompt') return undefined
  return command.isScoped === true ? 'nested' : command.paths.length > 0 ? 'conditional' : undefined
}

/**
 * Joins the results of the sources into one catalog, or joins commands that large sources found to such a catalog. The
 * order of `provided` is that of the providers, so it does not matter which source answers first. A found command ranks
 * below every listed one and changes none of them. Takes time linear in the number of listed and found commands. Reads
 * files only to compare two files of the same name and size.
 * @param options.hasMore true if large sources have commands that are not listed
 * @param options.listed what the commands of `provided` join; the result has only the parts that they add
 */
export async function assembleCatalog(
  provided: readonly ProvidedResult[],
  rules: CatalogRules,
  {
    signal,
    hasMore = false,
    listed,
  }: { readonly signal?: AbortSignal | undefined; readonly hasMore?: boolean; readonly listed?: Assembled | undefined },
): Promise<Assembled> {
  const overrides = new Map(Object.entries(rules.overrides).map(([name, override]) => [nameKey(name), override]))
  const { gates = [] } = rules
  // Every gate is asked about every command, and most gates answer one question only.
  const that = (answer: keyof GateRules): readonly GateRules[] => gates.filter(gate => gate[answer] !== undefined)
  const [overriding, barring, keepingDormant] = [that('override'), that('command'), that('dormant')]
  const byName = new Map(listed?.byName)
  const byIdentity = new Map(listed?.byIdentity)
  const entries: CatalogEntry[] = []
  const disabled: CatalogEntry[] = []
  const losers: { readonly loser: CatalogEntry; readonly winner: CatalogEntry }[] = []
  const collisions: Collision[] = []
  const errors = provided.flatMap(({ result }) => result.errors)
  const warnings = provided.flatMap(({ result }) => result.warnings)
  const incomplete = provided.flatMap(({ provider, result: { incomplete: reason } }) =>
    reason === undefined ? [] : [{ provider, reason }],
  )
  for (const { provider, reason } of incomplete) {
    if (!errors.some(error => error.provider === provider && error.message === reason))
      errors.push(engineProblem('error', 'source-incomplete', reason, provider))
  }

  /**
   * Qualifiers that sources reserve, in the form that shows their looks, even of sources without a command in the
   * catalog.
   */
  const owners = new Set([
    ...(listed?.owners ?? []),
    ...provided.flatMap(({ result }) => result.qualifiers).map(lookOf),
  ])
  const qualified = new Map<string, number>()
  const bySource = new Map<SourceName, CatalogEntry[]>()
  let admitted = 0
  for (const entry of await inPrecedence()) {
    if (isTurnDue(++admitted)) await turn()
    try {
      admit(isReserved(entry) ? entryOf(freeName(entry.command), entry.command, entry.provider, true) : entry)
    } catch (error) {
      errors.push(problemOf(entry, 'malformed-command', 'error', `is left out: ${messageOf(error)}`))
    }
  }
  // Losers are settled last, so that no qualified name takes a plain one.
  if (losers.length > 0) {
    // Imported on use: most catalogs have no two commands of one name.
    const { settleLosers } = await import('./settle-losers.js')
    const state = { rules, signal, isJoin: listed !== undefined, byName, entries, disabled, collisions, warnings }
    await settleLosers(losers, { ...state, entryOf, enter, freeName })
  }
  const all = listed === undefined ? entries : [...listed.parts.entries, ...entries]
  for (const [entry, { code, text }] of doubtfulNames(all, byName)) {
    // What is found cannot make the name of a listed command doubtful.
    if (listed && entry.isFound !== true) continue
    if (code === 'case-collision' && rules.tellsCaseTwins === true) continue
    const { name, command, provider } = entry
    // A person who names it in an override has seen its spelling.
    const isAllowed = overrides.has(name)
    Object.assign(entry, { doubt: text }, !isAllowed && { dormant: entry.dormant ?? text })
    const hint = isAllowed
      ? 'An override allows it.'
      : `Rename one command, or set an override such as "on" for ${shownName(name, true)}. Until then, no model is told of it.`
    warnings.push({
      severity: 'warning',
      type: 'validation',
      code,
      name,
      provider,
      ...pathOf(command),
      message: text,
      hint,
    })
  }
  const parts: CatalogParts = {
    entries,
    disabled,
    collisions,
    errors,
    incomplete,
    warnings: [...warnings, ...(rules.warningsOf?.(collisions) ?? [])],
    places: provided.flatMap(({ provider, result }) =>
      result.places.map(({ path, state, found, note }) => ({ path, state, found, note, provider })),
    ),
    // A large source may have the command of an override, and is not asked only to know that.
    overridden: hasMore ? [] : Object.keys(rules.overrides),
    sharesDisplayNames: rules.sharesDisplayNames === true,
  }
  return { parts, byName, byIdentity, owners, bySource }

  /** @param shared name that it shares with others, whose override counts if it has none of its own */
  function entryOf(name: string, command: Command, provider: string, isQualified = false, shared = name): CatalogEntry {
    return {
      name,
      command,
      provider,
      override:
        overrides.get(name) ??
        overrides.get(shared) ??
        overriding.map(one => one.override?.(name, command)).find(Boolean) ??
        'on',
      isQualified,
      ...(listed && { isFound: true }),
    }
  }

  /**
   * Collects the entries by source, highest first. Within a source they are in provider order, then as the provider
   * listed them.
   */
  async function inPrecedence(): Promise<readonly CatalogEntry[]> {
    let done = 0
    const words = new Set(rules.precedence)
    const keyOf = (command: Command): string => {
      const word = wordOf(command)
      return word !== undefined && words.has(word) ? `${word}\0${command.source}` : command.source
    }
    for (const { provider, result } of provided) {
      const enabled = result.disabledPaths.length > 0 ? new Set(result.enabled()) : undefined
      let last: string | undefined
      let group = disabled
      for (const command of result.commands) {
        if (isTurnDue(++done)) await turn()
        const key = keyOf(command)
        // Commands in a row nearly always come from the same source.
        if (key !== last) bySource.set(key, (group = bySource.get((last = key)) ?? []))
        if (command.type === 'prompt' && command.pluginName !== undefined) owners.add(lookOf(command.pluginName))
        const entry = entryOf(nameKey(command.name), command, provider)
        if (enabled?.has(command) === false) disabled.push(entry)
        else group.push(entry)
      }
    }
    const ranks = new Map(rules.precedence.map((source, at) => [source, at]))
    const rank = (source = ''): number => ranks.get(source) ?? ranks.size
    const compare = ([a, aOf]: readonly string[], [b, bOf]: readonly string[]): number =>
      rank(a) - rank(b) || rank(aOf) - rank(bOf)
    const groups = [...bySource]
      .toSorted(([a], [b]) => compare(a.split('\0'), b.split('\0')) || compareCodeUnits(a, b))
      .map(([, group]) => group)
    return groups.length === 1 ? (groups[0] ?? []) : groups.flat()
  }

  function admit(entry: CatalogEntry): void {
    const { name, command } = entry
    if (entry.override === 'off' || !command.isEnabled()) return void disabled.push(entry)
    const barred = barring.length === 0 ? undefined : barredBy(barring, one => one.command?.(command))
    if (barred !== undefined) return void disabled.push({ ...entry, barred })
    const identity =
      command.type === 'prompt' && command.file !== undefined ? rules.identityOf(command.file, command) : undefined
    const twin = identity === undefined ? undefined : byIdentity.get(identity)
    if (twin !== undefined) {
      const reason = `Both are the same file, and ${twin.command.source} finds it first.`
      return void collisions.push({ name, rule: 'same-file', winner: twin, loser: entry, reason })
    }
    const winner = byName.get(name)
    if (identity !== undefined) byIdentity.set(identity, winner === undefined ? enter(entry) : entry)
    else if (winner === undefined) enter(entry)
    if (winner !== undefined) losers.push({ loser: entry, winner })
  }

  /**
   * True if a name belongs to another source. The path of a legacy command may put words with colons into its name: of
   * these, only names of sources and plugins are reserved.
   */
  function isReserved({ name, command }: CatalogEntry): boolean {
    const word = qualifierOf(name, command)
    return (
      word !== undefined &&
      (command.loadedFrom !== 'commands' ||
        word === 'mcp__' ||
        owners.has(word) ||
        rules.precedence.includes(word) ||
        bySource.has(word) ||
        listed?.bySource.has(word) === true)
    )
  }

  function enter(given: CatalogEntry): CatalogEntry {
    const dormant = keepingDormant.length === 0 ? undefined : whyDormant(given.command, keepingDormant)
    const entry = dormant === undefined ? given : { ...given, dormant }
    byName.set(entry.name, entry)
    entries.push(entry)
    return entry
  }

  function freeName(command: Command): string {
    const qualifier = (command.type === 'prompt' ? command.qualifier : undefined) ?? command.source
    const wanted = nameKey(`${qualifier}:${command.name}`)
    for (let count = (qualified.get(wanted) ?? 0) + 1; ; count++) {
      const name = count === 1 ? wanted : `${wanted}~${count}`
      if (byName.has(name)) continue
      qualified.set(wanted, count)
      return name
    }
  }
}

function problemOf(
  { command: { name }, command, provider }: CatalogEntry,
  code: string,
  severity: Severity,
  what: string,
): Diagnostic {
  const message = `The command "${name}" of "${provider}" ${what}`
  return { severity, type: 'validation', code, name, provider, ...pathOf(command), message }
}
