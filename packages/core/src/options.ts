import { closestNames } from './name.js'
import { fail } from './error.js'

/** Every name of a set of options, in all its shapes. The type checker reports a missing or superfluous name. */
export type OptionNames<T> = Readonly<Record<T extends unknown ? keyof T : never, 1>>

/**
 * Throws `E_INVALID_OPTION` for an unknown option and names the closest known one. Meant for callers without a type
 * checker.
 * @param what function that has the options: `budgetFormatter()`
 */
export function checkOptions<T>(what: string, given: unknown, names: OptionNames<T>): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    refuse(`The options of ${what} are ${JSON.stringify(given)}.`, 'Give an object.')
  const all = Object.keys(names)
  const wrong = Object.keys(given).find(name => !all.includes(name) && given[name as never] !== undefined)
  if (wrong !== undefined) noOption(what, wrong, all)
}

/**
 * Throws `E_INVALID_OPTION` for an unknown option. The hint has the closest known name or, if none is close, all names.
 */
export function noOption(what: string, wrong: string, all: readonly string[]): never {
  // Another form of a word may be many edits away: `denied` and `deny`.
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
