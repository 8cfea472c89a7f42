import type { Words } from '@skills/core'
import type { OwnField } from '@skills/core/fields'
import type { FieldName, LimitedField, SetFields } from '@skills/core/internal'

/**
 * Known fields of a skill. A key that the file does not set, or sets to null, is missing. `metadata` has every unknown
 * key as written, together with the entries of the `metadata:` map. If both have a key, the top-level value has
 * precedence and the whole map is also kept under `metadata`, as is a `metadata:` that is not a map.
 */
export type SkillFields = SetFields & {
  /** Values of fields that a host added, by name. */
  own?: Readonly<Record<string, unknown>>
}

/** Returns the fields that an engine's host and plugins define, and the fields given in addition. */
export function ownFieldsOf({ words, own = [] }: Pick<FieldOptions, 'own' | 'words'> = {}): readonly OwnField[] {
  return [...(words?.fields ?? []), ...own]
}

export interface FieldOptions {
  /**
   * Executors and shells of an engine, which are values of `context` and `shell` besides inline and fork, bash and
   * powershell; and the engine's own fields. Default: none.
   */
  readonly words?: Words | undefined
  /** Fields of a host, which are read besides the standard ones; see {@link defineField}. Default: none. */
  readonly own?: readonly OwnField[] | undefined
  /** True if a field may also have its other names, such as `allowed_tools`. Default: true. */
  readonly aliases?: boolean | undefined
  /** Fields that have an effect; any other key is kept in `metadata`. Default: all. */
  readonly only?: readonly FieldName[] | undefined
  /** Most characters of a field. Default: name 64, description 1,024, when_to_use 1,024, argument-hint 256. */
  readonly limits?: Readonly<Partial<Record<LimitedField, number>>> | undefined
  /** Severity of a field over its limit. The text is kept whole. Default: `warning`. */
  readonly limitSeverity?: 'warning' | 'error' | undefined
  /** Unit of a limit: characters (Unicode code points), or bytes of UTF-8. Default: `characters`. */
  readonly lengthIn?: 'characters' | 'bytes' | undefined
  /**
   * `like`: true/false/yes/no/on/off/1/0 in any case; any other value is an error. `only-true`: `true` is true,
   * everything else is false. `only-false`: `false` is false, everything else is true. `else-false`: as `like`, but any
   * other value is false, and so is a key without a value. Default: `like`.
   */
  readonly booleans?: 'like' | 'only-true' | 'only-false' | 'else-false' | undefined
  /**
   * Separator of tools in one text. `bare-comma` is `comma`, but square brackets that are not JSON belong to the tools.
   * `exact` separates at commas and spaces, and reads nothing more into a value that grants tools: no JSON, no
   * brackets, no other white space, no list that was split within round brackets. Default: `comma-or-space`.
   */
  readonly toolSeparator?: 'comma-or-space' | 'comma' | 'bare-comma' | 'exact' | undefined
  /**
   * How `arguments` are read. `spaced`: a text is separated only by white space, and maps and numbers are left out of
   * the names. Default: `any`.
   */
  readonly argumentNames?: 'any' | 'spaced' | undefined
  /**
   * Treatment of a list or a map where a text without effect on permissions is expected, such as `description`.
   * Default: `error`.
   */
  readonly wrongTexts?: 'error' | 'ignored' | undefined
  /** True if white space at the ends of a description is a part of it. Default: false. */
  readonly keepsSpace?: boolean | undefined
  /** True if `context` must have its exact case: `Fork` is then an unknown word. Default: false. */
  readonly exactContext?: boolean | undefined
}

/** Problem of one field. */
export interface FieldProblem {
  readonly severity: 'error' | 'warning' | 'info'
  /** Stable code of the rule. */
  readonly code: FieldCode
  /** Key as written in the file. */
  readonly field: string
  /** One sentence that says what is wrong. */
  readonly message: string
  /** One sentence that says what to write. */
  readonly hint?: string
  /** Path of the value in the data, for {@link locateKey}. */
  readonly keyPath: readonly (string | number)[]
  /** For a field over its limit: its length in the unit of `lengthIn`. */
  readonly length?: number
}

export interface FieldResult {
  readonly fields: SkillFields
  /** Problems of the fields. A skill with an error among them must not be loaded. */
  readonly problems: readonly FieldProblem[]
}

/** All codes of {@link FieldProblem}, with their meaning. */
export const fieldCodes = {
  'argument-hint-too-long': 'the argument hint is over its limit',
  'description-too-long': 'the description is over its limit',
  'field-given-twice': 'two spellings of one field are given; the documented one counts',
  'field-too-long': 'a field of a host is over its limit',
  'invalid-boolean': 'a value is not boolean-like',
  'invalid-choice': 'a value is not one of the accepted words',
  'invalid-list': 'a value is not a list of texts, or an entry of it is not a text',
  'invalid-map': 'a value is not a map',
  'invalid-text': 'a value is a list or a map, or for some programs a number, where text is expected',
  'invalid-value': "the schema of a host's field does not accept the value",
  'misspelt-field': 'an unknown key looks like a known field',
  'name-too-long': 'the name is over its limit',
  'pair-read-as-text': 'a text with a colon was written so that YAML takes it for a map; it is read as text',
  'standard-body-long': 'the body is longer than the standard advises',
  'standard-compatibility-long': 'the compatibility note is longer than the standard allows',
  'standard-description-long': 'the description is longer than the standard allows',
  'standard-description-missing': 'the standard requires a description',
  'standard-name-case': 'the standard allows no upper-case letters in the name',
  'standard-name-characters': 'the standard allows only letters, digits and hyphens in the name',
  'standard-name-folder': 'the standard requires the name to be that of the folder',
  'standard-name-hyphens': 'the standard allows only single inner hyphens in the name',
  'standard-name-long': 'the name is longer than the standard allows',
  'standard-name-missing': 'the standard requires a name',
  'standard-unknown-key': 'the standard does not have the key',
  'unknown-choice': 'a value is not one of the accepted words, and is ignored',
  'when-to-use-too-long': '`when_to_use` is over its limit',
} as const

export type FieldCode = keyof typeof fieldCodes
