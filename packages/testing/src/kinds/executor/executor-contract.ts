import { kindContract } from '../kind-contract.js'
import { contextRules } from './context-rules.js'
import { endingRules } from './ending-rules.js'
import { ExecutorTrial, invocationOf, modelText, type ExecutorLack, type MakeExecutor } from './executor-trial.js'
import { messageRules } from './message-rules.js'

export type { ExecutorLack, MakeExecutor } from './executor-trial.js'

/**
 * The rules that every executor keeps, as cases for any test runner.
 * See docs/reference/kinds.md, "The contracts of other kinds".
 * @param make gives an executor; called anew for every case. It is set up with an expander of the suite's own
 */
export const executorContract = /* @__PURE__ */ kindContract<MakeExecutor, ExecutorLack, ExecutorTrial>({
  kind: 'executor',
  trial: ExecutorTrial,
  rules: [...messageRules, ...contextRules, ...endingRules],
  async waived(trial, { messages, context }) {
    const { execute } = await trial.executor()
    const outcome = await execute(
      invocationOf({ template: 'The text of the skill.', allowedTools: ['Read'], model: 'large' }),
    )
    if (messages !== undefined && modelText(outcome) !== '')
      trial.broken(
        `there is a message for the model, although the contract is told to do without messages ("${messages}"). Take it out of "without".`,
      )
    if (context !== undefined && outcome.contextModifier !== undefined)
      trial.broken(
        `there is a contextModifier, although the contract is told to do without context ("${context}"). Take it out of "without".`,
      )
  },
})
