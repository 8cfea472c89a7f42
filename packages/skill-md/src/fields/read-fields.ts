import { fieldTable, keysOf, type Field, type FieldType } from '@skills/core/fields'
import { isUnsafeKey } from '../yaml/unsafe-keys.js'
import { acceptedBy } from './accepted-by.js'
import {
  fieldCodes,
  ownFieldsOf,
  type FieldCode,
  type FieldOptions,
  type FieldProblem,
  type FieldResult,
  type SkillFields,
} from './field-types.js'
import { asBoolean, asEffort, asText, asTextList, isRecord, isTooLong, lengthOf, textOfPair } from './field-values.js'
import { guessField } from './misspelling.js'
import { closesBrackets, splitExactly, splitNames, splitPaths, splitTools, type ToolSeparator } from './tool-list.js'
import type { FrontmatterData } from '../types.js'

const noProblems: readonly FieldProblem[] = Object.freeze([])
const noOptions: FieldOptions = {}

type Limits = Readonly<Record<string, number | undefined>> | undefined

/** Field with the effect of the options on it. */
interface Known {
  readonly field: Field
  readonly isHonoured: boolean
  readonly isOwn: boolean
  /** Length up to which a text is taken unchanged; undefined for fields that need more checks. */
  readonly plainLength: number | undefined
}

const tables = new WeakMap<FieldOptions, ReadonlyMap<string, Known>>()

/** Returns the fields by key. Cached, because the files of a folder all have the same options. */
function tableOf(options: FieldOptions): ReadonlyMap<string, Known> {
  let table = tables.get(options)
  if (table === undefined) {
    const { only, aliases: hasAliases = true } = options
    const isPlain = ({ type, aliases, none }: Field): boolean =>
      (type === 'text' || type === 'note') && aliases === undefined && none === undefined
    const plainLengthOf = ({ name, limit = Infinity }: Field): number =>
      ((options.limits as Limits)?.[name] ?? limit) / (options.lengthIn === 'bytes' ? 3 : 1)
    // A host's field does not replace a standard one.
    const fields = [
      ...ownFieldsOf(options).map((field: Field) => ({ field, isHonoured: true, isOwn: true, plainLength: undefined })),
      ...fieldTable.map((field: Field) => ({
        field,
        isHonoured: only?.some(name => name === field.name) !== false,
        isOwn: false,
        plainLength: isPlain(field) ? plainLengthOf(field) : undefined,
      })),
    ]
    tables.set(
      options,
      (table = new Map(
        fields.flatMap(known =>
          (hasAliases ? keysOf(known.field) : [known.field.name]).map((key): [string, Known] => [key, known]),
        ),
      )),
    )
  }
  return table
}

/**
 * Reads the known fields of frontmatter. A key that is missing, null or blank sets nothing. Problems are validation
 * errors and warnings, each with the key as written; a skill with an error must not be loaded. See
 * docs/reference/fields.md, "Frontmatter".
 */
export function readFields(data: FrontmatterData, options: FieldOptions = noOptions): FieldResult {
  const reading: Reading = { options, fields: {}, problems: undefined, extra: undefined }
  const table = tableOf(options)
  for (const key in data) {
    const value = data[key]
    const known = table.get(key)
    // Nearly all files have only such fields.
    if (
      known?.plainLength !== undefined &&
      known.isHonoured &&
      typeof value === 'string' &&
      value.length <= known.plainLength
    ) {
      const text = value.trim()
      if (text !== '') reading.fields[known.field.property] = text
    } else if (known === undefined || !known.isHonoured) keep(reading, key, value, known === undefined)
    else if ((value !== null && value !== undefined) || isFalse(known.field, options)) {
      if (known.isOwn) keep(reading, key, value, false)
      readField(reading, known, key, value)
    } else if (known.isOwn) keep(reading, key, value, false)
  }
  const { fields, extra } = reading
  const { description } = data
  if (options.keepsSpace === true && typeof description === 'string' && description !== '')
    fields['description'] = description
  const map = fields['metadata']
  if (map === undefined) {
    if (extra !== undefined) fields['metadata'] = extra
  } else if (isRecord(map)) {
    if (bars(map)) fields['disableModelInvocation'] = true
    fields['metadata'] = joinMetadata(map, extra)
  } else fields['metadata'] = { ...extra, metadata: map }
  return { fields: fields as SkillFields, problems: reading.problems ?? noProblems }
}

/** Returns true if a key without a value means false. */
function isFalse({ type }: Field, { booleans }: FieldOptions): boolean {
  return type === 'boolean' && booleans === 'else-false'
}

