import * as s from '@skills/core/schema'
import { pathOf, type Catalog, type CatalogEntry } from '@skills/core'
import { searchIndex, searchTextOf } from '@skills/invocation/skill-tool'
import type { SearchReason, SearchText } from '@skills/invocation/internal'
import { bodiesOf, type UnreadBody } from './search-bodies.js'
import type { SearchableCommand } from './searchable-command.js'

export interface FoundCommand extends SearchableCommand {
  /** Words that were found, by part; the most telling part first. */
  readonly reasons: readonly SearchReason[]
}

const searchSkillsOptions = s.options('searchSkills()', {
  /** True if the bodies of commands with a file are searched too. Default: false. */
  body: s.flag(),
  signal: s.typed<AbortSignal>('an AbortSignal', 'aborted'),
})

export interface SearchSkillsOptions extends s.OptionsOf<typeof searchSkillsOptions> {}

export interface SkillSearch {
  /** Returns the matches, best first; equal ones in order of precedence. */
  search(query: string): readonly FoundCommand[]
  /** Bodies that could not be read and so are not searched. */
  readonly unread: readonly UnreadBody[]
}

/**
 * Prepares a catalog for several searches. See docs/reference/listing.md, "Search".
 * @throws AbortError if the signal aborts
 */
export async function skillSearch(catalog: Catalog, given?: SearchSkillsOptions): Promise<SkillSearch> {
  return searchOver(catalog, undefined, searchSkillsOptions.read(given))
}

/** @param query the only query; undefined for any number of them */
async function searchOver(
  catalog: Catalog,
  query: string | undefined,
  { body = false, signal }: SearchSkillsOptions,
): Promise<SkillSearch> {
  const all = searchableIn(catalog)
  const unread: UnreadBody[] = []
  const index = await searchIndex(body ? textsWithBodies(all, unread, signal) : textsOf(all), { signal, query })
  return {
    unread,
    search: wanted =>
      index.search(wanted).flatMap(({ at, why }) => {
        const found = all[at]
        return found === undefined ? [] : [{ ...found, reasons: why() }]
      }),
  }
}

/**
 * Searches commands by name, display name, aliases, description, when to use them, and the tags and keywords of their
 * metadata.
 * @throws AbortError if the signal aborts
 */
export async function searchSkills(
  catalog: Catalog,
  query: string,
  given?: SearchSkillsOptions,
): Promise<Pick<SkillSearch, 'unread'> & { readonly found: readonly FoundCommand[] }> {
  const options = searchSkillsOptions.read(given)
  const { search, unread } = await searchOver(catalog, query, options)
  return { found: search(query), unread }
}

/** Yields texts one by one, because the index keeps none of them. */
function* textsOf(all: readonly SearchableCommand[]): Generator<SearchText, void, undefined> {
  for (const { name, command } of all) yield searchTextOf(command, name)
}

async function* textsWithBodies(
  all: readonly SearchableCommand[],
  unread: UnreadBody[],
  signal: AbortSignal | undefined,
): AsyncGenerator<SearchText, void, undefined> {
  const texts = textsOf(all)
  for await (const body of bodiesOf(all, one => unread.push(one), signal)) {
    const { value } = texts.next()
    if (value !== undefined) yield { ...value, ...(body !== undefined && { body }) }
  }
}

/**
 * Returns commands with their plain name first, then qualified ones, then those that lost their name or are switched
 * off.
 */
function searchableIn(catalog: Catalog): readonly SearchableCommand[] {
  const lost = new Map(catalog.collisions.map(({ loser, reason }) => [loser.command, reason]))
  const plain = catalog.entries.filter(({ isQualified }) => !isQualified)
  const qualified = catalog.entries.filter(({ isQualified }) => isQualified)
  return [
    ...plain.map((entry): SearchableCommand => ({ ...placed(entry), state: 'active', reason: entry.dormant })),
    ...qualified.map((entry): SearchableCommand => ({
      ...placed(entry),
      state: 'qualified',
      reason: lost.get(entry.command),
    })),
    ...catalog.collisions
      .filter(({ reachableAs }) => reachableAs === undefined)
      .map(({ name, loser, rule, reason }): SearchableCommand => ({
        ...placed({ name, ...loser }),
        state: rule === 'precedence' ? 'shadowed' : 'duplicate',
        reason,
      })),
    ...catalog.disabled.map((entry): SearchableCommand => ({
      ...placed(entry),
      state: 'disabled',
      reason: whyDisabled(entry),
    })),
  ]
}

function placed({
  name,
  command,
  provider,
}: Pick<CatalogEntry, 'name' | 'command' | 'provider'>): Pick<
  SearchableCommand,
  'name' | 'command' | 'provider' | 'path'
> {
  return { name, command, provider, ...pathOf(command) }
}

function whyDisabled({ barred, override }: CatalogEntry): string {
  return (
    barred ??
    (override === 'off'
      ? 'The configuration switches the skill off.'
      : 'The skill is not enabled: the skill itself or its source says so.')
  )
}
