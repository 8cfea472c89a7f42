/**
 * Parts of this package for our other packages. They are not covered by versions.
 * @internal
 */
export type { EmbeddedRunsOptions } from './embedded-runs.js'
export { decodeValue, encodeValue, isSettling, isToLast } from './journal-text.js'
export type { LoggedRunsOptions } from './logged-runs.js'
export { workOnRun, type ResumeOptions, type WorkOptions } from './resume-runs.js'
export type { OpenRunKeysOptions, RunKey, RunKeys } from './run-keys.js'
export {
  runStates,
  type RunEnding,
  type RunEvent,
  type RunHolder,
  type RunJob,
  type RunQuestion,
  type RunState,
} from './run.js'
export { decodeFacts, encodeFacts, isAmong, type RunFacts } from './run-record.js'
export type { IndexedRuns, RunChanged } from './run-logs.js'
export type { HeldRun, FoundRun, PrunedRuns, PruneOptions, RunFilter } from './runs.js'
export type { DeliveredJob, JobEnd, JobQueue, JobTerms, JobWorkerOptions, QueuedJob } from './workers/job-queue.js'
export { workOnJobs, type RunsWorker, type WorkerOptions } from './workers/work-on-jobs.js'
export type { WorkerEvent } from './workers/worker-event.js'
export { WorkerRuns, type OpenedRuns } from './workers/worker-runs.js'
export { spanText, Timeline, type TimelineLine } from './timeline.js'
