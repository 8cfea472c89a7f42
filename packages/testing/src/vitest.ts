import { describe, expect, test } from 'vitest'
import type { ContractCase } from './contract/contract-case.js'

/** Milliseconds; more than any case takes, so that the sentence of a case comes before the runner's. */
const timeout = 120_000

/**
 * Registers a contract with vitest: one test for each case, those that do not apply skipped with their reason.
 * @param title what keeps the contract, such as the name of the source
 */
export function testContract(title: string, cases: readonly ContractCase[]): void {
  /* oxlint-disable vitest/valid-title -- titles are what the contract says */
  describe(title, () => {
    for (const { name, rule, skip, run } of cases) {
      test(`${name}: ${rule}`, { timeout }, async context => {
        if (skip !== undefined) context.skip(skip)
        const failure: unknown = await run().then(() => undefined, (error: unknown) => error)
        // Thrown as it is, so that its sentence comes first.
        if (failure !== undefined) throw failure
        // Where every test has to assert something, this is what it asserts.
        expect(failure).toBeUndefined()
      })
    }
  })
  /* oxlint-enable vitest/valid-title */
}
