import { checkOptions } from '@skills/core'
import { casesOf, type Without } from '../../contract/contract-rule.js'
import { budgetRules } from './budget-rules.js'
import { entryRules } from './entry-rules.js'
import { ample, FormatterTrial, listedAs, manyEntries, type FormatterLack, type FormatterRule, type MakeFormatter } from './formatter-trial.js'
import type { ContractCase } from '../../contract/contract-case.js'
import type { KindContractOptions } from '../kind-fixture.js'

export type { FormatterLack, MakeFormatter } from './formatter-trial.js'

const rules: readonly FormatterRule[] = [...budgetRules, ...entryRules]

/**
 * The rules that every formatter keeps, as cases for any test runner.
 * See docs/reference.md, "The contracts of other kinds".
 * @param make gives a formatter with the budget that it is told; called anew for every budget
 */
export function formatterContract(make: MakeFormatter, options: KindContractOptions<FormatterLack> = {}): readonly ContractCase[] {
  checkOptions<KindContractOptions<FormatterLack>>('formatterContract()', options, { without: 1, patienceMs: 1 })
  const { without = {}, patienceMs = 20_000 } = options
  return casesOf([...rules, waivers(without)], without, rule => new FormatterTrial(rule, make, patienceMs))
}

/** Something that can be checked after all must not stay unchecked. */
function waivers(without: Without<FormatterLack>): FormatterRule {
  return {
    name: 'without',
    rule: 'what the formatter is said to do without is not there',
    async check(trial) {
      const isThere: Readonly<Record<FormatterLack, () => Promise<boolean>>> = {
        budget: async () => (await trial.listed(manyEntries(50), 500)).usedChars <= 500,
        order: async () => await keepsOrder(['b', 'a', 'c']) && await keepsOrder(['c', 'a', 'b']),
        pinned: async () => (await trial.listed([listedAs('one'), listedAs('two', { override: 'pinned' })], ample)).entries[0]?.name === 'two',
        nameOnly: async () => (await trial.listed([listedAs('one', { override: 'name-only' })], ample)).entries[0]?.shown === 'name',
      }
      for (const lack of ['budget', 'order', 'pinned', 'nameOnly'] as const) {
        const reason = without[lack]
        if (reason !== undefined && await isThere[lack]()) trial.broken(`it keeps to "${lack}", although the contract is told to do without ("${reason}"). Take it out of "without".`)
      }
      async function keepsOrder(names: readonly string[]): Promise<boolean> {
        const { entries } = await trial.listed(names.map(name => listedAs(name)), ample)
        return entries.map(({ name }) => name).join() === names.join()
      }
    },
  }
}
