/**
 * Parts of this package for other packages of ours. They are not covered by versions.
 * @internal
 */
export type { AgentDefinition } from './agent.js'
