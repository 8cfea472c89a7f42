import { checkOptions } from '@skills/core'
import { casesOf, type Without } from '../../contract/contract-rule.js'
import { contextRules } from './context-rules.js'
import { endingRules } from './ending-rules.js'
import { ExecutorTrial, invocationOf, modelText, type ExecutorLack, type ExecutorRule, type MakeExecutor } from './executor-trial.js'
import { messageRules } from './message-rules.js'
import type { ContractCase } from '../../contract/contract-case.js'
import type { KindContractOptions } from '../kind-fixture.js'

export type { ExecutorLack, MakeExecutor } from './executor-trial.js'

const rules: readonly ExecutorRule[] = [...messageRules, ...contextRules, ...endingRules]

/**
 * The rules that every executor keeps, as cases for any test runner.
 * See docs/reference.md, "The contracts of other kinds".
 * @param make gives an executor; called anew for every case. It is set up with an expander of the suite's own
 */
export function executorContract(make: MakeExecutor, options: KindContractOptions<ExecutorLack> = {}): readonly ContractCase[] {
  checkOptions<KindContractOptions<ExecutorLack>>('executorContract()', options, { without: 1, patienceMs: 1 })
  const { without = {}, patienceMs = 20_000 } = options
  return casesOf([...rules, waivers(without)], without, rule => new ExecutorTrial(rule, make, patienceMs))
}

/** Something that can be checked after all must not stay unchecked. */
function waivers({ messages, context }: Without<ExecutorLack>): ExecutorRule {
  return {
    name: 'without',
    rule: 'what the executor is said to do without is not there',
    async check(trial) {
      const { execute } = await trial.executor()
      const outcome = await execute(invocationOf({ template: 'The text of the skill.', allowedTools: ['Read'], model: 'large' }))
      if (messages !== undefined && modelText(outcome) !== '') trial.broken(`there is a message for the model, although the contract is told to do without messages ("${messages}"). Take it out of "without".`)
      if (context !== undefined && outcome.contextModifier !== undefined) trial.broken(`there is a contextModifier, although the contract is told to do without context ("${context}"). Take it out of "without".`)
    },
  }
}
