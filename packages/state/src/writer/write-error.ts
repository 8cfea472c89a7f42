import { SkillsError } from '@skills/core'

/** Both are sentences: what is not written and why, and what to do. */
export function notWritten(message: string, hint: string): SkillsError {
  return new SkillsError('E_WRITE', message, { hint })
}
