import type { Field, FieldType } from './field.js'

/** Check of a value: its words in messages, and the test. */
export type Shape = readonly [expected: string, fits: (value: unknown) => boolean]

export const text: Shape = ['text', value => typeof value === 'string']
const texts: Shape = ['a list of text', value => Array.isArray(value) && value.every(one => typeof one === 'string')]
export const flag: Shape = ['true or false', value => typeof value === 'boolean']
const map: Shape = ['an object', value => typeof value === 'object' && value !== null]

export const oneOf = (...allowed: readonly string[]): Shape => [
  allowed.join(' or '),
  value => allowed.includes(value as string),
]

const ofType: Readonly<Record<FieldType, Shape>> = {
  text,
  note: text,
  tools: texts,
  names: texts,
  patterns: texts,
  boolean: flag,
  word: text,
  effort: ['a word or a number', value => typeof value === 'string' || typeof value === 'number'],
  map,
  schema: ['anything', () => true],
}

/**
 * Returns the check of a field's value in a command.
 * @param words words that plugins add; undefined if they are not known yet, so that any word passes
 */
export function shapeOf(
  { type, choices, words: added, free }: Field,
  words: Readonly<Record<'context' | 'shell', readonly string[]>> | undefined,
): Shape {
  if (free === true) return ofType.schema
  if (choices === undefined || (added !== undefined && words === undefined)) return ofType[type]
  return oneOf(...new Set([...Object.values(choices), ...((added && words?.[added]) ?? [])]))
}
