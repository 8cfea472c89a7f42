import { fieldOf, type KnownField } from './field-table.js'
import type { FieldOptions, FieldProblem, FieldResult } from './field-types.js'
import { asBoolean, asEffort, asOneOf, asText, isRecord, textOfPair } from './field-values.js'
import { guessField } from './misspelling.js'
import { splitNames, splitPaths } from './tool-list.js'
import { joinTexts, kindOf, shown, ValueReader } from './value-reader.js'
import type { FrontmatterData } from '../types.js'
import type { Words } from '@skills/core'
import { isUnsafeKey } from '../yaml/unsafe-keys.js'

const noProblems: readonly FieldProblem[] = []
const noOptions: FieldOptions = {}

/**
 * Reads the known fields out of frontmatter. A key that is absent, null or blank sets nothing.
 * Problems are validation errors and warnings, each with the key as written; a skill with an error is not to be loaded.
 * See docs/reference.md, "Frontmatter".
 * @param kept what else stands with the keys that are no fields, before those of `data`
 */
export function readFields(data: FrontmatterData, options: FieldOptions = noOptions, kept?: Readonly<Record<string, unknown>>): FieldResult {
  const reading = new FieldReader(options)
  if (kept !== undefined) reading.keep(kept)
  for (const key in data) {
    const field = fieldOf(key)
    if (field === undefined || options.only?.includes(field.name) === false) reading.readUnknown(key, data[key], field === undefined)
    else reading.readKnown(field, key, data[key])
  }
  return reading.finish()
}

class FieldReader extends ValueReader {
  private extra: Record<string, unknown> | undefined
  private map: unknown

  keep(extra: Readonly<Record<string, unknown>>): void {
    this.extra = { ...extra }
  }

  finish(): FieldResult {
    const { fields, extra, map } = this
    if (map !== undefined) fields.metadata = isRecord(map) ? joinMetadata(map, extra) : { ...extra, metadata: map }
    else if (extra !== undefined) fields.metadata = extra
    return { fields, problems: this.problems ?? noProblems }
  }

  readUnknown(key: string, value: unknown, mayBeMisspelt: boolean): void {
    if (isUnsafeKey(key)) return
    this.extra ??= {}
    this.extra[key] = value
    if (!mayBeMisspelt) return
    const guess = guessField(key)
    if (guess === undefined) return
    this.report('warning', 'misspelt-field', key, `\`${key}\` is not a field that is read; it looks like \`${guess}\`.`, `If that is meant, write \`${guess}\`, which takes effect: as it stands it has none.`)
  }

