import { SkillsError } from '@skills/core'

declare module '@skills/core' {
  interface ErrorCodes {
    /** A place is not written to: a link or a repository's own folder is on the way, or something else stands there. */
    E_WRITE: unknown
  }
}

/** Both are sentences: what is not written and why, and what to do. */
export function notWritten(message: string, hint: string): SkillsError {
  return new SkillsError('E_WRITE', message, { hint })
}
