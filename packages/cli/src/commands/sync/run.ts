import { sync as seeToAgents } from '@skills/install'
import { asUsageError } from '../../arguments/usage-error.js'
import { withAgreement } from '../../installing/install-agreement.js'
import { withInstall } from '../../installing/install-context.js'
import type { Invocation } from '../../arguments/parse-arguments.js'
import type { Io } from '../../io.js'

/** `skills sync`. See docs/reference/install.md. */
export async function sync(invocation: Invocation, io: Io): Promise<number> {
  const options = { agents: invocation.texts('--agent'), replace: invocation.has('--force') }
  return withInstall(invocation, io, async context =>
    withAgreement(
      async agreed => asUsageError(async () => seeToAgents({ ...options, agreed }, context)),
      context,
      invocation,
      io,
    ),
  )
}
