import { closestNames } from '@skills/core'
import { check, formOf, object, type StandardSchema } from '@skills/core/schema'
import { fieldPath, isJsonObject, type KeyPath } from '@skills/files/internal'
import { configurationKeyTable, keyEntries, type ConfigurationData } from './configuration-keys.js'
import { distributionNames, isKnown } from './distribution-named.js'
import { isModulePath } from './distribution-place.js'

export type CheckedConfiguration =
  | {
      readonly data: ConfigurationData
      readonly unknown: readonly { readonly path: KeyPath; readonly field: string; readonly hint: string }[]
    }
  /** Problem of a value. `path` leads to the innermost key that has a name. */
  | { readonly field: string; readonly path: KeyPath; readonly message: string }

/**
 * Checks the content of a configuration file. Unknown keys are reported, and the others are used.
 * @param isInstalled returns true if a package of this name is installed
 * @param more further keys that this kind of file may have
 */
export function checkConfiguration(
  given: unknown,
  isInstalled: (name: string) => boolean,
  more: readonly string[] = [],
): CheckedConfiguration {
  if (!isJsonObject(given)) return { field: '', path: [], message: 'must be an object' }
  // An unknown key is reported, and the other keys are used.
  const unknown: UnknownKey[] = []
  const known = knownIn(configurationSchema, given, [], unknown)
  const [issue] = check(configurationSchema, known).issues
  if (issue !== undefined) {
    const [name = ''] = issue.path as string[]
    const says = keyEntries.find(([one]) => one === name)?.[1].says ?? []
    const keys = (issue.path as KeyPath).slice(0, says.length)
    const named = keys.findLastIndex(one => typeof one === 'string')
    return { field: fieldPath(keys), path: keys.slice(0, named + 1), message: says[keys.length - 1] ?? issue.message }
  }
  const data = given as ConfigurationData
  const { distribution: name = 'standard' } = data
  if (!isKnown(name) && !isModulePath(name) && !isInstalled(name)) {
    const [close] = closestNames(name, distributionNames, 1)
    const meant = close === undefined ? '' : `; the closest is "${close}"`
    return {
      field: 'distribution',
      path: ['distribution'],
      message: `${configurationKeyTable.distribution.says[0]}${meant}`,
    }
  }
  const besides = ['$schema', ...more]
  return {
    data,
    unknown: unknown
      .filter(({ path: [key = '', ...below] }) => below.length > 0 || !besides.includes(String(key)))
      .map(one => ({ path: one.path, field: fieldPath(one.path), hint: hintFor(one, more) })),
  }
}

/** Schema of a configuration file. */
export const configurationSchema = object(
  Object.fromEntries(keyEntries.map(([name, { schema }]) => [name, schema as StandardSchema])),
)

interface UnknownKey {
  readonly path: KeyPath
  /** Keys that are allowed in its place. */
  readonly known: readonly string[]
}

/** Returns the value without unknown keys at any depth. They are added to `unknown` in their order. */
function knownIn(schema: StandardSchema, value: unknown, path: KeyPath, unknown: UnknownKey[]): unknown {
  const form = formOf(schema)
  if (form?.type === 'list')
    return Array.isArray(value) ? value.map((one, at) => knownIn(form.item, one, [...path, at], unknown)) : value
  if (form?.type === 'either') {
    for (const one of form.some) {
      const found: UnknownKey[] = []
      const known = knownIn(one, value, path, found)
      if (check(one, known).issues.length > 0) continue
      unknown.push(...found)
      return known
    }
    return value
  }
  if (!isJsonObject(value) || (form?.type !== 'object' && form?.type !== 'record')) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => {
      const inner = form.type === 'record' ? form.value : Object.hasOwn(form.shape, key) ? form.shape[key] : undefined
      if (inner !== undefined) return [[key, knownIn(inner, one, [...path, key], unknown)]]
      if (form.type === 'object') unknown.push({ path: [...path, key], known: Object.keys(form.shape) })
      return []
    }),
  )
}

function hintFor({ path, known }: UnknownKey, more: readonly string[]): string {
  const words = path.length === 1 ? [...known, ...more] : known
  const [close] = closestNames(String(path.at(-1)), words, 1)
  return close === undefined ? `It can have ${words.join(', ')}.` : `Did you mean "${close}"?`
}
