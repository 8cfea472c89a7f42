import { placeOfProblem } from '@skills/frontmatter'
import { readHooks } from '@skills/invocation'
import type { Diagnostic } from '@skills/core'

/**
 * What of a skill's hooks does nothing, by the reading that registers them: whoever writes a hook to keep something from being done hears
 * that it does not, before anything is done.
 * @param declared as the field has it; undefined where there is none
 * @param text gives the whole file; asked only where something is wrong
 */
export function checkHooks(declared: unknown, text: () => string): readonly Diagnostic[] {
  if (declared === undefined) return []
  return readHooks(declared).problems.map(({ field, keyPath, message, hint }) => ({
    severity: 'warning', type: 'validation', code: 'invalid-hook', message: `\`${field}\` ${message}.`, hint, field, ...placeOfProblem(text(), { code: 'invalid-hook', keyPath }),
  }))
}
