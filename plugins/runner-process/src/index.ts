export { processRunner, type ProcessRunnerOptions } from './process-runner.js'
export { readAgentLine } from './read-lines.js'
