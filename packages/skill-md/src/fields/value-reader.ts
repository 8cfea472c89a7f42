import type { KnownField } from './field-table.js'
import type { FieldCode, FieldOptions, FieldProblem, LimitedField, SkillFields } from './field-types.js'
import { asBoolean, asText, asTextList, isRecord, isTooLong, lengthOf, textOfPair } from './field-values.js'
import { closesBrackets, splitPaths, splitTools } from './tool-list.js'

type Writable<T> = { -readonly [K in keyof T]: T[K] }

const tooLong: Readonly<Record<LimitedField, FieldCode>> = {
  name: 'name-too-long', description: 'description-too-long', when_to_use: 'when-to-use-too-long', 'argument-hint': 'argument-hint-too-long',
}

/** Most characters of the fields that have a limit, unless an option says otherwise. */
export const defaultLimits: Readonly<Record<LimitedField, number>> = {
  name: 64,
  description: 1024,
  when_to_use: 1024,
  'argument-hint': 256,
}

/** Reads values of one kind each into the fields, and collects what is wrong with them. */
export class ValueReader {
  protected readonly fields: Writable<SkillFields> = {}
  protected problems: FieldProblem[] | undefined

  constructor(protected readonly options: FieldOptions) {}

  protected readText(
    field: KnownField, key: string, value: unknown, property: 'name' | 'description' | 'whenToUse' | 'argumentHint' | 'agent' | 'model',
    limited?: LimitedField,
  ): void {
    let text = asText(value)
    if (text === undefined) {
      text = isRecord(value) ? textOfPair(value) : undefined
      if (text === undefined) return this.refuse(field, key, value, 'invalid-text')
      this.report('warning', 'pair-read-as-text', key, `\`${key}\` is written as a map; it is read as the text ${quote(text)}.`, 'Put the text in quotes.')
    }
    if (text === '') return
    this.fields[property] = text
    if (limited === undefined) return
    const limit = this.options.limits?.[limited] ?? defaultLimits[limited]
    const unit = this.options.lengthIn ?? 'characters'
    if (!isTooLong(text, limit, unit)) return
    const length = lengthOf(text, unit)
    this.report(
      this.options.limitSeverity ?? 'warning', tooLong[limited], key,
      `\`${key}\` has ${length} ${unit}; at most ${limit} are meant to be used.`, 'Shorten it.', [key], length,
    )
  }

  protected readTools(field: KnownField, key: string, value: unknown, property: 'allowedTools' | 'disallowedTools'): void {
    const separator = this.options.toolSeparator
    if (Array.isArray(value)) {
      const items = this.readItems(field, key, value)
      if (items === undefined) return
      // A list in square brackets was split at every comma, those inside round brackets included.
      const joined = items.join(', ')
      this.fields[property] = closesBrackets(joined, '()') ? splitTools(joined, separator) : items
      return
    }
    const text = asText(value)
    if (text === undefined) return this.refuse(field, key, value, 'invalid-list')
    if (text !== '') this.fields[property] = toolsOfText(text, separator)
  }

  protected readList(
    field: KnownField, key: string, value: unknown, property: 'argumentNames' | 'requires' | 'aliases' | 'paths',
    split: (text: string) => string[],
  ): void {
    if (Array.isArray(value)) {
      const items = this.readItems(field, key, value)
      if (items === undefined || items.length === 0) return
      // A list in square brackets was split at every comma, those inside braces included.
      const isTorn = property === 'paths' && items.some((item) => !closesBrackets(item, '{}'))
      this.fields[property] = isTorn ? splitPaths(items.join(',')) : items
      return
    }
    const text = asText(value)
    if (text === undefined) return this.refuse(field, key, value, 'invalid-list')
    const items = bracketed(text, split) ?? split(text)
    if (items.length > 0) this.fields[property] = items
  }

  private readItems(field: KnownField, key: string, value: readonly unknown[]): string[] | undefined {
    const items = asTextList(value)
    if (typeof items !== 'number') return items
    this.report(
      'error', 'invalid-list', key, `Entry ${items + 1} of \`${key}\` must be text, but is ${kindOf(value[items])}.`,
      `Write ${field.type}.`, [key, items],
    )
    return undefined
  }

  protected readBoolean(field: KnownField, key: string, value: unknown, property: 'background' | 'userInvocable' | 'disableModelInvocation'): void {
    const { booleans } = this.options
    const text = asText(value)
    if (text === '') return
    const answer = booleans === 'only-true' ? text === 'true' : booleans === 'only-false' ? text !== 'false' : asBoolean(value)
    if (answer === undefined) return this.refuse(field, key, value, 'invalid-boolean')
    // `metadata` may have said so before.
    this.fields[property] = property === 'disableModelInvocation' ? answer || this.fields[property] === true : answer
  }

  protected refuse(field: KnownField, key: string, value: unknown, code: FieldCode): void {
    this.report('error', code, key, `\`${key}\` must be ${field.type}, but is ${shown(value)}.`, `Write ${field.type}.`)
  }

  /** A word that other tools may know: the default is harmless, so that the skill need not be lost. */
  protected ignore(field: KnownField, key: string, value: unknown): void {
    this.report('warning', 'unknown-choice', key, `\`${key}\` must be ${field.type}, but is ${shown(value)}; it is not used.`, `Write ${field.type}.`)
  }

  protected report(
    severity: 'error' | 'warning', code: FieldCode, field: string, message: string, hint: string,
    keyPath: readonly (string | number)[] = [field], length?: number,
  ): void {
    this.problems ??= []
    this.problems.push(length === undefined ? { severity, code, field, message, hint, keyPath } : { severity, code, field, message, hint, keyPath, length })
  }
}

/** The texts of a list as one text; undefined when an entry is no text. */
export function joinTexts(items: readonly unknown[], separator = ' '): string | undefined {
  const texts = asTextList(items)
  return typeof texts === 'number' ? undefined : texts.join(separator)
}

/** The tools that a text names. */
export function toolsOfText(text: string, separator: FieldOptions['toolSeparator']): string[] {
  return (text.startsWith('[') ? bracketed(text, list => separator === 'bare-comma' ? undefined : splitTools(list, separator)) : undefined) ?? splitTools(text, separator)
}

/** The items of a list that was written as text in square brackets; undefined for any other text. */
function bracketed(text: string, split: (text: string) => string[] | undefined): string[] | undefined {
  if (!text.startsWith('[') || !text.endsWith(']')) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // Not JSON: its brackets are dropped and the rest is split, unless they belong to its first and last item alone.
    return text.indexOf(']') === text.length - 1 ? split(text.slice(1, -1)) : undefined
  }
  const items = Array.isArray(value) ? asTextList(value) : 0
  return typeof items === 'number' ? undefined : items
}

/** What a value is, as it completes "but is". */
export function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  return isRecord(value) ? 'a map' : 'empty'
}

/** The same, and of a scalar what it says. */
export function shown(value: unknown): string {
  const text = asText(value)
  return text === undefined ? kindOf(value) : quote(text)
}

function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}
