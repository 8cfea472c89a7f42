import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { FAILSAFE_SCHEMA, load } from 'js-yaml'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { defineField, fieldTable, type Field } from '@skills/core/fields'
import { list, oneOf } from '@skills/core/schema'
import { commandOf, readFields, skillSchema } from '../index.js'

const owner = defineField({ name: 'owner', type: 'names', asks: false, effect: 'who is asked about the skill' })
const stage = defineField({
  name: 'stage',
  aliases: ['phase'],
  type: 'word',
  choices: { draft: 'draft', beta: 'draft', done: 'done' },
  asks: false,
})
const target = defineField({ name: 'target', type: 'text', limit: 8, asks: true })
const layout = { fields: { own: [owner, stage, target] } }

async function read(block: string) {
  return commandOf(Buffer.from(`---\ndescription: Text.\n${block}\n---\nBody`), { name: 'a', source: 'test', layout })
}

describe('a field of a host', () => {
  it('has a typed value in the command, and stays in the metadata as it was written', async () => {
    const { command, diagnostics } = await read('owner: a, b\nphase: Beta')
    if (command === undefined) throw new Error('There is no command.')
    const names = owner.of(command)
    expectTypeOf(names).toEqualTypeOf<readonly string[] | undefined>()
    expectTypeOf(stage.of(command)).toEqualTypeOf<'draft' | 'done' | undefined>()
    expect([names, stage.of(command), target.of(command)]).toEqual([['a', 'b'], 'draft', undefined])
    expect(command.metadata).toEqual({ owner: 'a, b', phase: 'Beta' })
    expect(command.toJSON()).toMatchObject({ fields: { owner: ['a', 'b'], stage: 'draft' } })
    expect(diagnostics).toEqual([])
  })

  it('is checked by its type, with the place in the file', async () => {
    expect(await read('stage: other')).toMatchObject({
      command: undefined,
      diagnostics: [
        {
          code: 'invalid-choice',
          field: 'stage',
          line: 3,
          column: 8,
          message: '`stage` must be draft, beta or done, but is "other".',
        },
      ],
    })
    expect((await read('target: far too long a text')).diagnostics).toMatchObject([
      { severity: 'warning', code: 'field-too-long', message: expect.stringMatching(/^`target` .* 19 .* 8\./) },
    ])
  })

  it('is a field by name where it asks for permission', async () => {
    const { command } = await read('owner: a\ntarget: x')
    expect(Object.keys(command ?? {})).toContain('target')
    expect(Object.keys(command ?? {})).not.toContain('owner')
  })

  it('is no misspelling of another, and does not take the place of one that everyone knows', () => {
    const desc = defineField({ name: 'desc', type: 'text', asks: false })
    expect(readFields({ desc: 'x' }).problems).toMatchObject([{ code: 'misspelt-field' }])
    expect(readFields({ desc: 'x' }, { own: [desc] })).toEqual({
      fields: { own: { desc: 'x' }, metadata: { desc: 'x' } },
      problems: [],
    })
    const model = defineField({ name: 'model', type: 'boolean', asks: false })
    expect(readFields({ model: 'large' }, { own: [model] })).toEqual({ fields: { model: 'large' }, problems: [] })
  })

  it('may be checked by a schema of any library, which gives its value', async () => {
    const level = defineField({ name: 'level', type: list(oneOf('low', 'high')), asks: false })
    const own = { fields: { own: [level] } }
    const of = async (block: string) =>
      commandOf(Buffer.from(`---\ndescription: Text.\n${block}\n---\n`), { name: 'a', source: 'test', layout: own })
    const { command } = await of('level: [low, high]')
    expectTypeOf(level.of(command ?? {})).toEqualTypeOf<readonly ('low' | 'high')[] | undefined>()
    expect(level.of(command ?? {})).toEqual(['low', 'high'])
    expect(await of('level: [low, other]')).toMatchObject({
      command: undefined,
      diagnostics: [{ code: 'invalid-value', field: 'level', line: 3 }],
    })
  })

  it('is known wherever an engine of a host knows words', () => {
    const words = { context: [], shell: [], fields: [stage] }
    expect(readFields({ stage: 'beta' }, { words })).toMatchObject({ fields: { own: { stage: 'draft' } } })
    expect(skillSchema({ words })['properties']).toHaveProperty('stage')
  })

  it('is in the schema', () => {
    expect(skillSchema({ own: [stage] })['properties']).toMatchObject({
      stage: { enum: ['draft', 'beta', 'done', null] },
      phase: { deprecated: true },
    })
  })

  it.each([['a b'], ['__proto__'], [''], ['constructor']])('cannot be called %j', name => {
    expect(() => defineField({ name, type: 'text', asks: false })).toThrow(
      expect.objectContaining({ code: 'E_INVALID_OPTION' }),
    )
  })

  it('that is a word has choices', () => {
    expect(() => defineField({ name: 'x', type: 'word', asks: false })).toThrow(
      expect.objectContaining({ code: 'E_INVALID_OPTION' }),
    )
  })
})

describe('the published schema', () => {
  const published: unknown = JSON.parse(readFileSync(new URL('../../skill.schema.json', import.meta.url), 'utf8'))
  const validate = new Ajv2020({ allowUnionTypes: true }).compile(published as object)

  it('is that of the table: node scripts/reference-tables.mjs --write', () => {
    expect(published).toEqual(JSON.parse(JSON.stringify(skillSchema())))
  })

  it.each([
    'name: a\ndescription: b',
    'allowed-tools: [Read, "Bash(git:*)"]',
    'tools: Read, Write',
    'user-invocable: no',
    'effort: max',
    'context: fork',
    'hooks:\n  Stop: []',
    'requires:\n  bins: [x]',
    'other: 1',
    'metadata:',
    'paths:\n  - a/**',
    'version: "1.10"',
  ])('accepts what is read: %j', block => {
    const data = load(block, { schema: FAILSAFE_SCHEMA }) as Record<string, unknown>
    expect(readFields(data).problems).toEqual([])
    expect(validate(load(block)), JSON.stringify(validate.errors)).toBe(true)
  })

  it.each([
    'context: [a]',
    'shell: zsh',
    'effort: -1',
    'user-invocable: maybe',
    'description: [a]',
    'hooks: text',
    `description: ${'x'.repeat(1025)}`,
    'paths:\n  a: b',
  ])('refuses what is remarked on: %j', block => {
    const data = load(block, { schema: FAILSAFE_SCHEMA }) as Record<string, unknown>
    expect(readFields(data).problems).not.toEqual([])
    expect(validate(load(block))).toBe(false)
  })
})

it('each field of the table is in the command of a file that sets it, under its property', async () => {
  const samples: Partial<Record<Field['type'], string>> = { effort: 'high', map: '{Stop: []}' }
  for (const { name, property, type, choices = {}, otherwise } of fieldTable) {
    const sample = type === 'boolean' ? String(otherwise !== true) : (Object.keys(choices).at(-1) ?? samples[type])
    const { command } = await commandOf(Buffer.from(`---\n${name}: ${sample ?? 'text'}\n---\n`), {
      name: 'a',
      source: 'test',
    })
    const { command: without } = await commandOf(Buffer.from('Body.'), { name: 'a', source: 'test' })
    const key = name === 'name' ? 'displayName' : property
    expect(command?.toJSON()[key], name).not.toEqual(without?.toJSON()[key])
  }
})
