export { openQueuedRuns, queuedRuns, type OpenedRuns, type QueuedRunsOptions } from './queued-runs.js'
export { queueErrorCodes } from './queue-error.js'
export { startWorker } from './worker.js'
