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
        ? `The folder was trusted by an earlier version, which did not record agreement. These parts of this ${what} are ignored until someone agrees to them: ${[...named, ...more].join(', ')}.`
        : `Some parts of this ${what} are ignored, because no one has agreed to them as they are now: ${[...named, ...more].join(', ')}.`,
      hint: 'Look at the new and changed parts. To agree to them, trust the folder again.',
    },
  ]
}
