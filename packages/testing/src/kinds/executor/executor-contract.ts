import { contractOf } from '../../contract/contract-rule.js'
import { contextRules } from './context-rules.js'
import { endingRules } from './ending-rules.js'
import { ExecutorTrial, invocationOf, modelText, type ExecutorLack, type MakeExecutor } from './executor-trial.js'
import { messageRules } from './message-rules.js'

/**
 * Returns the rules that every executor keeps, as cases for any test runner. See docs/reference/kinds.md, "The
 * contracts of other kinds".
 * @param make makes an executor; called once a case. It is set up with an expander of the suite
 */
export const executorContract = /* @__PURE__ */ contractOf<MakeExecutor, ExecutorLack, ExecutorTrial>({
  name: 'executorContract',
  owner: 'executor',
  trial: ExecutorTrial,
  rules: () => [...messageRules, ...contextRules, ...endingRules],
  async waived(trial, lack) {
    const { execute } = await trial.executor()
    const outcome = await execute(
      invocationOf({ template: 'The text of the skill.', allowedTools: ['Read'], model: 'large' }),
    )
    return lack === 'messages'
      ? modelText(outcome) !== '' && 'there is a message for the model'
      : outcome.contextModifier !== undefined && 'there is a contextModifier'
  },
})
