import { loadedEngine } from '../yaml/engine.js'
import { readQuickBlock } from './quick.js'

/** YAML whose structure is the same for every `YamlReading`. */
export interface PlainYaml {
  readonly value: unknown
  /** True if one of the texts may be read as another type. */
  readonly isTyped: boolean
}

/** Reads YAML without the library, with scalars as texts. Returns undefined if the result is not certain. */
export function quickYaml(block: string): PlainYaml | undefined {
  const value = readQuickBlock(block)
  return value === undefined || hasTypedKey(value) ? undefined : { value, isTyped: mayBeTyped(value) }
}

/**
 * Reads YAML whose structure is the same for every `YamlReading`: it has no tag, alias, merge key or key that is
 * given twice. Scalars stay texts. Returns undefined for other YAML, and if the library is needed and not loaded.
 */
export function plainYaml(block: string): PlainYaml | undefined {
  const quick = quickYaml(block)
  if (quick !== undefined) return quick
  const read = loadedEngine()?.loadAs(block, 0, { scalars: 'text', strictIndent: true })
  return read?.ok === true && typeof read.value === 'object' && read.value !== null && !hasTypedKey(read.value)
    ? { value: read.value, isTyped: mayBeTyped(read.value) }
    : undefined
}

/** Number, boolean, date, merge key and the like; `1.2.3` is none of these. */
const typed = /^(?:[-+]?(?:\.inf|\.nan|0[box]\w*|[\d_]*\.?[\d_]*(?:e[-+]?\d*)?|\d[\d_:.]*)|\d{4}-.*|true|false|<<)$/is

/** Returns true if a program may take one of the texts for another type. */
function mayBeTyped(value: unknown): boolean {
  return someText(value, text => typed.test(text))
}

/** Text that `dates` or `merges` concern, or that YAML 1.1 reads in another way. */
const special = /^(?:\d{4}-|<<$|[-+]?0o|[-+]?\d[\d_]*[:_])/

/** Returns true if the options of a reading decide about one of the texts, besides whether scalars have types. */
export function isSpecial(value: unknown): boolean {
  return someText(value, text => special.test(text))
}

function someText(value: unknown, is: (text: string) => boolean): boolean {
  if (typeof value === 'string') return is(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(one => someText(one, is))
}

/** Returns true if a program may take one of the keys for another type, so that it becomes another text. */
function hasTypedKey(value: object): boolean {
  return (
    (!Array.isArray(value) && Object.keys(value).some(key => typed.test(key))) ||
    Object.values(value).some(one => typeof one === 'object' && one !== null && hasTypedKey(one))
  )
}
