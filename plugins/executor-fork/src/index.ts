export { agentClaims } from './agent-files.js'
export { forkExecutor } from './fork-executor.js'
export type { ForkExecutorOptions } from './fork-options.js'
