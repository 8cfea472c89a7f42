export { openQueuedRuns, queuedRuns, type QueuedRunsOptions } from './queued-runs.js'
export { queueErrorCodes } from './queue-error.js'
export type { OpenedRuns } from '@skills/runs/internal'
export { startWorker } from './worker.js'
