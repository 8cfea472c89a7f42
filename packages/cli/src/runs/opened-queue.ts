import { openQueuedRuns, type OpenedRuns, type QueuedRunsOptions } from '@skills/runs-queue'
import { hostOf } from '../engine/engine.js'
import type { Invocation } from '../arguments/invocation.js'
import type { Io } from '../io.js'
import type { queue } from '../arguments/shared-options.js'

type QueueInvocation = Invocation<keyof typeof queue>

/** Opens the runs of the queue that is named. Returns undefined if there is none. */
export function openedQueue(invocation: QueueInvocation, io: Io): OpenedRuns | undefined {
  const queue = queueOf(invocation, io)
  return queue && openQueuedRuns(hostOf(invocation, io), queue)
}

/** Returns the queue that `--queue` or the variable names, or undefined if neither does. */
export function queueOf(invocation: QueueInvocation, { env }: Io): QueuedRunsOptions | undefined {
  // Other users can see arguments of a process, but not its variables.
  const url = invocation.text('--queue') ?? env['SKILLS_QUEUE']
  return url === undefined || url === '' ? undefined : { url, name: env['SKILLS_QUEUE_NAME'] }
}
