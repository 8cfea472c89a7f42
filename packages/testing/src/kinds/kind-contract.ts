import { checkOptions } from '@skills/core'
import { casesOf, type ContractRule, type Without } from '../contract/contract-rule.js'
import type { Check } from '../contract/check.js'
import type { ContractCase } from '../contract/contract-case.js'
import type { KindContractOptions } from './kind-fixture.js'

/** What makes up the contract of a kind. */
export interface KindContractParts<M, L extends string, C extends Check> {
  readonly kind: string
  readonly trial: new (rule: string, make: M, patienceMs: number) => C
  readonly rules: readonly ContractRule<C, L>[]
  /** Something that can be checked after all must not stay unchecked. */
  waived(trial: C, without: Without<L>): Promise<void>
}

/** The function that gives the cases of a kind, and one more for what it is said to do without. */
export function kindContract<M, L extends string, C extends Check>({
  kind,
  trial: Trial,
  rules,
  waived,
}: KindContractParts<M, L, C>) {
  return (make: M, options: KindContractOptions<L> = {}): readonly ContractCase[] => {
    checkOptions<KindContractOptions<L>>(`${kind}Contract()`, options, { without: 1, patienceMs: 1 })
    const { without = {} as Without<L>, patienceMs = 20_000 } = options
    const rule = `what the ${kind === 'permission' ? 'provider' : kind === 'runs' ? 'engine' : kind} is said to do without is not there`
    return casesOf(
      [...rules, { name: 'without', rule, check: trial => waived(trial, without) }],
      without,
      said => new Trial(said, make, patienceMs),
    )
  }
}
