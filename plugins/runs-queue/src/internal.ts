/**
 * Parts of this package for our other packages. Semantic versioning does not cover them.
 * @internal
 */
export type { RunsWorker, WorkerOptions } from './worker.js'
