import { placeOfProblem } from '@skills/skill-md/internal'
import { readHooks } from '@skills/invocation'
import { describeUnsupported } from '@skills/invocation/internal'
import type { Diagnostic } from '@skills/core'

/**
 * Most findings that are reported one by one. Placing one takes a pass through the file, so thousands would take
 * minutes.
 */
const mostTold = 50

/**
 * Returns warnings for hooks of a skill that do nothing, so that an author notices such a hook before a run depends on
 * it. Hooks are read by the same code that registers them.
 * @param declared value of the field; undefined if it is missing
 * @param text returns the whole file; called only if there is a problem
 */
export function checkHooks(declared: unknown, text: () => string): readonly Diagnostic[] {
  if (declared === undefined) return []
  const { problems, unsupported } = readHooks(declared)
  const more = problems.length - mostTold
  const rest = {
    field: 'hooks',
    keyPath: ['hooks'],
    message: `has ${more} more problems; only the first ${mostTold} are shown`,
    hint: 'Correct the problems above first.',
  }
  const wrong = [...problems.slice(0, mostTold), ...(more > 0 ? [rest] : [])].map(
    ({ field, keyPath, message, hint }): Diagnostic => ({
      severity: 'warning',
      type: 'validation',
      code: 'invalid-hook',
      message: `\`${field}\` ${message}.`,
      hint,
      field,
      ...placeOfProblem(text(), { code: 'invalid-hook', keyPath }),
    }),
  )
  const other = describeUnsupported(unsupported)
  if (other === undefined) return wrong
  const { keyPath, ...said } = other
  const code = 'unsupported-hook'
  return [
    ...wrong,
    {
      severity: 'info',
      type: 'validation',
      code,
      ...said,
      message: `${said.message}.`,
      ...placeOfProblem(text(), { code, keyPath }),
    },
  ]
}
