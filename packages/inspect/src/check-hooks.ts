import { placeOfProblem } from '@skills/skill-md/internal'
import { readHooks } from '@skills/invocation'
import type { Diagnostic } from '@skills/core'

/**
 * Findings that are told one by one. To find where one stands takes going through the file, so that thousands would
 * take minutes.
 */
const mostTold = 50

/**
 * Finds what of a skill's hooks does nothing, with the reader that registers them: an author hears of a hook that
 * forbids nothing before a run depends on it.
 * @param declared as the field has it; undefined where there is none
 * @param text gives the whole file; asked only where something is wrong
 */
export function checkHooks(declared: unknown, text: () => string): readonly Diagnostic[] {
  if (declared === undefined) return []
  const { problems } = readHooks(declared)
  const more = problems.length - mostTold
  const rest = {
    field: 'hooks',
    keyPath: ['hooks'],
    message: `has more of that: ${more} besides the ${mostTold} that are named`,
    hint: 'Correct those first.',
  }
  return [...problems.slice(0, mostTold), ...(more > 0 ? [rest] : [])].map(({ field, keyPath, message, hint }) => ({
    severity: 'warning',
    type: 'validation',
    code: 'invalid-hook',
    message: `\`${field}\` ${message}.`,
    hint,
    field,
    ...placeOfProblem(text(), { code: 'invalid-hook', keyPath }),
  }))
}
