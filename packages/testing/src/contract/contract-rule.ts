import { messageOf } from '@skills/core'
import { ContractError, type ContractCase } from './contract-case.js'
import type { Check } from './check.js'

/** A rule of a contract. */
export interface ContractRule<C extends Check, L extends string = string> {
  readonly name: string
  readonly rule: string
  /** The rule does not apply where `without` names one of these. */
  readonly needs?: readonly L[]
  check(trial: C): Promise<void>
}

/** What a contract is told to do without, each with the reason. */
export type Without<L extends string> = Readonly<Partial<Record<L, string>>>

/**
 * The rules as cases for any test runner.
 * @throws ContractError when `without` names what no rule needs, which is a slip
 */
export function casesOf<C extends Check, L extends string>(
  rules: readonly ContractRule<C, L>[],
  without: Without<L>,
  begin: (rule: string) => C,
): readonly ContractCase[] {
  refuseUnknown(without, new Set(rules.flatMap(({ needs = [] }) => needs)))
  return rules.map(({ name, rule, needs = [], check }) => {
    const skip = needs.map(need => without[need]).find(reason => reason !== undefined)
    return {
      name,
      rule,
      ...(skip !== undefined && { skip }),
      async run() {
        if (skip !== undefined) throw new ContractError(`Rule "${rule}" does not apply: ${skip}`)
        const trial = begin(rule)
        const [checked] = await Promise.allSettled([check(trial)])
        const [ended] = await Promise.allSettled([trial.end()])
        // What was found counts for more than that it could not be cleaned up.
        for (const one of [checked, ended]) if (one.status === 'rejected') throw asContractError(rule, one.reason)
      },
    }
  })
}

function refuseUnknown(without: object, known: ReadonlySet<string>): void {
  const unknown = Object.keys(without).find(lack => !known.has(lack))
  if (unknown === undefined) return
  throw new ContractError(
    `The contract cannot be told to do without "${unknown}", which it does not know. Correct its name in "without", or take it out; known are ${[...known].toSorted().join(', ')}.`,
  )
}

/** What fails without breaking the rule has kept the rule from being checked. */
function asContractError(rule: string, error: unknown): ContractError {
  return error instanceof ContractError
    ? error
    : new ContractError(`Rule "${rule}": it could not be checked: ${messageOf(error)}`, { cause: error })
}
