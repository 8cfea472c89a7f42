import { workOnJobs, type RunsWorker, type WorkerOptions } from '@skills/runs/internal'
import { skillOfRun } from './run-skill.js'
import type { Skills } from '@skills/core'

/**
 * Starts a worker for the runs of a queue, in an engine with `queuedRuns()`. The worker runs a skill only if the engine
 * has it with the permitted digest, and under the engine's own trust and rules. Rejects with `E_INVALID_OPTION`,
 * `E_MISSING_PROVIDER` for an engine without a queue, `E_QUEUE` and `E_QUEUE_VERSION`. See docs/reference/runs.md,
 * "Workers".
 */
export function startWorker(skills: Skills, given?: WorkerOptions): Promise<RunsWorker> {
  return workOnJobs(skills, skillOfRun, given)
}
