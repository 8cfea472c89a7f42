import { fail } from '../error.js'
import type { OutputOf, StandardSchema } from '../standard-schema.js'
import type { Context, Effort, ShellName } from '../command-words.js'

/** What a value of each type is once it is read. */
interface ValueOfType {
  /** One text; of a list its texts with a space between them where `joins` says so. */
  readonly text: string
  /** A text that is only shown: a value of another shape is kept in the metadata rather than refused. */
  readonly note: string
  readonly tools: readonly string[]
  /** A list, or a text separated by commas and white space. */
  readonly names: readonly string[]
  /** A list, or a text separated by commas. */
  readonly patterns: readonly string[]
  readonly boolean: boolean
  /** One of `choices`. */
  readonly word: string
  readonly effort: Effort
  readonly map: Readonly<Record<string, unknown>>
  /** The value as the field's `schema` gives it. */
  readonly schema: unknown
}

export type FieldType = keyof ValueOfType

/** One field of frontmatter: all that reading, checking, showing, writing and documenting it needs to know. */
export interface Field {
  /** The key as it is documented and written. */
  readonly name: string
  /** Other keys that are read as this field. */
  readonly aliases?: readonly string[] | undefined
  /** Where commands have it. */
  readonly property: string
  readonly type: FieldType
  /** Checks the file's value, scalars as texts, and gives the field's value; only with the type `schema`. */
  readonly schema?: StandardSchema | undefined
  /** What is accepted, as it completes "must be". Default: the words of the type. */
  readonly accepts?: string | undefined
  /** Of a `word`: what may be written, and what it means. */
  readonly choices?: Readonly<Record<string, string>> | undefined
  /** Which words of plugins are among the choices: see docs/reference/kinds.md, "Words of plugins". */
  readonly words?: 'context' | 'shell' | undefined
  /** What a wrong word or map does. Default: the skill is an error; else the field is left out with a warning. */
  readonly wrong?: 'ignored' | undefined
  /** Most characters. */
  readonly limit?: number | undefined
  /** Whether a list is taken for its texts in a row. */
  readonly joins?: boolean | undefined
  /** A value that says what is so without the field. */
  readonly none?: string | undefined
  /** What a command says without the field; `Object.freeze([])` for lists. Default: undefined. */
  readonly otherwise?: unknown
  /** The default in words. */
  readonly default: string
  /** Whether the open Agent Skills standard has it. */
  readonly standard?: boolean | undefined
  /** Whether a skill that sets it does more than say something, so that permission is asked for it. */
  readonly asks: boolean
  /** Text shown to a person before the value, if the field asks. Default: its name. */
  readonly asked?: string | undefined
  /** True if the field asks, but only says how the skill runs and grants it nothing. */
  readonly runs?: boolean | undefined
  /** True if a command's value is not checked, because those who act on it check it. */
  readonly free?: boolean | undefined
  /** True if commands in code have it too; else only prompts do. */
  readonly every?: boolean | undefined
  /** True if JSON of a list has it; else only JSON of one skill does. */
  readonly list?: boolean | undefined
  /** Whether it counts in a skill of a server too: it only describes, and takes no name and no right. */
  readonly remote?: boolean | undefined
  /** Who acts on it. */
  readonly readers: string
  /** What it does. */
  readonly effect: string
  /** What would happen to a skill without it. Default: nothing. */
  readonly without?: string | undefined
  /** Whether its text may well hold a number sign, so that a comment in it is worth a warning. */
  readonly mayHoldSigns?: boolean | undefined
  /** Whether it is prose, in which people write lists. */
  readonly isProse?: boolean | undefined
  /** Keys that mean it and differ in more than case, `-` and `_`. */
  readonly misspellings?: readonly string[] | undefined
}

/** What a field's value is, by its row. */
export type FieldValue<Row extends Pick<Field, 'type' | 'choices'>> = Row extends { readonly words: 'context' }
  ? Context
  : Row extends { readonly words: 'shell' }
    ? ShellName
    : Row extends { readonly type: 'word'; readonly choices: infer Choices extends Readonly<Record<string, string>> }
      ? Choices[keyof Choices]
      : ValueOfType[Row['type']]

/**
 * Where a command has the values of fields that a host added. No name of its own, so that it is none of the fields that
 * permission looks at.
 */
export const ownFields: unique symbol = Symbol.for('@skills/skill-md/ownFields') as never

/** Gives the values of a host's own fields that a command sets, by name. */
export function ownValues(command: object): Readonly<Record<string, unknown>> {
  return (command as { readonly [ownFields]?: Readonly<Record<string, unknown>> })[ownFields] ?? {}
}

/**
 * What a command has of such values, besides keeping them: those that permission looks at are properties of it.
 * @param values by name
 */
export function ownParts(
  values: Readonly<Record<string, unknown>>,
  known: readonly OwnField[] = [],
): Readonly<Record<string, unknown>> {
  const asking = known.filter(({ asks, name }) => asks && Object.hasOwn(values, name))
  return Object.fromEntries(asking.map(({ name }) => [name, values[name]]))
}

/** A field of a host or a plugin. */
export interface OwnField<Value = unknown> extends Field {
  /** What a command's file sets it to; undefined where it does not, and where the field was not given to its source. */
  of(command: object): Value | undefined
}

type OwnRow = Partial<Omit<Field, 'name' | 'property' | 'type' | 'schema' | 'asks'>> &
  Pick<Field, 'name' | 'asks'> & {
    /** Or a Standard Schema of any library, whose value it then has: one that answers at once. */
    readonly type: Exclude<FieldType, 'schema'> | StandardSchema
  }

type OwnValue<Row extends OwnRow> = Row extends { readonly type: infer Type extends StandardSchema }
  ? OutputOf<Type>
  : Row extends Pick<Field, 'type'>
    ? FieldValue<Row>
    : never

/**
 * Adds a field: give the result to `createSkills({ fields })`, to a provider as its `fields`, or where there is no
 * engine to `readFields`, to lint and to `skillSchema` as their `own`. Its key is then read by its type, is no misspelling of another, and {@link OwnField.of} has its value. It stays in the
 * metadata too, as it was written.
 * @param row `asks` says whether a skill that sets it needs permission
 * @throws SkillsError `E_INVALID_OPTION` for a name that is no plain key, and a `word` without `choices`
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
