import { kindContract } from '../kind-contract.js'
import { ExpanderTrial, type MakeExpander } from './expander-trial.js'
import { lexRules } from './lex-rules.js'
import { textRules } from './text-rules.js'
import type { ExpanderLack } from './expander-fixture.js'

export type { MakeExpander } from './expander-trial.js'

/**
 * The rules that every expander keeps, as cases for any test runner.
 * See docs/reference/kinds.md, "The contracts of other kinds".
 * @param make gives an expander with texts for it; called anew for every case
 */
export const expanderContract = /* @__PURE__ */ kindContract<MakeExpander, ExpanderLack, ExpanderTrial>({
  kind: 'expander',
  trial: ExpanderTrial,
  rules: [...lexRules, ...textRules],
  async waived(trial, { bring }) {
    const { fixture } = await trial.expanding()
    if (bring !== undefined && fixture.bring !== undefined)
      trial.broken(
        `there is a bring(), although the contract is told to do without it ("${bring}"). Take it out of "without".`,
      )
  },
})
