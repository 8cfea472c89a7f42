import { sync as seeToAgents } from '@skills/install'
import { asUsageError } from '../../arguments/usage-error.js'
import { withAgreement } from '../../installing/install-agreement.js'
import { withInstall } from '../../installing/install-context.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'
import type { Io } from '../../io.js'

/** `skills sync`. See docs/reference/install.md. */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  const options = { agents: invocation.texts('--agent'), replace: invocation.has('--force') }
  return withInstall(
    invocation,
    io,
    async context =>
      withAgreement(
        async agreed => asUsageError(async () => seeToAgents({ ...options, agreed }, context)),
        context,
        invocation,
        io,
      ),
    { isQuiet: invocation.has('--quiet') },
  )
}
