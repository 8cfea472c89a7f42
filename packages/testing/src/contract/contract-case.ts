/** One rule of a contract, as a case that any test runner can run. */
export interface ContractCase {
  /** Short and stable, such as `fail-open`. */
  readonly name: string
  /** The rule as a sentence: what a provider that keeps the contract does. */
  readonly rule: string
  /** Why the case does not apply, if it does not; a runner shows it as skipped, with this reason. */
  readonly skip?: string
  /**
   * Resolves when the rule is kept. Rejects with an `Error` whose message names the rule, what was expected and what
   * was found; that of a skipped case always does, so that it never counts as passed.
   */
  run(): Promise<void>
}

export interface ContractOutcome {
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Why it failed or was skipped: a sentence. */
  readonly message?: string
}

/** A rule of a contract that is broken, or that could not be checked. */
export class ContractError extends Error {
  override readonly name = 'ContractError'
}

/** Runs the cases one after the other, for those who have no test runner at hand. Never rejects. */
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
