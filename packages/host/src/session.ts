export { AgentSession } from './session/agent-session.js'
export type { AgentSessionValue } from './session/session-options.js'
