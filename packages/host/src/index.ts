export { SkillsError } from '@skills/core'
export { localCommand } from './local-command.js'
export { openSkills, type HostSkills } from './open-skills.js'
