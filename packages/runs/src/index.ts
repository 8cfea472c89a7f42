export { embeddedRuns, openRuns, type EmbeddedRunsOptions } from './embedded-runs.js'
export { decodeValue, encodeValue, isToLast } from './journal-text.js'
export { LoggedRuns, type LoggedRunsOptions } from './logged-runs.js'
export { resumeRun, resumeRuns, workOnRun, type ResumeOptions, type WorkOptions } from './resume-runs.js'
export { runErrorCodes } from './run-error.js'
export { openRunKeys, type OpenRunKeysOptions, type RunKey, type RunKeys } from './run-keys.js'
export type { RunLogs } from './run-logs.js'
export {
  isEnded,
  runStates,
  runVersion,
  type RunAnswer,
  type RunEnding,
  type RunEntry,
  type RunEvent,
  type RunHolder,
  type RunJob,
  type RunQuestion,
  type RunRecord,
  type RunSpec,
  type RunState,
} from './run.js'
export { reportOf, runSchema, runsKind, type HeldRun, type FoundRun, type RunFilter, type Runs } from './runs.js'
