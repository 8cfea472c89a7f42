import type { Diagnostic } from '@skills/core'
import type { ConsentItem, ItemState } from '@skills/trust/internal'

/** Item, and whether the person agreed to it. */
export interface JudgedItem extends ConsentItem {
  readonly state: ItemState
}

/** Most items that a sentence names. The others are counted. */
const mostNamed = 5

/**
 * Reports the items of a file in a trusted folder that have no effect, because the person has not agreed to their
 * current form.
 * @param what kind of the file, such as `configuration`
 * @param missing items without effect
 * @param isUnlisted true if the folder was trusted before items were stored
 */
export function unagreedDiagnostics(
  path: string,
  what: string,
  missing: readonly JudgedItem[],
  isUnlisted: boolean,
): readonly Diagnostic[] {
  if (missing.length === 0) return []
  const named = missing
    .slice(0, mostNamed)
    .map(({ kind, label, state }) => `the ${kind} ${JSON.stringify(label)} is ${state}`)
  const more = missing.length > mostNamed ? [`${missing.length - mostNamed} more`] : []
  return [
    {
      severity: 'warning',
      type: 'validation',
      code: 'not-agreed',
      path,
      message: isUnlisted
        ? `The folder was trusted before it was remembered what of it was agreed to, so of this ${what} nothing counts that has to be agreed to (${[...named, ...more].join(', ')}).`
        : `Of this ${what} some does not count, because no one agreed to it as it is now: ${[...named, ...more].join(', ')}.`,
      hint: 'Look at what is new or changed, and agree to it by trusting the folder again.',
    },
  ]
}
