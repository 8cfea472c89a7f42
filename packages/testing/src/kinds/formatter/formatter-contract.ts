import { contractOf } from '../../contract/contract-rule.js'
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

/**
 * Returns the rules that every formatter keeps, as cases for any test runner. See docs/reference/kinds.md, "The
 * contracts of other kinds".
 * @param make makes a formatter with the given budget; called once a budget
 */
export const formatterContract = /* @__PURE__ */ contractOf<MakeFormatter, FormatterLack, FormatterTrial>({
  name: 'formatterContract',
  owner: 'formatter',
  trial: FormatterTrial,
  rules: () => [...budgetRules, ...entryRules],
  async waived(trial, lack) {
    const isKept: Readonly<Record<FormatterLack, () => Promise<boolean>>> = {
      budget: async () => (await trial.listed(manyEntries(50), 500)).usedChars <= 500,
      order: async () => (await keepsOrder(['b', 'a', 'c'])) && (await keepsOrder(['c', 'a', 'b'])),
      pinned: async () =>
        (await trial.listed([listedAs('one'), listedAs('two', { override: 'pinned' })], ample)).entries[0]?.name ===
        'two',
      nameOnly: async () =>
        (await trial.listed([listedAs('one', { override: 'name-only' })], ample)).entries[0]?.shown === 'name',
    }
    return (await isKept[lack]()) && `it keeps to "${lack}"`
    async function keepsOrder(names: readonly string[]): Promise<boolean> {
      const { entries } = await trial.listed(
        names.map(name => listedAs(name)),
        ample,
      )
      return entries.map(({ name }) => name).join() === names.join()
    }
  },
})
