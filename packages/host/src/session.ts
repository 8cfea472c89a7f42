export { AgentSession } from './session/agent-session.js'
export type { SessionTool, SkillCall } from './session/session-tools.js'
export type {
  AgentSessionOptions,
  AgentSessionValue,
  HostCall,
  SentLine,
  SessionCall,
  SessionDecision,
  SessionDistribution,
  SessionProgress,
  Shortened,
  ShownCall,
} from './session/session-options.js'
