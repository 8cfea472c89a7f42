/**
 * Parts that only other packages of this project use. Versions do not cover them.
 * @internal
 */
export type { AgentDefinition } from './agent.js'
