import { kindContract } from '../kind-contract.js'
import { budgetRules } from './budget-rules.js'
import { entryRules } from './entry-rules.js'
import {
  ample,
  FormatterTrial,
  listedAs,
  manyEntries,
  type FormatterLack,
  type MakeFormatter,
} from './formatter-trial.js'

export type { FormatterLack, MakeFormatter } from './formatter-trial.js'

/**
 * The rules that every formatter keeps, as cases for any test runner.
 * See docs/reference/kinds.md, "The contracts of other kinds".
 * @param make gives a formatter with the budget that it is told; called anew for every budget
 */
export const formatterContract = /* @__PURE__ */ kindContract<MakeFormatter, FormatterLack, FormatterTrial>({
  kind: 'formatter',
  trial: FormatterTrial,
  rules: [...budgetRules, ...entryRules],
  async waived(trial, without) {
    await trial.expectWaived(
      without,
      {
        budget: async () => (await trial.listed(manyEntries(50), 500)).usedChars <= 500,
        order: async () => (await keepsOrder(['b', 'a', 'c'])) && (await keepsOrder(['c', 'a', 'b'])),
        pinned: async () =>
          (await trial.listed([listedAs('one'), listedAs('two', { override: 'pinned' })], ample)).entries[0]?.name ===
          'two',
        nameOnly: async () =>
          (await trial.listed([listedAs('one', { override: 'name-only' })], ample)).entries[0]?.shown === 'name',
      },
      lack => `it keeps to "${lack}", although the contract is told to do without`,
    )
    async function keepsOrder(names: readonly string[]): Promise<boolean> {
      const { entries } = await trial.listed(
        names.map(name => listedAs(name)),
        ample,
      )
      return entries.map(({ name }) => name).join() === names.join()
    }
  },
})
