/**
 * Parts of this package for our other packages. They are not covered by versions.
 * @internal
 */
export type { AgentRouting, RoutedQuery, RoutedTold, Routing, RoutingOptions, SkillRouting } from './routing.js'
export type { Count, Difference, Interval, Proportion, Verdict } from './statistics.js'
export type { AskModel, ModelAnswer } from './model.js'
export type { RecordingsOptions, Stale } from './recordings.js'
export type { TrialEnd } from './trial.js'
export type { QueryTriggers, SkillTriggers, Triggers } from './triggers.js'
export type {
  EvalDistribution,
  Outcomes,
  OutcomesOptions,
  AssertionOutcome,
  SkillOutcome,
  TaskOutcome,
  TaskOutcomeTrial,
} from './outcomes.js'
export type { AssertionResult } from './assertions.js'
export { neededBy } from './commands.js'
export { catalogCases, evaluate, hasFailed, notAllowedIn, type EvaluateOptions } from './evaluate.js'
export { descriptionIn } from './description-in.js'
export type { Against, AgainstOptions } from './against.js'
export { readBaseline } from './comparison.js'
export type { Baseline, Change, Comparison } from './compared.js'
export { readReport } from './eval-report.js'
export { shareText } from './report.js'
export type { Price, Progress, SpendingOptions, Spent, TrialsOptions } from './spending.js'
export type { EvalAssertion, EvalCase, EvalCases, EvalFile, EvalQuery, EvalTask } from './cases/eval-cases.js'
export type { ReadEvalCases } from './cases/read-eval-cases.js'
