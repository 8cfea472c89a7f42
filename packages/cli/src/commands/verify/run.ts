import { verify as compare } from '@skills/install'
import { exitCodes, type Io } from '../../io.js'
import { printDifferences } from '../../installing/differences-text.js'
import { withInstall } from '../../installing/install-context.js'
import { writeJson } from '../../output/write-json.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** `skills verify`. See docs/reference/install.md. */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  return withInstall(invocation, io, async context => {
    const differences = await compare(context)
    if (invocation.json) writeJson(differences, io.stdout)
    else printDifferences(differences, io)
    return differences.length === 0 ? exitCodes.ok : exitCodes.failed
  })
}
