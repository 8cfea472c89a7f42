import { entryOf, skillNamed } from '../entries.js'
import { KindTrial, type KindFixture } from '../kind-trial.js'
import type { CatalogEntry, MaybePromise, Override, PromptCommand } from '@skills/core'
import type { ContractRule } from '../../contract/contract-rule.js'
import type { Formatter, Listing } from '@skills/invocation/skill-tool'

/**
 * Makes a formatter. Called once a budget.
 * @param budget UTF-16 code units that the listing may take, possibly an invalid number; undefined for the formatter's
 * own default
 */
export type MakeFormatter = (budget: number | undefined) => MaybePromise<KindFixture<Formatter>>

/**
 * Abilities that a formatter may lack: `budget`, if its listings have no limit; `order`, if it sorts the entries
 * itself; `pinned` and `nameOnly`, if it ignores these settings of the user.
 */
export type FormatterLack = 'budget' | 'order' | 'pinned' | 'nameOnly'

export type FormatterRule = ContractRule<FormatterTrial, FormatterLack>

/** Budget in UTF-16 code units that is larger than any listing which has to fit. */
export const ample = 10_000_000

/** One check of one rule about formatters. */
export class FormatterTrial extends KindTrial<Formatter, MakeFormatter> {
  async formatter(budget: number | undefined): Promise<Formatter> {
    return (await this.start(await this.made(async () => this.make(budget)))).value
  }

  /** Formats these entries. A failure breaks the rule. */
  async format(formatter: Formatter, entries: readonly CatalogEntry[], contextWindow?: number): Promise<Listing> {
    return this.answer('format()', async () =>
      formatter.format(entries, { contextWindow }, { signal: new AbortController().signal }),
    )
  }

  /** Formats the entries with a new formatter of this budget. */
  async listed(entries: readonly CatalogEntry[], budget: number | undefined): Promise<Listing> {
    return this.format(await this.formatter(budget), entries)
  }

  /**
   * Breaks the rule unless the listing's own counts are right and every given entry is listed or counted as omitted.
   */
  expectSound(
    { text, entries, omitted, truncated, budgetChars, usedChars }: Listing,
    given: readonly CatalogEntry[],
    when: string,
  ): void {
    if (usedChars !== text.length) this.broken(`${when}, usedChars is ${usedChars} and the text has ${text.length}.`)
    if (!Number.isFinite(budgetChars) || budgetChars < 0) this.broken(`${when}, budgetChars is ${budgetChars}.`)
    const names = [...entries.map(({ name }) => name), ...omitted]
    const [found, expected] = [names.toSorted(), given.map(({ name }) => name).toSorted()]
    const lost = expected.find(name => !names.includes(name))
    if (lost !== undefined) this.broken(`${when}, "${lost}" is neither among the entries nor among those omitted.`)
    if (found.length !== expected.length)
      this.broken(`${when}, ${expected.length} entries became ${entries.length} and ${omitted.length} omitted ones.`)
    let from = 0
    for (const { name, text: own, shown } of entries) {
      const at = text.indexOf(own, from)
      if (at < 0) this.broken(`${when}, the text of "${name}" is not in the listing where it should be.`)
      from = at + own.length
      if (shown === 'cut' && !truncated.includes(name))
        this.broken(`${when}, the description of "${name}" is cut, and it is not among those truncated.`)
      if (shown === 'whole' && truncated.includes(name))
        this.broken(`${when}, "${name}" is shown whole, and is among those truncated.`)
    }
  }
}

/** Makes the catalog entry of a skill. */
export function listedAs(
  name: string,
  { override = 'on', ...parts }: Partial<PromptCommand> & { readonly override?: Override } = {},
): CatalogEntry {
  return entryOf(skillNamed(name, parts), { override })
}

export function manyEntries(count: number, parts: Partial<PromptCommand> = {}): readonly CatalogEntry[] {
  return Array.from({ length: count }, (_, at) => listedAs(`skill-${String(at).padStart(5, '0')}`, parts))
}

/** Returns budgets from one code unit to the whole listing. The smaller the budgets are, the less they differ. */
export function budgetsUpTo(whole: number): readonly number[] {
  const budgets = new Set([whole, whole - 1])
  for (let budget = 1; budget < whole; budget = Math.ceil(budget * 1.35)) budgets.add(budget)
  return [...budgets].filter(budget => budget > 0).toSorted((a, b) => a - b)
}
