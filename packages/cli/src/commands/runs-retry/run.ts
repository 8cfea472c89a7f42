import { changeRun } from '../../runs/with-runs.js'
import type { Io } from '../../io.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** `skills runs retry ID`. See docs/reference/runs.md, "At the command line". */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  return changeRun(invocation, io, (runs, id) => runs.retry(id, { fresh: invocation.has('--fresh') }))
}
