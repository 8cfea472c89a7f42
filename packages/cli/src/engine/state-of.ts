import { printableLine } from '../output/printable.js'
import type { Host } from '@skills/core'
import type { openState as OpenStateFunction } from '@skills/distributions/trust'
import type { Io } from '../io.js'

/** Opens the user's state, and prints what is wrong with it. */
export async function stateOf(host: Host, { stderr }: Io): Promise<ReturnType<typeof OpenStateFunction>> {
  const { openState } = await import('@skills/distributions/trust')
  return openState(host, {
    report: ({ message, hint = '' }) => stderr.write(`skills: ${printableLine(`${message} ${hint}`)}\n`),
  })
}
