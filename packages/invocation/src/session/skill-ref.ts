/** Reference from which a skill can be found again. */
export interface SkillRef {
  readonly name: string
  readonly source: string
  readonly path?: string | undefined
}

/** Skill whose hooks are active. */
export interface HookedSkill extends SkillRef {
  /** SHA-256, in hexadecimal digits, of the hooks that it declares. */
  readonly digest: string
}
