import { planUpdate } from '@skills/install'
import { askAndApply } from '../../installing/plan-text.js'
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
      if (plan.skills.length > 0 || plan.refused.length > 0) return askAndApply(plan, invocation, io, context)
      plan.discard()
      if (json) writeJson({ installed: false, digest: plan.digest, skills: [] }, io.stdout)
      else io.stdout.write('All installed skills match their sources.\n')
      return exitCodes.ok
    },
    { isQuiet: invocation.has('--quiet'), isLarge: invocation.has('--allow-large') },
  )
}
