import { contractOf } from '../../contract/contract-rule.js'
import { lifeRules } from './life-rules.js'
import { RunsTrial, type MakeRuns } from './runs-trial.js'
import { stepRules } from './step-rules.js'

/**
 * Returns the rules that every engine of runs keeps, as cases for any test runner. See docs/reference/kinds.md, "The
 * contracts of other kinds".
 * @param make makes an engine, and a second engine over the same runs, as another process would have; called once for
 *   each case
 */
export const runsContract = /* @__PURE__ */ contractOf<MakeRuns, never, RunsTrial>({
  name: 'runsContract',
  owner: 'engine',
  trial: RunsTrial,
  rules: () => [...lifeRules, ...stepRules],
})
