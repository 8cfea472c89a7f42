import { removeSkills } from '@skills/install'
import { exitCodes, type Io } from '../../io.js'
import { printableLine } from '../../output/printable.js'
import { orFoundInstead } from '../../installing/found-instead.js'
import { withInstall } from '../../installing/install-context.js'
import { writeJson } from '../../output/write-json.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** `skills remove NAME…`. See docs/reference/install.md. */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  const { args, has, json } = invocation
  return withInstall(invocation, io, async context => {
    await orFoundInstead(invocation, io, context, () => removeSkills(args, { replace: has('--force') }, context))
    if (json) writeJson({ removed: args }, io.stdout)
    else io.stdout.write(`Removed: ${args.map(printableLine).join(', ')}\n`)
    return exitCodes.ok
  })
}
