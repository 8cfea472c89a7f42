import { abortRules, turnsOf } from './abort-rules.js'
import { bodyRules } from './body-rules.js'
import { contractOf } from './contract-rule.js'
import { failureRules } from './failure-rules.js'
import { listingRules } from './listing-rules.js'
import { refreshRules } from './refresh-rules.js'
import { Trial } from './trial.js'
import type { Lack, MakeFixture } from './fixture.js'

/**
 * Returns the rules that every source keeps, as cases for any test runner. See docs/reference/sources.md, "The contract
 * of a source".
 *
 *     for (const { name, rule, skip, run } of sourceContract(make)) test(`${name}: ${rule}`, { skip }, run)
 *
 * @param make makes a source over an empty store; called once a case
 */
export const sourceContract = /* @__PURE__ */ contractOf<MakeFixture, Lack, Trial>({
  name: 'sourceContract',
  owner: 'source',
  trial: Trial,
  rules: () => [...listingRules, ...failureRules, ...bodyRules, ...abortRules, ...refreshRules],
  async waived(trial, lack) {
    if (lack === 'turns') return turnsOf(trial)
    const { store, source, command } = await trial.one()
    if (lack === 'identity') {
      const key = (['file', 'digest'] as const).find(one => command[one] !== undefined)
      return key && `a command has a ${key}`
    }
    const isThere = lack === 'refresh' ? source.refresh !== undefined : Reflect.has(store, lack)
    return isThere && `there is a ${lack}()`
  },
})
