export type { AgentDefinition } from './agent.js'
export { forkExecutor } from './fork-executor.js'
export type { ForkExecutorOptions } from './fork-options.js'
