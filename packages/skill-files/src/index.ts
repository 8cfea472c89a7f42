export { FileSkill, type RootContext } from './file-skill.js'
export { fileSource } from './file-source.js'
export type { FileSourceOptions, Layout, SkillRoot, SkillRoots } from './layout.js'
export { unsafeCharacter } from './safe-name.js'
