import { exitCodes, type Io } from '../io.js'
import { firstNames } from '../output/first-names.js'
import { printableLine } from '../output/printable.js'
import { writeJson } from '../output/write-json.js'
import type { CiResult, Difference } from '@skills/install/internal'
import type { Invocation } from '../arguments/invocation.js'

/** Prints what was repaired and what could not be. Returns the exit code. */
export function printResult(result: CiResult, { json }: Invocation, io: Io): number {
  const { repaired, differences } = result
  if (json) writeJson(result, io.stdout)
  else {
    if (repaired.length > 0) io.stdout.write(`Repaired: ${firstNames(repaired, 12)}\n`)
    printDifferences(differences, io)
  }
  return differences.length === 0 ? exitCodes.ok : exitCodes.failed
}

/** Prints one difference on each line, and on a terminal what to do. */
export function printDifferences(differences: readonly Difference[], { stdout, stderr }: Io): void {
  stdout.write(differences.map(({ message }) => `${printableLine(message)}\n`).join(''))
  if (stderr.isTerminal && differences.length === 0) stderr.write('The disk matches the lock.\n')
}
