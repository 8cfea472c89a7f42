import { checkOptions, messageOf, type MaybePromise, type OptionNames } from '@skills/core'
import { ContractError, type ContractCase } from './contract-case.js'
import type { Check, ContractOptions } from './check.js'

/** Rule of a contract. */
export interface ContractRule<C extends Check, L extends string = string> {
  readonly name: string
  readonly rule: string
  /** Abilities that the rule needs. It is skipped if `without` names one of them. */
  readonly needs?: readonly L[]
  check(trial: C): Promise<void>
}

/** Parts from which a contract is built. */
export interface ContractParts<M, L extends string, C extends Check, O extends ContractOptions<L>> {
  /** Name of the function that returns the cases, for messages. */
  readonly name: string
  /** Word for the party that may lack an ability, for messages. */
  readonly owner: string
  readonly trial: new (rule: string, make: M, options: O) => C
  readonly rules: (options: O) => readonly ContractRule<C, L>[]
  /** Options besides those of every contract. */
  readonly options?: Readonly<Record<Exclude<keyof O, keyof ContractOptions<L>>, 1>>
  /** Returns a sentence if an ability that `without` names exists after all; the case then fails. */
  waived?(trial: C, lack: L): MaybePromise<string | false | undefined>
}

/**
 * Builds the function that returns the cases of a contract: one case for each rule, and one for each entry of
 * `without`.
 */
export function contractOf<M, L extends string, C extends Check, O extends ContractOptions<L> = ContractOptions<L>>({
  name,
  owner,
  trial: Trial,
  rules,
  options: more,
  waived,
}: ContractParts<M, L, C, O>) {
  return (make: M, options: O = {} as O): readonly ContractCase[] => {
    checkOptions<O>(`${name}()`, options, { without: 1, patienceMs: 1, ...more } as unknown as OptionNames<O>)
    const { without = {} as NonNullable<O['without']> } = options
    const waivers: ContractRule<C, L> = {
      name: 'without',
      rule: `what the ${owner} is said to do without is not there`,
      async check(trial) {
        for (const [lack, reason] of Object.entries(without)) {
          const what = await waived?.(trial, lack as L)
          if (typeof what === 'string')
            trial.broken(
              `${what}, although the contract is told to do without ${lack} ("${String(reason)}"). Take it out of "without".`,
            )
        }
      },
    }
    const all = [...rules(options), ...(waived === undefined ? [] : [waivers])]
    return casesOf(all, without, rule => new Trial(rule, make, options))
  }
}

/**
 * Turns rules into cases for any test runner.
 * @throws ContractError if `without` names an ability that no rule needs
 */
export function casesOf<C extends Check, L extends string>(
  rules: readonly ContractRule<C, L>[],
  without: Readonly<Partial<Record<L, string>>>,
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
        // The result of the check matters more than a failed clean-up.
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

/** Turns a failure that breaks no rule into a ContractError which says that the rule could not be checked. */
function asContractError(rule: string, error: unknown): ContractError {
  return error instanceof ContractError
    ? error
    : new ContractError(`Rule "${rule}": it could not be checked: ${messageOf(error)}`, { cause: error })
}
