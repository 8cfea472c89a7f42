import type { Quotings } from '@skills/invocation/template'

/** A value that is put in the place of a reference. */
interface PutValue {
  /** As it is written. */
  readonly reference: string
  readonly value: string
}

const substitution = /\$[({[]|`|[<>]\(/
/** A prompt is expanded only after its characters that are written as numbers. */
const numbered = /\\[0-7]/
// A name may stand before the value.
const subscript = /(?:^|\w)\[/
const list = /(?:^|=)\(/

/**
 * Says why values must not be given to a script that evaluates subscripts of what variables hold: bash runs the
 * commands in them. A value without a command in a subscript passes in every script.
 * @param evaluated what the script evaluates
 * @returns a clause; undefined where there is nothing against it
 */
export function whyEvaluated(put: readonly PutValue[], evaluated: Quotings['evaluated']): string | undefined {
  if (evaluated === 'nothing') return undefined
  const found = put.find(({ value }) => holdsCommand(value, evaluated)) ?? parted(put)
  if (found === undefined) return undefined
  return `the value of ${found.reference} holds what bash would run as a command, since this one calculates or takes the names of variables`
}

function holdsCommand(value: string, evaluated: Quotings['evaluated']): boolean {
  if (evaluated === 'everything') return substitution.test(value) || numbered.test(value)
  return isBehind(value, subscript) || (evaluated === 'lists' && isBehind(value, list))
}

function isBehind(value: string, bracket: RegExp): boolean {
  const at = value.search(bracket)
  return at >= 0 && substitution.test(value.slice(at))
}

/** A script may put one value behind another, so that the bracket is of one of them and the command of the next. */
function parted(put: readonly PutValue[]): PutValue | undefined {
  const open = new Set(put.map(({ value }) => value).filter(value => subscript.test(value)))
  // The two characters that a command begins with may be cut apart, too, and the first of them may have the bracket
  // before it.
  return put.find(
    ({ value }) =>
      (value.endsWith('$') && open.size > 0) || (substitution.test(value) && open.size > (open.has(value) ? 1 : 0)),
  )
}
