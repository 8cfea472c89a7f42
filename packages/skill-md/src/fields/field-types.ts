import type { Words } from '@skills/core'
import type { OwnField } from '@skills/core/fields'
import type { FieldName, LimitedField, SetFields } from '@skills/core/internal'

/**
 * The known fields of a skill, sparse: a key that the file does not set, or sets to null, is not there. `metadata` is
 * every key that is no known field, as written, together with the entries of the `metadata:` map. Nothing is lost:
 * where both have a key, the top-level one stands there and the whole map is kept under `metadata` besides, as is a
 * `metadata:` that is no map.
 */
export type SkillFields = SetFields & {
  /** Values of fields that a host added, by name. */
  own?: Readonly<Record<string, unknown>>
}

/** The fields of an engine's host and plugins, and those that are given besides. */
export function ownFieldsOf({ words, own = [] }: Pick<FieldOptions, 'own' | 'words'> = {}): readonly OwnField[] {
  return [...(words?.fields ?? []), ...own]
}

export interface FieldOptions {
  /**
   * What `context` and `shell` may say besides inline and fork, bash and powershell: what an engine has executors and
   * shells for; and the fields that it knows besides. Default: nothing.
   */
  readonly words?: Words | undefined
  /** Fields of a host, read besides those that everyone knows: see {@link defineField}. Default: none. */
  readonly own?: readonly OwnField[] | undefined
  /** Whether a field counts under its other names too, such as `allowed_tools`. Default: true. */
  readonly aliases?: boolean | undefined
  /** The fields that are honoured; any other key is kept in `metadata`. Default: all. */
  readonly only?: readonly FieldName[] | undefined
  /** Most characters of a field. Default: name 64, description 1,024, when_to_use 1,024, argument-hint 256. */
  readonly limits?: Readonly<Partial<Record<LimitedField, number>>> | undefined
  /** What a field over its limit is. Default: `warning`, the text is kept whole. */
  readonly limitSeverity?: 'warning' | 'error' | undefined
  /** What a limit counts: characters (Unicode code points), or bytes of UTF-8. Default: `characters`. */
  readonly lengthIn?: 'characters' | 'bytes' | undefined
  /**
   * `like`: true/false/yes/no/on/off/1/0 in any case, anything else is an error. `only-true`: nothing but `true` is
   * true, all else is false. `only-false`: nothing but `false` is false, all else is true. `else-false`: as `like`, and
   * anything else is false, a key without a value too. Default: `like`.
   */
  readonly booleans?: 'like' | 'only-true' | 'only-false' | 'else-false' | undefined
  /**
   * What separates tools in one text. `bare-comma` is `comma` where square brackets around what is no JSON are part of
   * the tools. `exact` separates at commas and spaces, and for what grants tools nothing more is read into a value: no
   * JSON, no brackets, no other white space, no list that was split within round brackets. Default: `comma-or-space`.
   */
  readonly toolSeparator?: 'comma-or-space' | 'comma' | 'bare-comma' | 'exact' | undefined
  /**
   * How `arguments` are read. `spaced`: one text is separated by white space alone, and neither a map nor a number has a
   * place among the names. Default: `any`.
   */
  readonly argumentNames?: 'any' | 'spaced' | undefined
  /** What a list or a map is where a text that grants nothing is expected, as `description`. Default: `error`. */
  readonly wrongTexts?: 'error' | 'ignored' | undefined
  /** Whether `context` counts in its own letters alone: `Fork` is then no known word. Default: false. */
  readonly exactContext?: boolean | undefined
}

/** One finding about one field. */
export interface FieldProblem {
  readonly severity: 'error' | 'warning' | 'info'
  /** Stable name of the rule. */
  readonly code: FieldCode
  /** The key as the file writes it. */
  readonly field: string
  /** One sentence: what is wrong. */
  readonly message: string
  /** One sentence: what to write. */
  readonly hint?: string
  /** Where the value stands in the data, for {@link locateKey}. */
  readonly keyPath: readonly (string | number)[]
  /** For a field over its limit: how long it is, in the unit that was asked for. */
  readonly length?: number
}

export interface FieldResult {
  readonly fields: SkillFields
  /** A skill with an error among them is not to be loaded. */
  readonly problems: readonly FieldProblem[]
}

/** Every code that {@link FieldProblem} can have, with what it says. */
export const fieldCodes = {
  'argument-hint-too-long': 'the argument hint is over its limit',
  'description-too-long': 'the description is over its limit',
  'field-given-twice': 'two spellings of one field are given; the documented one counts',
  'field-too-long': 'a field of a host is over its limit',
  'invalid-boolean': 'a value is not boolean-like',
  'invalid-choice': 'a value is none of the words that are accepted',
  'invalid-list': 'a value is no list of texts, or an entry of it is no text',
  'invalid-map': 'a value is no map',
  'invalid-text': 'a value is a list or a map, or for some programs a number, where text is expected',
  'invalid-value': 'a value of a field of the host is not what its schema accepts',
  'misspelt-field': 'an unknown key looks like a known field',
  'name-too-long': 'the name is over its limit',
  'pair-read-as-text': 'a text with a colon was written so that YAML takes it for a map; it is read as text',
  'standard-body-long': 'the body is longer than the standard advises',
  'standard-compatibility-long': 'the compatibility note is longer than the standard allows',
  'standard-description-long': 'the description is longer than the standard allows',
  'standard-description-missing': 'the standard requires a description',
  'standard-name-case': 'the standard allows no upper-case letters in the name',
  'standard-name-characters': 'the standard allows letters, digits and hyphens alone in the name',
  'standard-name-folder': 'the standard requires the name to be that of the folder',
  'standard-name-hyphens': 'the standard allows single inner hyphens alone in the name',
  'standard-name-long': 'the name is longer than the standard allows',
  'standard-name-missing': 'the standard requires a name',
  'standard-unknown-key': 'the standard does not have the key',
  'unknown-choice': 'a value is none of the words that are accepted, and is not used',
  'when-to-use-too-long': '`when_to_use` is over its limit',
} as const

export type FieldCode = keyof typeof fieldCodes
