import { sync as seeToAgents } from '@skills/install'
import { asUsageError } from '../usage-error.js'
import { exitCodes, type Io } from '../io.js'
import { printDifferences } from './verify.js'
import { printableLine } from '../printable.js'
import { withInstall } from '../install-context.js'
import { writeJson } from '../write-json.js'
import type { Invocation } from '../parse-arguments.js'

/** `skills sync`. See docs/reference/install.md. */
export async function sync(invocation: Invocation, io: Io): Promise<number> {
  const { texts, has, json } = invocation
  return withInstall(invocation, io, async context => {
    const options = { agents: texts('--agent'), replace: has('--force') }
    const result = await asUsageError(async () => seeToAgents(options, context))
    const { repaired, differences } = result
    if (json) writeJson(result, io.stdout)
    else {
      if (repaired.length > 0) io.stdout.write(`Put in order: ${repaired.map(printableLine).join(', ')}\n`)
      printDifferences(differences, io)
    }
    return differences.length === 0 ? exitCodes.ok : exitCodes.failed
  })
}
