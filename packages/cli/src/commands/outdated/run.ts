import { outdated as findOutdated } from '@skills/install'
import { highestLevel } from '@skills/inspect'
import { exitCodes, type Io } from '../../io.js'
import { pinText, refusedLines } from '../../installing/plan-text.js'
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
      const { skills: found, refused } = await findOutdated(context)
      io.stderr.write(refusedLines({ refused }))
      if (invocation.json) writeJson(found, io.stdout)
      else
        for (const { name, now, files, gained } of found) {
          const count = files.added.length + files.changed.length + files.removed.length
          const what = `${count} ${count === 1 ? 'file differs' : 'files differ'}`
          const level = highestLevel(gained)
          const more = level === undefined ? '' : `, gains ${level}`
          io.stdout.write(`${printableLine(name)}\t${what}${more}\t${printableLine(pinText(now))}\n`)
        }
      const isWhole = found.length + refused.length === 0
      if (isWhole && io.stderr.isTerminal) io.stderr.write('All installed skills match their sources.\n')
      return isWhole ? exitCodes.ok : exitCodes.failed
    },
    { isQuiet: invocation.has('--quiet') },
  )
}
