import { openQueuedRuns, type OpenedRuns, type QueuedRunsOptions } from '@skills/runs-queue'
import { hostOf } from '../engine/engine.js'
import type { Invocation } from '../arguments/invocation.js'
import type { Io } from '../io.js'
import type { queue } from '../arguments/shared-options.js'

type QueueInvocation = Invocation<keyof typeof queue>

/** The runs on the queue that is named; undefined where none is. */
export function openedQueue(invocation: QueueInvocation, io: Io): OpenedRuns | undefined {
  const queue = queueOf(invocation, io)
  return queue && openQueuedRuns(hostOf(invocation, io), queue)
}

/** The queue that `--queue` or the variable names; undefined where none is. */
export function queueOf(invocation: QueueInvocation, { env }: Io): QueuedRunsOptions | undefined {
  // A variable is not shown to other users, as arguments are.
  const url = invocation.text('--queue') ?? env['SKILLS_QUEUE']
  return url === undefined || url === '' ? undefined : { url, name: env['SKILLS_QUEUE_NAME'] }
}
