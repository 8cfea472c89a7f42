/**
 * Parts of this package for our other packages. They are not covered by versions.
 * @internal
 */
export type { AgentDefinition } from './agent.js'
