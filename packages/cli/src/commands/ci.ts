import { ci as putInOrder } from '@skills/install'
import { exitCodes, type Io } from '../io.js'
import { printDifferences } from './verify.js'
import { printableLine } from '../printable.js'
import { withInstall } from '../install-context.js'
import { writeJson } from '../write-json.js'
import type { Invocation } from '../parse-arguments.js'

/** `skills ci`. See docs/reference/install.md. */
export async function ci(invocation: Invocation, io: Io): Promise<number> {
  return withInstall(invocation, io, async context => {
    const result = await putInOrder({ offline: invocation.has('--offline') }, context)
    const { repaired, differences } = result
    if (invocation.json) writeJson(result, io.stdout)
    else {
      if (repaired.length > 0) io.stdout.write(`Put in order: ${repaired.map(printableLine).join(', ')}\n`)
      printDifferences(differences, io)
    }
    return differences.length === 0 ? exitCodes.ok : exitCodes.failed
  })
}
