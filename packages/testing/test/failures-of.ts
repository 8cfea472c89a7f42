import { runContract } from '@skills/testing'
import type { ContractCase } from '@skills/testing/internal'

/** Runs the cases and returns the names of those that fail, with their messages. */
export async function failuresOf(cases: readonly ContractCase[]): Promise<Record<string, string | undefined>> {
  const outcomes = await runContract(cases)
  return Object.fromEntries(
    outcomes.filter(({ outcome }) => outcome === 'failed').map(({ name, message }) => [name, message]),
  )
}
