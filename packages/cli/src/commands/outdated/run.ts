import { outdated as findOutdated } from '@skills/install'
import { exitCodes, type Io } from '../../io.js'
import { pinText } from '../../installing/plan-text.js'
import { printableLine } from '../../output/printable.js'
import { withInstall } from '../../installing/install-context.js'
import { writeJson } from '../../output/write-json.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** `skills outdated`. See docs/reference/install.md. */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  return withInstall(
    invocation,
    io,
    async context => {
      const found = await findOutdated(context)
      if (invocation.json) writeJson(found, io.stdout)
      else
        for (const { name, now, files } of found) {
          const count = files.added.length + files.changed.length + files.removed.length
          const what = `${count} ${count === 1 ? 'file differs' : 'files differ'}`
          io.stdout.write(`${printableLine(name)}\t${what}\t${printableLine(pinText(now))}\n`)
        }
      if (found.length === 0 && io.stderr.isTerminal) io.stderr.write('All installed skills match their sources.\n')
      return found.length === 0 ? exitCodes.ok : exitCodes.failed
    },
    { isQuiet: invocation.has('--quiet') },
  )
}
