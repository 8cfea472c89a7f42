import { SkillsError } from '@skills/core'

/**
 * Makes an `E_WRITE` error.
 * @param message sentence with the file that is not written and the reason
 * @param hint sentence that says what to do
 */
export function notWritten(message: string, hint: string): SkillsError {
  return new SkillsError('E_WRITE', message, { hint })
}