interface Reading {
  readonly options: FieldOptions
  /** Values by property; those in `own` by name. */
  readonly fields: Record<string, unknown>
  problems: FieldProblem[] | undefined
  /** Places whose documented key was read, even if its value was refused. Other spellings of it no longer count. */
  documented?: Set<string>
  /** Keys that are not fields. */
  extra: Record<string, unknown> | undefined
}

function readField(reading: Reading, { field, isOwn }: Known, key: string, value: unknown): void {
  const { name, property, none } = field
  const fields = isOwn ? ((reading.fields['own'] ??= {}) as Record<string, unknown>) : reading.fields
  const place = isOwn ? name : property
  const isDecided = fields[place] !== undefined || reading.documented?.has(place) === true
  if (field.aliases !== undefined && key === name) (reading.documented ??= new Set()).add(place)
  if (field.aliases !== undefined && isDecided) {
    report(
      reading,
      'warning',
      'field-given-twice',
      key,
      `\`${name}\` is given under two keys; ${key === name ? `only \`${key}\` is` : `\`${key}\` is not`} used.`,
      'Remove the key that is not used.',
    )
    if (key !== name) return
    // Done even if this value turns out to be unusable, because the value of the other key was not meant either.
    delete fields[place]
  }
  const read = readers[field.type](reading, field, key, value)
  if (read === undefined) return
  const isNone =
    none !== undefined &&
    (Array.isArray(read) ? read.every(item => item === none) : typeof read === 'string' && read.toLowerCase() === none)
  if (!isNone) fields[place] = read
}

type ReadValue = (reading: Reading, field: Field, key: string, value: unknown) => unknown

/** Reads a value of each type. Returns undefined if it means nothing, or after reporting a problem. */
const readers: Readonly<Record<FieldType, ReadValue>> = {
  text(reading, field, key, value) {
    const given = field.joins === true && Array.isArray(value) ? (joinTexts(value, ' ') ?? value) : value
    let text = asText(given)
    if (text === undefined) {
      text = isRecord(given) ? textOfPair(given) : undefined
      if (text === undefined)
        return reading.options.wrongTexts === 'ignored' && !field.asks
          ? ignore(reading, field, key, given, 'invalid-text')
          : refuse(reading, field, key, given, 'invalid-text')
      report(
        reading,
        'warning',
        'pair-read-as-text',
        key,
        `\`${key}\` is written as a map; it is read as the text ${quote(text)}.`,
        'Put the text in quotes.',
      )
    }
    if (field.limit !== undefined) checkLength(reading, field, field.limit, key, text)
    return text === '' ? undefined : text
  },
  note(reading, _field, key, value) {
    const text =
      asText(value) ??
      (Array.isArray(value) ? joinTexts(value, ', ') : undefined) ??
      (isRecord(value) ? textOfPair(value) : undefined)
    if (text === undefined) {
      keep(reading, key, value, false)
      report(
        reading,
        'warning',
        'invalid-text',
        key,
        `\`${key}\` must be text, but is ${kindOf(value)}; it is kept in the metadata as it is.`,
        'Write it as text.',
      )
    }
    return text === '' ? undefined : text
  },
  tools(reading, field, key, value) {
    const { toolSeparator: wanted } = reading.options
    if (wanted === 'exact' && field.name === 'allowed-tools' && (Array.isArray(value) || typeof value === 'string'))
      return Array.isArray(value)
        ? value.filter((item): item is string => typeof item === 'string' && item !== '')
        : splitExactly(value.trim())
    // A value that takes tools away is always read broadly.
    const toolSeparator = wanted === 'exact' ? 'comma-or-space' : wanted
    if (!Array.isArray(value)) {
      const text = asText(value)
      if (text === undefined) return refuse(reading, field, key, value, 'invalid-list')
      return text === '' ? undefined : toolsOfText(text, toolSeparator)
    }
    const items = readItems(reading, field, key, value)
    if (items === undefined) return undefined
    // A list in square brackets was split at every comma, even within round brackets.
    const joined = items.join(', ')
    return closesBrackets(joined, '()') ? splitTools(joined, toolSeparator) : items
  },
  names(reading, field, key, value) {
    if (field.name === 'arguments' && reading.options.argumentNames === 'spaced') return spacedNames(value)
    if (field.name !== 'requires' || !isRecord(value)) return readList(reading, field, key, value, splitNames)
    // Needs of the machine, in other programs' words, are kept as written; `needsOf` reads them on use.
    keep(reading, key, value, false)
    return value['skills'] === undefined || value['skills'] === null
      ? undefined
      : readList(reading, field, key, value['skills'], splitNames)
  },
  patterns(reading, field, key, value) {
    const items = readList(reading, field, key, value, splitPaths)
    // A list in square brackets was split at every comma, even within braces.
    return Array.isArray(value) && items?.some(item => !closesBrackets(item, '{}')) === true
      ? splitPaths(items.join(','))
      : items
  },
  boolean(reading, field, key, value) {
    const { booleans } = reading.options
    const text = asText(value)
    if (booleans === 'else-false') return asBoolean(value) ?? false
    if (text === '') return undefined
    const answer =
      booleans === 'only-true' ? text === 'true' : booleans === 'only-false' ? text !== 'false' : asBoolean(value)
    return answer ?? refuse(reading, field, key, value, 'invalid-boolean')
  },
  word(reading, field, key, value) {
    const given = asText(value)
    const text = reading.options.exactContext === true && field.name === 'context' ? given : given?.toLowerCase()
    if (text === '') return undefined
    if (text !== undefined && Object.hasOwn(field.choices ?? {}, text)) return field.choices?.[text]
    const added = field.words === undefined ? [] : (reading.options.words?.[field.words] ?? [])
    const known = added.find(word => word.toLowerCase() === text)
    if (known !== undefined) return known
    const described = { ...field, accepts: [acceptedBy(field), ...added].join(' or ') }
    return field.wrong === 'ignored'
      ? ignore(reading, described, key, value)
      : refuse(reading, described, key, value, 'invalid-choice')
  },
  effort(reading, field, key, value) {
    const effort = asEffort(value)
    return effort === undefined ? ignore(reading, field, key, value) : (effort ?? undefined)
  },
  schema(reading, field, key, value) {
    const result = field.schema?.['~standard'].validate(value)
    if (result !== undefined && 'value' in result) return result.value
    const [issue] = result === undefined || result instanceof Promise ? [] : (result.issues ?? [])
    return report(
      reading,
      'error',
      'invalid-value',
      key,
      `\`${key}\` is not accepted: ${issue?.message ?? 'its schema gives no answer at once'}.`,
      `Write ${acceptedBy(field)}.`,
    )
  },
  map(reading, field, key, value) {
    if (field.name === 'metadata') {
      if (value === '') return undefined
      if (!isRecord(value))
        report(
          reading,
          'warning',
          'invalid-map',
          key,
          `\`${key}\` must be a map, but is ${shown(value)}; it is kept as it is.`,
          'Write its entries as `key: value` lines below it.',
        )
      return value
    }
    if (isRecord(value)) return value
    if (field.wrong !== 'ignored') return refuse(reading, field, key, value, 'invalid-map')
    // A warning, because without its hooks a skill only does less than its author meant, and nothing that a user did
    // not mean.
    return report(
      reading,
      'warning',
      'invalid-map',
      key,
      `\`${key}\` must be ${acceptedBy(field)}, but is ${shown(value)}; the skill is loaded without ${field.name}.`,
      `Write ${acceptedBy(field)}.`,
    )
  },
}

