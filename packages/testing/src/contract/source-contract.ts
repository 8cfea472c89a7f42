import { checkOptions } from '@skills/core'
import { abortRules, expectNoTurns } from './abort-rules.js'
import { bodyRules } from './body-rules.js'
import { casesOf } from './contract-rule.js'
import { failureRules } from './failure-rules.js'
import { listingRules } from './listing-rules.js'
import { refreshRules } from './refresh-rules.js'
import { promptNamed } from './reading.js'
import { sample } from './samples.js'
import { Trial } from './trial.js'
import type { ContractCase } from './contract-case.js'
import type { Lack, MakeFixture, SourceContractOptions } from './fixture.js'
import type { SourceRule } from './source-rule.js'

const rules: readonly SourceRule[] = [...listingRules, ...failureRules, ...bodyRules, ...abortRules, ...refreshRules]

/**
 * The rules that every source keeps, as cases for any test runner.
 * See docs/reference/sources.md, "The contract of a source".
 *
 *     for (const { name, rule, skip, run } of sourceContract(make)) test(`${name}: ${rule}`, { skip }, run)
 *
 * @param make gives a source over an empty store; called anew for every case
 */
export function sourceContract(make: MakeFixture, options: SourceContractOptions = {}): readonly ContractCase[] {
  checkOptions<SourceContractOptions>('sourceContract()', options, { without: 1, patienceMs: 1 })
  const { without = {}, patienceMs = 20_000 } = options
  return casesOf([...rules, waivers(without)], without, rule => new Trial(rule, make, patienceMs))
}

/** Something that can be checked after all must not stay unchecked. */
function waivers(without: Readonly<Partial<Record<Lack, string>>>): SourceRule {
  return {
    name: 'without',
    rule: 'what the source is said to do without is not there',
    async check(trial) {
      const { store, ...fixture } = await trial.fixture([sample('alpha')])
      const { source, list } = await trial.start({ ...fixture, store })
      if (without.identity !== undefined) {
        const { file, digest } = promptNamed(trial, (await list()).commands, 'alpha', 'With one skill')
        if (file !== undefined || digest !== undefined)
          trial.broken(
            `a command has a ${file === undefined ? 'digest' : 'file'}, although the contract is told to do without identity ("${without.identity}"). Take it out of "without".`,
          )
      }
      for (const [lack, reason] of Object.entries(without)) {
        const isThere = lack === 'refresh' ? source.refresh !== undefined : Reflect.has(store, lack)
        if (isThere)
          trial.broken(
            `there is a ${lack}(), although the contract is told to do without it ("${reason}"). Take it out of "without".`,
          )
      }
      if (without.turns !== undefined) await expectNoTurns(trial, without.turns)
    },
  }
}
