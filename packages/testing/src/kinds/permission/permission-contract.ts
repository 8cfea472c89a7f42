import { checkOptions } from '@skills/core'
import { casesOf, type Without } from '../../contract/contract-rule.js'
import { answerRules } from './answer-rules.js'
import { nameRules } from './name-rules.js'
import { orderRules } from './order-rules.js'
import { PermissionTrial, requestFor, scriptFor, type MakePermission } from './permission-trial.js'
import { scriptRules } from './script-rules.js'
import type { ContractCase } from '../../contract/contract-case.js'
import type { KindContractOptions } from '../kind-fixture.js'
import type { PermissionLack, PermissionRule } from './permission-rule.js'

const rules: readonly PermissionRule[] = [...orderRules, ...nameRules, ...scriptRules, ...answerRules]

/**
 * The rules that every permission provider keeps, as cases for any test runner.
 * See docs/reference.md, "The contracts of other kinds".
 * @param make gives a provider with the rules that it is told; called anew for every set of rules
 */
export function permissionContract(make: MakePermission, options: KindContractOptions<PermissionLack> = {}): readonly ContractCase[] {
  checkOptions<KindContractOptions<PermissionLack>>('permissionContract()', options, { without: 1, patienceMs: 1 })
  const { without = {}, patienceMs = 20_000 } = options
  return casesOf([...rules, waivers(without)], without, rule => new PermissionTrial(rule, make, patienceMs))
}

/** Something that can be checked after all must not stay unchecked. */
function waivers(without: Without<PermissionLack>): PermissionRule {
  return {
    name: 'without',
    rule: 'what the provider is said to do without is not there',
    async check(trial) {
      const isThere: Readonly<Record<PermissionLack, () => Promise<boolean>>> = {
        rules: async () => await behaviorOf(['deny Skill(alpha)'], 'alpha') !== await behaviorOf([], 'alpha'),
        scripts: async () => await behaviorOf(['deny Bash(git:*)', 'allow Bash'], 'git status', 'Bash') === 'deny' && await behaviorOf(['deny Bash(git:*)', 'allow Bash'], 'ls', 'Bash') !== 'deny',
        grants: async () => await behaviorOf([], 'git status', 'Bash', ['Bash(git:*)']) !== await behaviorOf([], 'git status', 'Bash'),
        default: async () => await behaviorOf([], 'alpha') !== 'allow' && await behaviorOf([], '', 'Frobnicate') !== 'allow',
        suggestions: async () => ((await (await trial.with()).check(requestFor('alpha'))).suggestions ?? []).length > 0,
      }
      for (const lack of ['rules', 'scripts', 'grants', 'default', 'suggestions'] as const) {
        const reason = without[lack]
        if (reason !== undefined && await isThere[lack]()) trial.broken(`it keeps to "${lack}", although the contract is told to do without ("${reason}"). Take it out of "without".`)
      }
      async function behaviorOf(given: readonly string[], content: string, tool = 'Skill', granted?: readonly string[]): Promise<string> {
        const request = tool === 'Skill' ? requestFor(content) : scriptFor(content, { tool, granted })
        return (await (await trial.with(...given)).check(request)).behavior
      }
    },
  }
}