function checkLength(reading: Reading, field: Field, usual: number, key: string, text: string): void {
  const { options } = reading
  const limit = (options.limits as Limits)?.[field.name] ?? usual
  const unit = options.lengthIn ?? 'characters'
  if (!isTooLong(text, limit, unit)) return
  const length = lengthOf(text, unit)
  const code = `${field.name.replaceAll('_', '-')}-too-long`
  report(
    reading,
    options.limitSeverity ?? 'warning',
    isFieldCode(code) ? code : 'field-too-long',
    key,
    `\`${key}\` has ${length} ${unit}; the recommended limit is ${limit}.`,
    'Shorten it.',
    [key],
    length,
  )
}

function isFieldCode(code: string): code is FieldCode {
  return Object.hasOwn(fieldCodes, code)
}

function readList(
  reading: Reading,
  field: Field,
  key: string,
  value: unknown,
  split: (text: string) => string[],
): string[] | undefined {
  const text = Array.isArray(value) ? undefined : asText(value)
  if (!Array.isArray(value) && text === undefined) return refuse(reading, field, key, value, 'invalid-list')
  const items = Array.isArray(value)
    ? readItems(reading, field, key, value)
    : (bracketed(text ?? '', split) ?? split(text ?? ''))
  return items === undefined || items.length === 0 ? undefined : items
}

function readItems(reading: Reading, field: Field, key: string, value: readonly unknown[]): string[] | undefined {
  const items = asTextList(value)
  if (typeof items !== 'number') return items
  return report(
    reading,
    'error',
    'invalid-list',
    key,
    `Entry ${items + 1} of \`${key}\` must be text, but is ${kindOf(value[items])}.`,
    `Write ${acceptedBy(field)}.`,
    [key, items],
  )
}

