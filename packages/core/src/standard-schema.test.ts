import { toStandardJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { defineField } from './fields.js'
import { fileOptions, jsonSchema } from './json-schema.js'
import { either, options, text, type OptionsOf } from './schema.js'

const server = options('server()', {
  name: text().required(),
  port: z.number().int().min(1).default(3000),
  tags: z.array(z.string()).optional(),
  level: either(z.enum(['low', 'high'])).inFiles(),
  at: either(z.coerce.date()).inFiles(),
})

const client = options('client()', {
  retries: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 2),
  url: v.pipe(v.string(), v.url()),
  proxy: either(toStandardJsonSchema(v.object({ host: v.string() }))).inFiles(),
})

test('types, defaults and what is made of a value are those of the schemas of zod and valibot', () => {
  expectTypeOf<OptionsOf<typeof server>>().toEqualTypeOf<{
    readonly name: string
    readonly port?: number | undefined
    readonly tags?: string[] | undefined
    readonly level?: 'low' | 'high' | undefined
    readonly at?: unknown
  }>()
  expectTypeOf(server.read).returns.toMatchTypeOf<{ readonly port: number; readonly at?: Date }>()
  expectTypeOf<OptionsOf<typeof client>>().toEqualTypeOf<{
    readonly url: string
    readonly retries?: number | undefined
    readonly proxy?: { host: string } | undefined
  }>()
  expectTypeOf(client.read).returns.toMatchTypeOf<{ readonly retries: number }>()
  expect(server.read({ name: 'a' })).toEqual({ name: 'a', port: 3000 })
  expect(server.read({ name: 'a', at: '2026-11-26' }).at).toEqual(new Date('2026-11-26'))
  expect(client.read({ url: 'https://a.example' })).toEqual({ retries: 2, url: 'https://a.example' })
})

test.each([
  [() => server.read({ name: 'a', prt: 1 }), 'server() has no option "prt". Did you mean "port"?'],
  [
    () => server.read({ name: 'a', port: 0 }),
    'The option "port" of server() is 0. Too small: expected number to be >=1.',
  ],
  [
    () => server.read({ name: 'a', tags: ['b', 5] }),
    'The option "tags[1]" of server() is 5. Invalid input: expected string',
  ],
  [
    () => server.read({ name: 'a', level: 'lo' }),
    'The option "level" of server() is "lo". Invalid option: expected one of',
  ],
  [() => client.read({ url: 'b' }), 'The option "url" of client() is "b". Invalid URL: Received "b".'],
  [() => client.read({ url: 5 }), 'The option "url" of client() is 5. Invalid type: Expected string but received 5.'],
  [
    () => client.read({ url: 'https://a.example', proxy: {} }),
    'The option "proxy.host" of client() is missing. Invalid key',
  ],
])('what is wrong is refused by name: %#', (read, message) => {
  expect(read).toThrow(
    expect.objectContaining({ code: 'E_INVALID_OPTION', message: expect.stringContaining(message) as string }),
  )
})

test('a configuration file is described as the library describes its schema, or accepts anything', () => {
  expect(jsonSchema(fileOptions(server))).toEqual({
    type: 'object',
    properties: { level: { type: 'string', enum: ['low', 'high'] }, at: {} },
    additionalProperties: false,
  })
  expect(jsonSchema(fileOptions(client))).toEqual({
    type: 'object',
    properties: { proxy: { type: 'object', properties: { host: { type: 'string' } }, required: ['host'] } },
    additionalProperties: false,
  })
  expect(jsonSchema(options('plain()', { url: v.string() }))).toMatchObject({ properties: { url: {} } })
})

test('a field of a skill may have such a type, also one that is a function', () => {
  const port = defineField({ name: 'port', asks: false, type: z.coerce.number().int() })
  expectTypeOf(port.of).returns.toEqualTypeOf<number | undefined>()
  expect(port).toMatchObject({ type: 'schema', schema: { '~standard': { vendor: 'zod' } } })
  const called = Object.assign(() => undefined, { '~standard': port.schema!['~standard'] })
  expect(defineField({ name: 'port', asks: false, type: called }).schema).toBe(called)
})
