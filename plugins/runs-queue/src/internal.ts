/**
 * Parts of this package for our other packages. They are not covered by versions.
 * @internal
 */
export type { RunsWorker, WorkerOptions } from '@skills/runs/internal'
