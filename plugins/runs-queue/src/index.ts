export { openQueuedRuns, queuedRuns, type OpenedRuns, type QueuedRunsOptions } from './queued-runs.js'
export { queueErrorCodes } from './queue-error.js'
export { startWorker, type RunsWorker, type WorkerOptions } from './worker.js'
