import { contractOf } from '../../contract/contract-rule.js'
import { answerRules } from './answer-rules.js'
import { nameRules } from './name-rules.js'
import { orderRules } from './order-rules.js'
import { PermissionTrial, requestFor, scriptFor, type MakePermission, type PermissionLack } from './permission-trial.js'
import { scriptRules } from './script-rules.js'

/**
 * Returns the rules that every permission provider keeps, as cases for any test runner. See docs/reference/kinds.md,
 * "The contracts of other kinds".
 * @param make makes a provider with the given rules; called once for each set of rules
 */
export const permissionContract = /* @__PURE__ */ contractOf<MakePermission, PermissionLack, PermissionTrial>({
  name: 'permissionContract',
  owner: 'provider',
  trial: PermissionTrial,
  rules: () => [...orderRules, ...nameRules, ...scriptRules, ...answerRules],
  async waived(trial, lack) {
    const isKept: Readonly<Record<PermissionLack, () => Promise<boolean>>> = {
      rules: async () => (await behaviorOf(['deny Skill(alpha)'], 'alpha')) !== (await behaviorOf([], 'alpha')),
      scripts: async () =>
        (await behaviorOf(['deny Bash(git:*)', 'allow Bash'], 'git status', 'Bash')) === 'deny' &&
        (await behaviorOf(['deny Bash(git:*)', 'allow Bash'], 'ls', 'Bash')) !== 'deny',
      grants: async () =>
        (await behaviorOf([], 'git status', 'Bash', ['Bash(git:*)'])) !== (await behaviorOf([], 'git status', 'Bash')),
      default: async () =>
        (await behaviorOf([], 'alpha')) !== 'allow' && (await behaviorOf([], '', 'Frobnicate')) !== 'allow',
      suggestions: async () => ((await (await trial.with()).check(requestFor('alpha'))).suggestions ?? []).length > 0,
    }
    return (await isKept[lack]()) && `it keeps to "${lack}"`
    async function behaviorOf(
      given: readonly string[],
      content: string,
      tool = 'Skill',
      granted?: readonly string[],
    ): Promise<string> {
      const request = tool === 'Skill' ? requestFor(content) : scriptFor(content, { tool, granted })
      return (await (await trial.with(...given)).check(request)).behavior
    }
  },
})
