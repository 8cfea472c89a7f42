import { pathOf } from './catalog.js'
import { messageOf } from './error.js'
import { sourceKind } from './provider.js'
import { withDeadline, type Clock } from './host.js'
import type { CatalogEntry, Collision, Command } from './command.js'
import type { Diagnostic } from './diagnostic.js'

/** Parts of a catalog that is being made. */
export interface Unsettled {
  readonly rules: { readonly qualifyLosers: boolean | readonly string[]; readonly clock: Clock }
  readonly signal: AbortSignal | undefined
  /** True if found commands join a catalog, whose own commands stay as they are. */
  readonly isJoin: boolean
  readonly byName: Map<string, CatalogEntry>
  readonly entries: CatalogEntry[]
  readonly disabled: CatalogEntry[]
  readonly collisions: Collision[]
  readonly warnings: Diagnostic[]
  readonly entryOf: (
    name: string,
    command: Command,
    provider: string,
    isQualified?: boolean,
    shared?: string,
  ) => CatalogEntry
  readonly enter: (entry: CatalogEntry) => CatalogEntry
  readonly freeName: (command: Command) => string
}

/** Finds out what becomes of each command whose name another one has: a qualified name, or none. */
export async function settleLosers(
  losers: readonly { readonly loser: CatalogEntry; readonly winner: CatalogEntry }[],
  { rules, signal, isJoin, byName, entries, disabled, collisions, warnings, entryOf, enter, freeName }: Unsettled,
): Promise<void> {
  const texts = new Map<
    string,
    { readonly first: CatalogEntry; readonly byDigest: Map<string | undefined, CatalogEntry> }
  >()
  for (const { loser, winner } of losers) await settle(loser, winner)

  async function settle(loser: CatalogEntry, winner: CatalogEntry): Promise<void> {
    const { name, command, provider } = loser
    const twin = await twinOf(loser, winner)
    if (twin !== undefined)
      return void collisions.push({ name, rule: 'same-text', winner: twin, loser, reason: reasonFor(twin, loser) })
    const { qualifyLosers: of } = rules
    const isQualified = typeof of === 'object' ? of.includes(provider) : of
    const [scope, other] = [scopeOf(winner.command), scopeOf(command)]
    const shared = !isJoin && scope !== undefined && other !== undefined && scope !== other ? name : undefined
    if (isQualified && !winner.isQualified && shared !== undefined) {
      // Nothing says which of the two is meant by the plain name.
      byName.delete(name)
      Object.assign(winner, entryOf(freeName(winner.command), winner.command, winner.provider, true, shared))
      if (winner.override === 'off') disabled.push(...entries.splice(entries.indexOf(winner), 1))
      else byName.set(winner.name, winner)
    }
    const entry = isQualified ? entryOf(freeName(command), command, provider, true, shared) : undefined
    collisions.push({
      name,
      rule: 'precedence',
      winner,
      loser,
      reachableAs: entry?.name,
      reason: reasonFor(winner, loser),
    })
    if (entry?.override === 'off') disabled.push(entry)
    else if (entry !== undefined) enter(entry)
  }

  /**
   * Finds the command of this name with the same text. Files are read only once a second one of the same size comes.
   */
  async function twinOf(loser: CatalogEntry, winner: CatalogEntry): Promise<CatalogEntry | undefined> {
    ofSameSize(winner)
    const { first, byDigest } = ofSameSize(loser)
    if (first === loser) return undefined
    try {
      if (byDigest.size === 0) byDigest.set(await digestOf(first.command), first)
      const digest = await digestOf(loser.command)
      const twin = digest === undefined ? undefined : byDigest.get(digest)
      if (twin === undefined) byDigest.set(digest, loser)
      return twin
    } catch (error) {
      const { command, provider } = loser
      warnings.push({
        severity: 'warning',
        type: 'validation',
        code: 'digest-failed',
        name: command.name,
        provider,
        ...pathOf(command),
        message: `The command "${command.name}" of "${provider}" could not be compared with another of that name: ${messageOf(error)}`,
      })
      return undefined
    }
  }

  function ofSameSize(entry: CatalogEntry) {
    const key = `${entry.command.type === 'prompt' ? entry.command.file?.size : ''}:${entry.name}`
    const known = texts.get(key) ?? { first: entry, byDigest: new Map<string | undefined, CatalogEntry>() }
    texts.set(key, known)
    return known
  }

  async function digestOf(command: Command): Promise<string | undefined> {
    return withDeadline(inner => (command.type === 'prompt' ? command.digest?.({ signal: inner }) : undefined), {
      signals: [signal],
      limit: { ms: sourceKind.limitMs, clock: rules.clock, what: `Reading "${pathOf(command).path ?? command.name}"` },
    })
  }
}

const scopeOf = (command: Command): string | undefined =>
  command.type === 'prompt' && command.isScoped === true ? command.qualifier : undefined

const rankOf = ({ source, loadedFrom }: Command): string => (loadedFrom === 'commands' ? `legacy (${source})` : source)

function reasonFor({ command: winner }: CatalogEntry, { command: loser }: CatalogEntry): string {
  return rankOf(winner) === rankOf(loser)
    ? `Both come from ${winner.source}, which lists this command first.`
    : `${rankOf(winner)} comes before ${rankOf(loser)}.`
}
