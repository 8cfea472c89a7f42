/** A skill, as it is found again. */
export interface SkillRef {
  readonly name: string
  readonly source: string
  readonly path?: string | undefined
}

/** A skill whose hooks are in force. */
export interface HookedSkill extends SkillRef {
  /** Of what it declared, as SHA-256 in hexadecimal digits. */
  readonly digest: string
}
