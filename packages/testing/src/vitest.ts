import { describe, expect, test } from 'vitest'
import { executorContract } from './kinds/executor/executor-contract.js'
import { expanderContract } from './kinds/expander/expander-contract.js'
import { fixedSourceContract } from './contract/fixed-source-contract.js'
import { formatterContract } from './kinds/formatter/formatter-contract.js'
import { permissionContract } from './kinds/permission/permission-contract.js'
import { remoteSourceContract } from './remote/remote-source-contract.js'
import { runnerContract } from './kinds/runner/runner-contract.js'
import { runsContract } from './kinds/runs/runs-contract.js'
import { sourceContract } from './contract/source-contract.js'
import { storeContract } from './stores/store-contract.js'
import type { ContractCase } from './contract/contract-case.js'

/** Milliseconds, more than any case takes, so that a case's own message is shown before the timeout of the runner. */
const timeout = 120_000

/**
 * Registers a contract with vitest: one test for each case. Cases that do not apply are skipped, with the reason.
 * @param title name of what is tested, such as the source
 */
export function testContract(title: string, cases: readonly ContractCase[]): void {
  /* oxlint-disable vitest/valid-title -- titles are what the contract says */
  describe(title, () => {
    for (const { name, rule, skip, run } of cases) {
      test(`${name}: ${rule}`, { timeout }, async context => {
        if (skip !== undefined) context.skip(skip)
        const failure: unknown = await run().then(
          () => undefined,
          (error: unknown) => error,
        )
        // Thrown unchanged, so that its message is printed first.
        if (failure !== undefined) throw failure
        // Some projects require an assertion in every test; this is it.
        expect(failure).toBeUndefined()
      })
    }
  })
  /* oxlint-enable vitest/valid-title */
}

/** Makes the function that registers a contract under a title. */
function registering<A extends readonly unknown[]>(
  contract: (...given: A) => readonly ContractCase[],
): (title: string, ...given: A) => void {
  return (title, ...given) => testContract(title, contract(...given))
}

/** {@link testContract} with {@link sourceContract}. */
export const testSource = /* @__PURE__ */ registering(sourceContract)
/** {@link testContract} with {@link fixedSourceContract}. */
export const testFixedSource = /* @__PURE__ */ registering(fixedSourceContract)
/** {@link testContract} with {@link remoteSourceContract}. */
export const testRemoteSource = /* @__PURE__ */ registering(remoteSourceContract)
/** {@link testContract} with {@link permissionContract}. */
export const testPermission = /* @__PURE__ */ registering(permissionContract)
/** {@link testContract} with {@link executorContract}. */
export const testExecutor = /* @__PURE__ */ registering(executorContract)
/** {@link testContract} with {@link expanderContract}. */
export const testExpander = /* @__PURE__ */ registering(expanderContract)
/** {@link testContract} with {@link formatterContract}. */
export const testFormatter = /* @__PURE__ */ registering(formatterContract)
/** {@link testContract} with {@link runnerContract}. */
export const testRunner = /* @__PURE__ */ registering(runnerContract)
/** {@link testContract} with {@link runsContract}. */
export const testRuns = /* @__PURE__ */ registering(runsContract)
/** {@link testContract} with {@link storeContract}. */
export const testStore = /* @__PURE__ */ registering(storeContract)
