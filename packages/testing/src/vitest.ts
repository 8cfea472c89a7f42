import { describe, expect, test } from 'vitest'
import { executorContract } from './kinds/executor/executor-contract.js'
import { expanderContract } from './kinds/expander/expander-contract.js'
import { fixedSourceContract } from './contract/fixed-source-contract.js'
import { formatterContract } from './kinds/formatter/formatter-contract.js'
import { permissionContract } from './kinds/permission/permission-contract.js'
import { remoteSourceContract } from './remote/remote-source-contract.js'
import { runnerContract } from './kinds/runner/runner-contract.js'
import { sourceContract } from './contract/source-contract.js'
import { storeContract } from './stores/store-contract.js'
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

/** {@link testContract} with {@link sourceContract}. */
export function testSource(title: string, ...given: Parameters<typeof sourceContract>): void {
  testContract(title, sourceContract(...given))
}

/** {@link testContract} with {@link fixedSourceContract}. */
export function testFixedSource(title: string, ...given: Parameters<typeof fixedSourceContract>): void {
  testContract(title, fixedSourceContract(...given))
}

/** {@link testContract} with {@link remoteSourceContract}. */
export function testRemoteSource(title: string, ...given: Parameters<typeof remoteSourceContract>): void {
  testContract(title, remoteSourceContract(...given))
}

/** {@link testContract} with {@link permissionContract}. */
export function testPermission(title: string, ...given: Parameters<typeof permissionContract>): void {
  testContract(title, permissionContract(...given))
}

/** {@link testContract} with {@link executorContract}. */
export function testExecutor(title: string, ...given: Parameters<typeof executorContract>): void {
  testContract(title, executorContract(...given))
}

/** {@link testContract} with {@link expanderContract}. */
export function testExpander(title: string, ...given: Parameters<typeof expanderContract>): void {
  testContract(title, expanderContract(...given))
}

/** {@link testContract} with {@link formatterContract}. */
export function testFormatter(title: string, ...given: Parameters<typeof formatterContract>): void {
  testContract(title, formatterContract(...given))
}

/** {@link testContract} with {@link runnerContract}. */
export function testRunner(title: string, ...given: Parameters<typeof runnerContract>): void {
  testContract(title, runnerContract(...given))
}

/** {@link testContract} with {@link storeContract}. */
export function testStore(title: string, ...given: Parameters<typeof storeContract>): void {
  testContract(title, storeContract(...given))
}
