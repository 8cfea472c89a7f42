export type { Argument } from './fill-arguments.js'
export { processRunner, type ProcessRunnerOptions } from './process-runner.js'
export { readAgentLine, type LineNews, type ReadLine } from './read-lines.js'
