import { closestNames } from './name.js'
import { fail } from './error.js'

/** All option names of a type, or of every type in a union. The type checker reports a missing or superfluous name. */
export type OptionNames<T> = Readonly<Record<T extends unknown ? keyof T : never, 1>>

/** Names of the options that belong inside an option: `{ host: ['cwd', 'home'] }`. */
export type NestedNames = Readonly<Record<string, readonly string[]>>

/**
 * Throws `E_INVALID_OPTION` for an unknown option and names the closest known one. Meant for callers without a type
 * checker.
 * @param what function that has the options: `budgetFormatter()`
 * @param nested names that are known only inside another option, for the hint
 */
export function checkOptions<T>(what: string, given: unknown, names: OptionNames<T>, nested?: NestedNames): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    refuse(`The options of ${what} are ${JSON.stringify(given)}.`, 'Give an object.')
  const all = Object.keys(names)
  const wrong = Object.keys(given).filter(name => !all.includes(name) && given[name as never] !== undefined)
  if (wrong.length > 0) noOption(what, wrong, all, nested)
}

/**
 * Throws `E_INVALID_OPTION` for unknown options. The hint says inside which option they belong, or has the closest
 * known name, or else all names.
 */
export function noOption(
  what: string,
  [wrong = '', ...more]: readonly string[],
  all: readonly string[],
  nested: NestedNames = {},
): never {
  const inner = Object.entries(nested)
  const inside = (outer: string, names: readonly string[]): string => `${outer}: { ${names.join(', ')} }`
  const [exact] = inner.flatMap(([outer, names]) =>
    names.includes(wrong) ? inside(outer, [wrong, ...more.filter(name => names.includes(name))]) : [],
  )
  const close =
    exact ??
    closestNames(wrong, all, 1)[0] ??
    inner.flatMap(([outer, names]) => closestNames(wrong, names, 1).map(name => inside(outer, [name])))[0] ??
    // Another form of a word may be many edits away: `denied` and `deny`.
    all.find(name => name.startsWith(wrong.slice(0, 3)))
  refuse(
    `${what} has no option "${wrong}".`,
    close === undefined ? `It has ${all.join(', ')}.` : `Did you mean "${close}"?`,
  )
}

/** Throws `E_INVALID_OPTION`. */
export function refuse(message: string, hint: string): never {
  fail('E_INVALID_OPTION', message, hint)
}
