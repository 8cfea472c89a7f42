export { SkillsError } from '@skills/core'
export { localCommand } from './local-command.js'
export type { HostOptions, MadeWith, NamedOptions } from './host-options.js'
export { openSkills, type HostSkills, type InvokeOptions, type SessionOptions } from './open-skills.js'
