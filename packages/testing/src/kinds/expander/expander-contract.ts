import { contractOf } from '../../contract/contract-rule.js'
import { ExpanderTrial, type ExpanderLack, type MakeExpander } from './expander-trial.js'
import { lexRules } from './lex-rules.js'
import { textRules } from './text-rules.js'

/**
 * Returns the rules that every expander keeps, as cases for any test runner. See docs/reference/kinds.md, "The
 * contracts of other kinds".
 * @param make makes an expander with sample texts; called once a case
 */
export const expanderContract = /* @__PURE__ */ contractOf<MakeExpander, ExpanderLack, ExpanderTrial>({
  name: 'expanderContract',
  owner: 'expander',
  trial: ExpanderTrial,
  rules: () => [...lexRules, ...textRules],
  waived: async trial => (await trial.expanding()).fixture.bring !== undefined && 'there is a bring()',
})
