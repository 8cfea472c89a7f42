export { openQueuedRuns, queuedRuns, type OpenedRuns, type QueuedRunsOptions } from './queued-runs.js'
export { startWorker } from './worker.js'
