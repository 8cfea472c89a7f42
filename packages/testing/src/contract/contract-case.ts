/** One rule of a contract as a case for any test runner. */
export interface ContractCase {
  /** Short stable name, such as `fail-open`. */
  readonly name: string
  /** The rule as a sentence about a provider that keeps the contract. */
  readonly rule: string
  /** Reason why the case does not apply. A runner shows the case as skipped, with this reason. */
  readonly skip?: string
  /**
   * Resolves if the rule is kept. Rejects with an `Error` whose message names the rule, the expected and the found
   * value. A skipped case always rejects, so that it never counts as passed.
   */
  run(): Promise<void>
}

export interface ContractOutcome {
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Reason for the failure or the skip, as a sentence. */
  readonly message?: string
}

/** Error of a rule that is broken or could not be checked. */
export class ContractError extends Error {
  override readonly name = 'ContractError'
}

/** Runs the cases one after the other, without a test runner. Never rejects. */
export async function runContract(cases: readonly ContractCase[]): Promise<readonly ContractOutcome[]> {
  const outcomes: ContractOutcome[] = []
  for (const { name, skip, run } of cases) {
    if (skip === undefined)
      outcomes.push(
        await run().then(
          () => ({ name, outcome: 'passed' }),
          error => ({ name, outcome: 'failed', message: String(error) }),
        ),
      )
    else outcomes.push({ name, outcome: 'skipped', message: skip })
  }
  return outcomes
}