function keep(reading: Reading, key: string, value: unknown, mayBeMisspelt: boolean): void {
  if (isUnsafeKey(key)) return
  reading.extra ??= {}
  reading.extra[key] = value
  const guess = mayBeMisspelt ? guessField(key) : undefined
  if (guess !== undefined)
    report(
      reading,
      'warning',
      'misspelt-field',
      key,
      `\`${key}\` is not a known field; it looks like \`${guess}\`.`,
      `If you mean \`${guess}\`, write \`${guess}\`. As \`${key}\`, the field has no effect.`,
    )
}

function refuse(reading: Reading, field: Field, key: string, value: unknown, code: FieldCode): undefined {
  report(
    reading,
    'error',
    code,
    key,
    `\`${key}\` must be ${acceptedBy(field)}, but is ${shown(value)}.`,
    `Write ${acceptedBy(field)}.`,
  )
}

/** Warns about a word that other tools may know. The default is harmless, so the skill is still loaded. */
function ignore(
  reading: Reading,
  field: Field,
  key: string,
  value: unknown,
  code: FieldCode = 'unknown-choice',
): undefined {
  report(
    reading,
    'warning',
    code,
    key,
    `\`${key}\` must be ${acceptedBy(field)}, but is ${shown(value)}; it is not used.`,
    `Write ${acceptedBy(field)}.`,
  )
}

function report(
  reading: Reading,
  severity: 'error' | 'warning',
  code: FieldCode,
  field: string,
  message: string,
  hint: string,
  keyPath: readonly (string | number)[] = [field],
  length?: number,
): undefined {
  reading.problems ??= []
  reading.problems.push(
    length === undefined
      ? { severity, code, field, message, hint, keyPath }
      : { severity, code, field, message, hint, keyPath, length },
  )
}

/** Returns true if another program's key in the metadata keeps the model from invoking the skill. */
function bars(map: Readonly<Record<string, unknown>>): boolean {
  const nested = map['opencode']
  const flag = map['opencode/autoinvoke'] ?? (isRecord(nested) ? nested['autoinvoke'] : undefined)
  return flag !== undefined && asBoolean(flag) === false
}

function hasUnsafeKey(map: Record<string, unknown>): boolean {
  for (const key in map) if (isUnsafeKey(key)) return true
  return false
}

function joinMetadata(
  map: Record<string, unknown>,
  extra: Record<string, unknown> | undefined,
): Record<string, unknown> {
  if (extra === undefined && !hasUnsafeKey(map)) return map
  const joined: Record<string, unknown> = {}
  let clash = false
  for (const key of Object.keys(map)) {
    if (isUnsafeKey(key)) continue
    joined[key] = map[key]
    clash ||= extra !== undefined && Object.hasOwn(extra, key)
  }
  if (clash) joined['metadata'] = map
  return Object.assign(joined, extra)
}

/** Joins the texts of a list, or returns undefined if an entry is not a text. */
function joinTexts(items: readonly unknown[], separator: string): string | undefined {
  const texts = asTextList(items)
  return typeof texts === 'number' ? undefined : texts.join(separator)
}

/** Returns the names of arguments by position. A value that cannot be a name is left out. */
function spacedNames(value: unknown): readonly string[] {
  const given: readonly unknown[] = Array.isArray(value) ? value : (asText(value)?.split(/\s+/) ?? [])
  return given.map(item => asText(item) ?? '').filter(name => name !== '' && !/^\d+$/.test(name))
}

/** Returns the tools that a text names. */
function toolsOfText(text: string, separator: ToolSeparator): string[] {
  return (
    (text.startsWith('[')
      ? bracketed(text, list => (separator === 'bare-comma' ? undefined : splitTools(list, separator)))
      : undefined) ?? splitTools(text, separator)
  )
}

/** Returns the items of a list written as text in square brackets, or undefined for any other text. */
function bracketed(text: string, split: (text: string) => string[] | undefined): string[] | undefined {
  if (!text.startsWith('[') || !text.endsWith(']')) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // Not JSON, so the brackets are removed and the rest is split, unless they belong to its first and last item.
    return text.indexOf(']') === text.length - 1 ? split(text.slice(1, -1)) : undefined
  }
  const items = Array.isArray(value) ? asTextList(value) : 0
  return typeof items === 'number' ? undefined : items
}

/** Returns the kind of a value in words that complete "but is". */
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  return isRecord(value) ? 'a map' : 'empty'
}

/** Returns the kind of a value, or for a scalar its text in quotes. */
function shown(value: unknown): string {
  const text = asText(value)
  return text === undefined ? kindOf(value) : quote(text)
}

function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}
