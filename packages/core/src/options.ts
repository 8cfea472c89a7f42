import { closestNames } from './name.js'
import { fail } from './error.js'

/** Every name of a set of options, of all its shapes: the type checker finds one that is missing and one too many. */
export type OptionNames<T> = Readonly<Record<T extends unknown ? keyof T : never, 1>>

/**
 * Refuses options that have no effect, for callers without a type checker: `E_INVALID_OPTION` with the closest name.
 * @param what whose they are: `budgetFormatter()`
 */
export function checkOptions<T>(what: string, given: unknown, names: OptionNames<T>): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    refuse(`The options of ${what} are ${JSON.stringify(given)}.`, 'Give an object.')
  const all = Object.keys(names)
  const wrong = Object.keys(given).find(name => !all.includes(name) && given[name as never] !== undefined)
  if (wrong !== undefined) noOption(what, wrong, all)
}

/** Throws `E_INVALID_OPTION` for an option that there is not, with the closest one or all there are. */
export function noOption(what: string, wrong: string, all: readonly string[]): never {
  // Another form of one word may be many edits away: `denied` of `deny`.
  const close = closestNames(wrong, all, 1)[0] ?? all.find(name => name.startsWith(wrong.slice(0, 3)))
  refuse(
    `${what} has no option "${wrong}".`,
    close === undefined ? `It has ${all.join(', ')}.` : `Did you mean "${close}"?`,
  )
}

/** Throws `E_INVALID_OPTION`. */
export function refuse(message: string, hint: string): never {
  fail('E_INVALID_OPTION', message, hint)
}
