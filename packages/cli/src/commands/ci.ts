import { ci as putInOrder } from '@skills/install'
import { printResult } from './verify.js'
import { withInstall } from '../install-context.js'
import type { Invocation } from '../parse-arguments.js'
import type { Io } from '../io.js'

/** `skills ci`. See docs/reference/install.md. */
export async function ci(invocation: Invocation, io: Io): Promise<number> {
  return withInstall(invocation, io, async context =>
    printResult(await putInOrder({ offline: invocation.has('--offline') }, context), invocation, io),
  )
}
