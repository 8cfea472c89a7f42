import { fieldTable, keysOf, type Field, type FieldType } from '@skills/core/fields'
import { acceptedBy } from './accepted-by.js'
import type { Words } from '@skills/core'
import { ownFieldsOf, type FieldOptions } from './field-types.js'

type Schema = Readonly<Record<string, unknown>>

const scalar = ['string', 'number', 'boolean', 'null'] as const
const list: Schema = { type: 'array', items: { type: ['string', 'number', 'boolean', 'null', 'object'] } }
const words = ['true', 'false', 'yes', 'no', 'on', 'off', '1', '0']

/** Schema of each type for a YAML editor, to which a scalar without quotes may be a number or a boolean. */
const ofType: Readonly<Record<FieldType, (field: Field, more: Words | undefined) => Schema>> = {
  text: ({ limit, joins }) => ({
    type: joins === true ? [...scalar, 'array'] : scalar,
    ...(limit !== undefined && { maxLength: limit }),
  }),
  note: () => ({ type: [...scalar, 'array'] }),
  tools: () => ({ anyOf: [{ type: ['string', 'null'] }, list] }),
  names: ({ name }) => ({
    anyOf: [{ type: ['string', 'number', 'null'] }, list, ...(name === 'requires' ? [{ type: 'object' }] : [])],
  }),
  patterns: () => ({ anyOf: [{ type: ['string', 'null'] }, list] }),
  boolean: () => ({ anyOf: [{ type: ['boolean', 'null'] }, { enum: [...words, 1, 0, ''] }] }),
  word: ({ choices = {}, words: added }, more) => ({
    enum: [...Object.keys(choices), ...(added === undefined ? [] : (more?.[added] ?? [])), null],
  }),
  effort: () => ({
    anyOf: [{ enum: ['low', 'medium', 'high', 'xhigh', 'max', null] }, { type: 'integer', minimum: 1 }],
  }),
  map: () => ({ type: ['object', 'null'] }),
  schema: () => ({}),
}

/**
 * Returns the JSON Schema (draft 2020-12) of a skill's frontmatter, for editors; published as
 * `@skills/skill-md/skill.schema.json`. Unknown keys are allowed, as when a skill is read.
 * @param options fields of a host, and the words that plugins add to `context` and `shell`
 */
export function skillSchema(options: Pick<FieldOptions, 'own' | 'words'> = {}): Schema {
  const properties = [...fieldTable, ...ownFieldsOf(options)].flatMap((field: Field) =>
    keysOf(field).map(
      key =>
        [
          key,
          {
            description: describeField(field, key),
            ...ofType[field.type](field, options.words),
            ...(key !== field.name && { deprecated: true }),
          },
        ] as const,
    ),
  )
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Frontmatter of a SKILL.md',
    type: 'object',
    properties: Object.fromEntries(properties),
    additionalProperties: true,
  }
}

/**
 * Returns sentences that say what a field does, what its default is, and what to write.
 * @param key key that it stands under. Default: the documented one
 */
export function describeField(field: Field, key = field.name): string {
  const { name, effect, default: usual } = field
  const otherwise = key === name ? `Default: ${usual}.` : `The same as \`${name}\`.`
  return `${effect.charAt(0).toUpperCase()}${effect.slice(1)}. ${otherwise} Write ${acceptedBy(field)}.`
}
