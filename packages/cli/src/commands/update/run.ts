import { planUpdate } from '@skills/install'
import { again } from '../../engine/again.js'
import { askAndApply } from '../../installing/ask-and-apply.js'
import { planJson } from '../../installing/plan-json.js'
import { refusedLines } from '../../installing/plan-text.js'
import { printableLine } from '../../output/printable.js'
import { exitCodes, type Io } from '../../io.js'
import { orFoundInstead } from '../../installing/found-instead.js'
import { withInstall } from '../../installing/install-context.js'
import { writeJson } from '../../output/write-json.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** `skills update [NAME…]`. See docs/reference/install.md. */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  const { args, json } = invocation
  return withInstall(
    invocation,
    io,
    async context => {
      const plan = await orFoundInstead(invocation, io, context, () =>
        planUpdate(args.length === 0 ? undefined : args, context),
      )
      const isWhole = plan.refused.length + plan.drifted.length === 0
      for (const { message } of plan.drifted) io.stderr.write(`skills: ${printableLine(message)}\n`)
      if (plan.drifted.length > 0)
        io.stderr.write(`skills: The disk differs from the lock. Put it back: ${again('ci', invocation, io)}\n`)
      if (plan.skills.length > 0) {
        const code = await askAndApply(plan, invocation, io, context)
        return code === exitCodes.ok && !isWhole ? exitCodes.failed : code
      }
      plan.discard()
      io.stderr.write(refusedLines(plan))
      if (json) writeJson(planJson(plan, false), io.stdout)
      else if (isWhole) io.stdout.write('All installed skills match their sources.\n')
      return isWhole ? exitCodes.ok : exitCodes.failed
    },
    { isQuiet: invocation.has('--quiet'), isLarge: invocation.has('--allow-large') },
  )
}
