export { SkillsError } from '@skills/core'
export {
  openSkills,
  type HostOptions,
  type HostParts,
  type HostSkills,
  type InvokeOptions,
  type MadeWith,
  type NamedOptions,
  type SessionOptions,
} from './open-skills.js'
