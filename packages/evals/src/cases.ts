export { checkEvalCases, readEvalCases } from './cases/read-eval-cases.js'
