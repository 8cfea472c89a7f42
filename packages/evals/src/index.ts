export { routing } from './routing.js'
export type { AgentRouting, RoutedQuery, RoutedTold, Routing, RoutingOptions, SkillRouting } from './routing.js'
export {
  decided,
  newcombe,
  proportion,
  trialsToDecide,
  wilson,
  type Count,
  type Difference,
  type Interval,
  type Proportion,
  type Verdict,
} from './statistics.js'
export { asking, type Asked, type AskModel, type Model, type ModelAnswer } from './model.js'
export { Recordings, type RecordingsOptions, type Stale } from './recordings.js'
export type { TrialEnd } from './trial.js'
export { triggers, type QueryTriggers, type SkillTriggers, type Triggers, type TriggersOptions } from './triggers.js'
export { trialOptions } from './trial-options.js'
export { outcomes, type EvalDistribution, type Outcomes, type OutcomesOptions } from './outcomes.js'
export type { AssertionOutcome, SkillOutcome, TaskOutcome, TaskOutcomeTrial } from './outcomes.js'
export type { AssertionResult } from './assertions.js'
export { neededBy } from './commands.js'
export { descriptionIn } from './description-in.js'
export { against, type Against, type AgainstOptions } from './against.js'
export { baselineOf, compare, readBaseline } from './comparison.js'
export type { Baseline, Change, Comparison } from './compared.js'
export { readReport, type EvalReport } from './eval-report.js'
export { junitText, markdownText, shareText } from './report.js'
export type { Price, Progress, SpendingOptions, Spent, TrialsOptions } from './spending.js'
