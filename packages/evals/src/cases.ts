export type { EvalAssertion, EvalCase, EvalCases, EvalFile, EvalQuery, EvalTask } from './cases/eval-cases.js'
export { checkEvalCases, readEvalCases, type ReadEvalCases } from './cases/read-eval-cases.js'
