export { AgentSkills, type AgentSkillsOptions, type HostCall } from './agent-skills/agent-skills.js'
export type { AgentAnswer, AgentCall, AgentTool } from './agent-skills/agent-tools.js'