  readKnown(field: KnownField, key: string, value: unknown): void {
    if (value === null || value === undefined) return
    const { fields } = this
    if (field.names.length > 1 && fields[field.property] !== undefined) {
      this.report('warning', 'field-given-twice', key, `\`${field.name}\` is given under two keys; ${key === field.name ? `only \`${key}\` is` : `\`${key}\` is not`} used.`, 'Remove the one that is not used.')
      if (key !== field.name) return
      // Also where this one turns out to be unusable: what the other says was not meant either.
      delete fields[field.property]
    }
    switch (field.name) {
      case 'name': this.readText(field, key, value, 'name', 'name'); break
      case 'description': this.readText(field, key, value, 'description', 'description'); break
      case 'when_to_use': this.readText(field, key, value, 'whenToUse', 'when_to_use'); break
      case 'argument-hint':
        this.readText(field, key, Array.isArray(value) ? joinTexts(value) ?? value : value, 'argumentHint', 'argument-hint')
        break
      case 'agent': this.readText(field, key, value, 'agent'); break
      case 'model':
        this.readText(field, key, value, 'model')
        if (fields.model?.toLowerCase() === 'inherit') delete fields.model
        break
      case 'version':
      case 'license':
      case 'compatibility': this.readInformation(field.name, key, value); break
      case 'metadata': this.readMetadata(key, value); break
      case 'allowed-tools': this.readTools(field, key, value, 'allowedTools'); break
      case 'disallowed-tools': this.readTools(field, key, value, 'disallowedTools'); break
      case 'arguments': this.readList(field, key, value, 'argumentNames', splitNames); break
      case 'requires':
        if (!isRecord(value)) this.readList(field, key, value, 'requires', splitNames)
        else {
          // What it needs of the machine, in other programs' words: kept as it is written, and read by `needsOf` when somebody asks.
          this.readUnknown(key, value, false)
          if (value['skills'] !== undefined && value['skills'] !== null) this.readList(field, key, value['skills'], 'requires', splitNames)
        }
        break
      case 'aliases': this.readList(field, key, value, 'aliases', splitNames); break
      case 'paths':
        this.readList(field, key, value, 'paths', splitPaths)
        if (fields.paths?.every((path) => path === '**') === true) delete fields.paths
        break
      case 'background': this.readBoolean(field, key, value, 'background'); break
      case 'user-invocable': this.readBoolean(field, key, value, 'userInvocable'); break
      case 'disable-model-invocation': this.readBoolean(field, key, value, 'disableModelInvocation'); break
      case 'effort': {
        const effort = asEffort(value)
        if (effort === undefined) this.ignore(field, key, value)
        else if (effort !== null) fields.effort = effort
        break
      }
      case 'context': {
        const context = asOneOf(value, ['inline', 'main', 'fork', ...this.options.words?.context ?? []])
        if (context === undefined) this.ignore(this.withWords(field, 'context'), key, value)
        else if (context !== null) fields.context = context === 'main' ? 'inline' : context
        break
      }
      case 'shell': {
        const shell = asOneOf(value, ['bash', 'powershell', ...this.options.words?.shell ?? []])
        if (shell === undefined) this.refuse(this.withWords(field, 'shell'), key, value, 'invalid-choice')
        else if (shell !== null) fields.shell = shell
        break
      }
      case 'on-shell-error': {
        const reaction = asOneOf(value, ['abort', 'inline', 'skip'])
        if (reaction === undefined) this.refuse(field, key, value, 'invalid-choice')
        else if (reaction !== null) fields.onShellError = reaction
        break
      }
      case 'hooks':
        if (isRecord(value)) fields.hooks = value
        // Without its hooks a skill does less than its author meant, and nothing that a user did not mean.
        else this.report('warning', 'invalid-map', key, `\`${key}\` must be ${field.type}, but is ${shown(value)}; the skill is loaded without hooks.`, `Write ${field.type}.`)
        break
    }
  }

  /** The field with what it may be here: the table has the usual words. */
  private withWords(field: KnownField, of: keyof Words): KnownField {
    return { ...field, type: [field.type, ...this.options.words?.[of] ?? []].join(' or ') }
  }

  /** What is only shown: a value of another shape is kept with the unknown keys rather than refused. */
  private readInformation(property: 'version' | 'license' | 'compatibility', key: string, value: unknown): void {
    const text = asText(value) ?? (Array.isArray(value) ? joinTexts(value, ', ') : undefined) ?? (isRecord(value) ? textOfPair(value) : undefined)
    if (text === undefined) {
      this.readUnknown(key, value, false)
      this.report('warning', 'invalid-text', key, `\`${key}\` must be text, but is ${kindOf(value)}; it is kept in the metadata as it is.`, 'Write it as text.')
    } else if (text !== '') {
      this.fields[property] = text
    }
  }

  private readMetadata(key: string, value: unknown): void {
    if (value === '') return
    this.map = value
    if (!isRecord(value)) {
      return this.report('warning', 'invalid-map', key, `\`${key}\` must be a map, but is ${shown(value)}; it is kept as it is.`, 'Write its entries as `key: value` lines below it.')
    }
    const nested = value['opencode']
    const flag = value['opencode/autoinvoke'] ?? (isRecord(nested) ? nested['autoinvoke'] : undefined)
    if (flag !== undefined && asBoolean(flag) === false) this.fields.disableModelInvocation = true
  }
}

function joinMetadata(map: Record<string, unknown>, extra: Record<string, unknown> | undefined): Record<string, unknown> {
  if (extra === undefined && !Object.keys(map).some(isUnsafeKey)) return map
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
