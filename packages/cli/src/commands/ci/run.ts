import { ci as putInOrder } from '@skills/install'
import { withAgreement } from '../../installing/install-agreement.js'
import { withInstall } from '../../installing/install-context.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'
import type { Io } from '../../io.js'

/** `skills ci`. See docs/reference/install.md. */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  return withInstall(
    invocation,
    io,
    async context =>
      withAgreement(
        async agreed =>
          putInOrder({ offline: invocation.has('--offline'), replace: invocation.has('--force'), agreed }, context),
        context,
        invocation,
        io,
      ),
    { isQuiet: invocation.has('--quiet') },
  )
}
