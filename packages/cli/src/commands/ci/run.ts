import { ci as putInOrder } from '@skills/install'
import { withAgreement } from '../../installing/install-agreement.js'
import { withInstall } from '../../installing/install-context.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'
import { printableLine } from '../../output/printable.js'
import type { CiOptions } from '@skills/install/internal'
import type { Io } from '../../io.js'

/** `skills ci`. See docs/reference/install.md. */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  return withInstall(
    invocation,
    io,
    async context =>
      withAgreement(
        async agreed =>
          putInOrder(
            {
              offline: invocation.has('--offline'),
              replace: invocation.has('--force'),
              agreed,
              ...asking(invocation, io),
            },
            context,
          ),
        context,
        invocation,
        io,
      ),
    { isQuiet: invocation.has('--quiet') },
  )
}

/** Returns the question whether changes by hand are discarded, if there is a terminal. */
function asking(
  { has, json }: InvocationOf<typeof command>,
  { prompter, signal, stderr }: Io,
): Pick<CiOptions, 'discards'> {
  if (prompter === undefined || json) return {}
  return {
    discards: async edits => {
      stderr.write('These files were changed by hand, and the lock has others:\n')
      stderr.write(edits.map(({ message }) => `  ${printableLine(message)}\n`).join(''))
      if (has('--yes')) stderr.write('--yes agrees to the lock; --force also discards these changes without asking.\n')
      const choices = [
        { value: 'no', label: 'No' },
        { value: 'yes', label: 'Yes, put back what the lock says' },
      ]
      return (await prompter.choose('Discard these changes?', choices, signal)) === 'yes'
    },
  }
}
