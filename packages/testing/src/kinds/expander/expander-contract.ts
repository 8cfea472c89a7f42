import { checkOptions } from '@skills/core'
import { casesOf, type Without } from '../../contract/contract-rule.js'
import { ExpanderTrial, type ExpanderRule, type MakeExpander } from './expander-trial.js'
import { lexRules } from './lex-rules.js'
import { textRules } from './text-rules.js'
import type { ContractCase } from '../../contract/contract-case.js'
import type { ExpanderLack } from './expander-fixture.js'
import type { KindContractOptions } from '../kind-fixture.js'

export type { MakeExpander } from './expander-trial.js'

const rules: readonly ExpanderRule[] = [...lexRules, ...textRules]

/**
 * The rules that every expander keeps, as cases for any test runner.
 * See docs/reference.md, "The contracts of other kinds".
 * @param make gives an expander with texts for it; called anew for every case
 */
export function expanderContract(make: MakeExpander, options: KindContractOptions<ExpanderLack> = {}): readonly ContractCase[] {
  checkOptions<KindContractOptions<ExpanderLack>>('expanderContract()', options, { without: 1, patienceMs: 1 })
  const { without = {}, patienceMs = 20_000 } = options
  return casesOf([...rules, waivers(without)], without, rule => new ExpanderTrial(rule, make, patienceMs))
}

/** Something that can be checked after all must not stay unchecked. */
function waivers({ bring }: Without<ExpanderLack>): ExpanderRule {
  return {
    name: 'without',
    rule: 'what the expander is said to do without is not there',
    async check(trial) {
      const { fixture } = await trial.expanding()
      if (bring !== undefined && fixture.bring !== undefined) trial.broken(`there is a bring(), although the contract is told to do without it ("${bring}"). Take it out of "without".`)
    },
  }
}
