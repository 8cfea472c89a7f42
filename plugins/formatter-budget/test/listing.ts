import {
  promptCommand,
  type CatalogEntry,
  type Override,
  type PromptCommand,
  type SetupContext,
  type Diagnostic,
  type Host,
} from '@skills/core'
import type { Formatter, Listing } from '@skills/invocation/skill-tool'
import { fakeHost } from '@skills/testing'
import { budgetFormatter, type BudgetFormatterOptions } from '../src/index.js'
import type { AnyListing } from '../src/options.js'
import type { OwnStrategy } from '../src/strategy-options.js'
import { ownStrategies } from '../src/strategy-options.js'

/** Makes the catalog entry of a user skill. */
export function entryOf(
  name: string,
  description: string,
  { override = 'on', ...parts }: Partial<PromptCommand> & { readonly override?: Override } = {},
): CatalogEntry {
  const command = promptCommand({ name, description, source: 'user', load: () => ({ template: '' }), ...parts })
  return { name, command, override, provider: 'test', isQualified: false }
}

/** Makes skills `s0`, `s1` and so on with this description. */
export function many(count: number, description: string): readonly CatalogEntry[] {
  return Array.from({ length: count }, (_none, at) => entryOf(`s${at}`, description))
}

export interface Started {
  readonly formatter: Formatter
  readonly reported: readonly Omit<Diagnostic, 'provider'>[]
  format(entries: readonly CatalogEntry[], contextWindow?: number, searchTool?: string): Promise<Listing>
}

/** Sets the formatter up as an engine does, without one. */
export async function start(options: AnyListing = {}, host: Partial<Host> = {}): Promise<Started> {
  const reported: Omit<Diagnostic, 'provider'>[] = []
  const unused = (): never => {
    throw new Error('A formatter has no use for this.')
  }
  const { signal } = new AbortController()
  const context: SetupContext = {
    signal,
    host: fakeHost({ clock: { now: () => 0, after: () => () => {} }, ...host }),
    report: problem => void reported.push(problem),
    hook: unused,
    effect: unused,
    use: () => ({ ids: [], each: unused, first: unused }),
    invalidate: unused,
  }
  const formatter = await budgetFormatter(options as BudgetFormatterOptions).setup(context)
  return {
    formatter,
    reported,
    format: async (entries, contextWindow, searchTool) =>
      formatter.format(entries, { contextWindow, searchTool }, { signal }),
  }
}

/** Returns the options that the strategy has, because tests try one set of options with each. */
export function fitting(options: AnyListing): AnyListing {
  const { strategy = 'fair' } = options
  const names = Object.hasOwn(ownStrategies, strategy) ? ownStrategies[strategy as OwnStrategy] : {}
  return Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(names, name)))
}

/** Returns the listing of these entries with a budget in characters, if the strategy has a budget. */
export async function listed(
  entries: readonly CatalogEntry[],
  budget: number,
  options: AnyListing = {},
  searchTool?: string,
): Promise<Listing> {
  return (await start(fitting({ ...options, budget }))).format(entries, undefined, searchTool)
}
