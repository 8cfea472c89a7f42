import { kindContract } from '../kind-contract.js'
import { lifeRules } from './life-rules.js'
import { RunsTrial, type MakeRuns, type RunsLack } from './runs-trial.js'
import { stepRules } from './step-rules.js'

export type { MakeRuns, RunsFixture, RunsLack } from './runs-trial.js'

/**
 * The rules that every engine of runs keeps, as cases for any test runner. See
 * docs/reference/kinds.md, "The contracts of other kinds".
 * @param make gives an engine, and the same runs as another process has them; called anew for every case
 */
export const runsContract = /* @__PURE__ */ kindContract<MakeRuns, RunsLack, RunsTrial>({
  kind: 'runs',
  trial: RunsTrial,
  rules: [...lifeRules, ...stepRules],
  async waived() {
    // There is nothing that an engine of runs may do without.
  },
})
