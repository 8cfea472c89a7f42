import { fail } from '../error.js'
import type { OutputOf, StandardSchema } from '../standard-schema.js'
import type { Context, Effort, ShellName } from '../command-words.js'

/** Value of each type after it is read. */
interface ValueOfType {
  /** One text. A list is joined with spaces if the field has `joins`. */
  readonly text: string
  /** Text that is only shown. A value of another shape is kept in the metadata and not refused. */
  readonly note: string
  readonly tools: readonly string[]
  /** List, or text separated by commas and white space. */
  readonly names: readonly string[]
  /** List, or text separated by commas. */
  readonly patterns: readonly string[]
  readonly boolean: boolean
  /** One of `choices`. */
  readonly word: string
  readonly effort: Effort
  readonly map: Readonly<Record<string, unknown>>
  /** Value that the field's `schema` returns. */
  readonly schema: unknown
}

export type FieldType = keyof ValueOfType

/** Field of frontmatter, with everything needed to read, check, show, write and document it. */
export interface Field {
  /** Key as it is documented and written. */
  readonly name: string
  /** Other keys that are read as this field. */
  readonly aliases?: readonly string[] | undefined
  /** Property of commands that has the value. */
  readonly property: string
  readonly type: FieldType
  /** Checks the file's value, with scalars as texts, and returns the field's value. Only with the type `schema`. */
  readonly schema?: StandardSchema | undefined
  /** Accepted values, as the end of "must be". Default: the words of the type. */
  readonly accepts?: string | undefined
  /** For a `word`: accepted words, and what each means. */
  readonly choices?: Readonly<Record<string, string>> | undefined
  /** Words of plugins that are choices too: see docs/reference/kinds.md, "Words of plugins". */
  readonly words?: 'context' | 'shell' | undefined
  /**
   * Effect of an invalid word or map. Default: the skill is an error; `ignored`: the field is left out with a warning.
   */
  readonly wrong?: 'ignored' | undefined
  /** Most characters. */
  readonly limit?: number | undefined
  /** True if a list is accepted and its texts are joined. */
  readonly joins?: boolean | undefined
  /** Value that means the same as leaving the field out. */
  readonly none?: string | undefined
  /** Value of a command without the field; `Object.freeze([])` for lists. Default: undefined. */
  readonly otherwise?: unknown
  /** Default in words. */
  readonly default: string
  /** True if the open Agent Skills standard has it. */
  readonly standard?: boolean | undefined
  /** True if a skill that sets it needs permission, since it does more than describe. */
  readonly asks: boolean
  /** Text shown to a person before the value, if the field asks. Default: its name. */
  readonly asked?: string | undefined
  /** True if the field asks, but only says how the skill runs and grants it nothing. */
  readonly runs?: boolean | undefined
  /** True if a command's value is not checked here, because the code that acts on it checks it. */
  readonly free?: boolean | undefined
  /** True if commands in code have it too; else only prompts do. */
  readonly every?: boolean | undefined
  /** True if JSON of a list has it; else only JSON of one skill does. */
  readonly list?: boolean | undefined
  /** True if it counts in a skill of a server too: it only describes, and takes no name and no right. */
  readonly remote?: boolean | undefined
  /** Code that acts on it. */
  readonly readers: string
  /** Effect of the field. */
  readonly effect: string
  /** Consequence for a skill if the field is not read. Default: nothing. */
  readonly without?: string | undefined
  /** True if its text may contain a number sign, so that a comment in it is worth a warning. */
  readonly mayHoldSigns?: boolean | undefined
  /** True if it is prose, in which people write lists. */
  readonly isProse?: boolean | undefined
  /** Misspelled keys that mean it and differ in more than case, `-` and `_`. */
  readonly misspellings?: readonly string[] | undefined
}

/** Value of a field, by its row. */
export type FieldValue<Row extends Pick<Field, 'type' | 'choices'>> = Row extends { readonly words: 'context' }
  ? Context
  : Row extends { readonly words: 'shell' }
    ? ShellName
    : Row extends { readonly type: 'word'; readonly choices: infer Choices extends Readonly<Record<string, string>> }
      ? Choices[keyof Choices]
      : ValueOfType[Row['type']]

/**
 * Property of a command with the values of a host's own fields. It is a symbol, so that the permission check does not
 * read it as a field.
 */
export const ownFields: unique symbol = Symbol.for('@skills/skill-md/ownFields') as never

/** Returns the values of a host's own fields that a command sets, by name. */
export function ownValues(command: object): Readonly<Record<string, unknown>> {
  return (command as { readonly [ownFields]?: Readonly<Record<string, unknown>> })[ownFields] ?? {}
}

/**
 * Returns those of the host's own fields that also become properties of a command, because the permission check reads
 * them there.
 * @param values values by name
 */
export function ownParts(
  values: Readonly<Record<string, unknown>>,
  known: readonly OwnField[] = [],
): Readonly<Record<string, unknown>> {
  const asking = known.filter(({ asks, name }) => asks && Object.hasOwn(values, name))
  return Object.fromEntries(asking.map(({ name }) => [name, values[name]]))
}

/** Field of a host or a plugin. */
export interface OwnField<Value = unknown> extends Field {
  /**
   * Returns the value that a command's file sets; undefined if it sets none, or if its source did not get the field.
   */
  of(command: object): Value | undefined
}

type OwnRow = Partial<Omit<Field, 'name' | 'property' | 'type' | 'schema' | 'asks'>> &
  Pick<Field, 'name' | 'asks'> & {
    /** Type of a field, or a synchronous Standard Schema of any library, whose output is the value. */
    readonly type: Exclude<FieldType, 'schema'> | StandardSchema
  }

type OwnValue<Row extends OwnRow> = Row extends { readonly type: infer Type extends StandardSchema }
  ? OutputOf<Type>
  : Row extends Pick<Field, 'type'>
    ? FieldValue<Row>
    : never

/**
 * Defines a field. Pass it to `createSkills({ fields })`, to a provider as its `fields` or, without an engine, to
 * `readFields`, to lint and to `skillSchema` as their `own`. The engine then reads the key by the field's type and no
 * longer reports it as a misspelling. {@link OwnField.of} returns the value. The metadata keep the value as it was
 * written.
 * @param row `asks` says whether a skill that sets it needs permission
 * @throws SkillsError `E_INVALID_OPTION` for a name that is not a plain key, and for a `word` without `choices`
 */
export function defineField<const Row extends OwnRow>(row: Row): OwnField<OwnValue<Row>> {
  const { name, type } = row
  // Schemas of some libraries are functions.
  const isSchema = typeof type !== 'string'
  if (!/^[a-zA-Z][\w-]*$/.test(name) || ['constructor', 'prototype'].includes(name))
    fail('E_INVALID_OPTION', `A field cannot be called "${name}".`, 'Use letters, digits, hyphens and underscores.')
  if (type === 'word' && row.choices === undefined)
    fail(
      'E_INVALID_OPTION',
      `The field "${name}" is a word and has no choices.`,
      'Give `choices`: { written: meaning }.',
    )
  return {
    readers: 'the host',
    effect: 'set by a host',
    default: 'none',
    ...row,
    ...(isSchema ? { type: 'schema', schema: type } : { type }),
    property: name,
    of: command => ownValues(command)[name] as OwnValue<Row> | undefined,
  }
}

/** Check of a value: the words that messages use for a valid value, and the test. */
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
