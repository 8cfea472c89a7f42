import { readFileSync } from 'node:fs'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pluginSchema, serversSchema } from '@skills/files/internal'
import { judgeManifest } from './manifest-rules.js'
import { formViolation, judgeServersFile } from './server-rules.js'

const schemaOf = (name: string): object =>
  JSON.parse(readFileSync(`${import.meta.dirname}/../../test/agent-plugins/${name}.schema.json`, 'utf8')) as object

const ajv = new Ajv2020({ allErrors: true })
const plugin = ajv.compile(schemaOf('plugin'))
const servers = ajv.compile(schemaOf('mcp'))
const server = ajv.compile({ $ref: `${serversSchema}#/$defs/server` })

const words = fc.constantFrom<unknown>(
  'acme', 'acme.tools', 'a--b', 'A', '', '-a', 'x'.repeat(64), 'x'.repeat(65), 'é', './', './bin/x', '${PLUGIN_ROOT}',
  '${PLUGIN_DATA}/x', '${PLUGIN_ROOT}x', 'stdio', 'sse', 'streamable-http', 'http', 'https://example.com',
  pluginSchema, serversSchema, `${pluginSchema}\n`, 'PLUGIN_ROOT',
) // prettier-ignore
const odd = fc.oneof(
  words,
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, [], {}, [null], [''], { a: 1 }, { name: 'x' }, { name: 1 }),
  fc.jsonValue({ maxDepth: 2 }),
)
const key = fc.oneof(
  fc.constantFrom(
    '$schema', 'name', 'version', 'description', 'author', 'homepage', 'repository', 'license', 'keywords',
    'extensions', 'mcpServers', 'type', 'command', 'args', 'env', 'cwd', 'url', 'headers', 'skills', 'Name', '',
    'PLUGIN_ROOT', 'PLUGIN_DATA', '__proto__', 'constructor', 'toString', 'com.example.client', 'email', 's',
  ), // prettier-ignore
  fc.string({ maxLength: 4 }),
)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

interface Mutation {
  readonly at: readonly number[]
  readonly key: string
  readonly value: unknown
  readonly how: 'set' | 'remove' | 'replace'
}
const mutations = fc.array(
  fc.record({
    at: fc.array(fc.nat(6), { maxLength: 3 }),
    key,
    value: odd,
    how: fc.constantFrom<Mutation['how']>('set', 'remove', 'replace'),
  }),
  { maxLength: 4 },
)

/** Applies mutations to a copy of a sound value: at a member that a way of numbers leads to. */
function mutated(sound: object, changes: readonly Mutation[]): Readonly<Record<string, unknown>> {
  const whole: { value: unknown } = { value: structuredClone(sound) }
  for (const { at, key: name, value, how } of changes) {
    let [holder, member]: [object, string] = [whole, 'value']
    for (const step of at) {
      const inner: unknown = Reflect.get(holder, member)
      if (typeof inner !== 'object' || inner === null) break
      const keys = Object.keys(inner)
      if (keys.length === 0) break
      ;[holder, member] = [inner, keys[step % keys.length] ?? '']
    }
    const target: unknown = Reflect.get(holder, member)
    const fresh: unknown = structuredClone(value)
    if (how === 'replace' && holder !== whole) define(holder, member, fresh)
    else if (how === 'remove' && holder !== whole) Reflect.deleteProperty(holder, member)
    else if (typeof target === 'object' && target !== null && !Array.isArray(target)) define(target, name, fresh)
  }
  // As a file has it: a key may have any name.
  const data: unknown = JSON.parse(JSON.stringify(whole.value))
  if (!isObject(data)) throw new TypeError('A mutation keeps the object.')
  return data
}

function define(holder: object, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true })
}

const soundManifest = {
  $schema: pluginSchema,
  name: 'acme',
  version: '1.0.0',
  author: { name: 'Someone', email: 'x', url: 'y' },
  keywords: ['a', 'b'],
  extensions: { 'com.example.client': { any: [1] } },
}
const soundServers = {
  local: { type: 'stdio', command: 'node', args: ['x'], env: { A: 'b' }, cwd: './' },
  far: { type: 'streamable-http', url: 'https://example.com', headers: { A: 'b' } },
  old: { type: 'sse', url: 'https://example.com' },
}

/** True for an error that the text of the standard makes a report. */
const isReport = ({ instancePath, keyword, schemaPath }: ErrorObject): boolean =>
  (instancePath === '' && keyword === 'additionalProperties') ||
  (instancePath === '/extensions' && keyword === 'type' && schemaPath === '#/properties/extensions/type')

test('10,000 mutated manifests are decided as the schema decides them', () => {
  const seen = { accepted: 0, refused: 0, reported: 0 }
  fc.assert(
    fc.property(mutations, changes => {
      const data = mutated(soundManifest, changes)
      const isValid = plugin(data)
      const errors = plugin.errors ?? []
      const { fatal, ignored } = judgeManifest(data)
      expect({ isValid, isFatal: fatal.length > 0, reports: ignored.length }).toEqual({
        isValid: fatal.length + ignored.length === 0,
        isFatal: errors.some(error => !isReport(error)),
        reports: errors.filter(isReport).length,
      })
      seen[fatal.length > 0 ? 'refused' : ignored.length > 0 ? 'reported' : 'accepted']++
    }),
    { numRuns: 10_000 },
  )
  // The mutations reach every verdict often enough to mean something.
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(300)
})

test('10,000 mutated files of servers are decided as the schema decides them', () => {
  const seen = { accepted: 0, disabled: 0, skipped: 0 }
  fc.assert(
    fc.property(mutations, changes => {
      const data = mutated({ $schema: serversSchema, mcpServers: soundServers }, changes)
      const isDisabled = judgeServersFile(data).length > 0
      const given = data['mcpServers']
      const wrong = isObject(given) ? Object.values(given).filter(one => formViolation(one) !== undefined) : []
      expect(!isDisabled && wrong.length === 0).toBe(servers(data))
      const each = isObject(given) ? Object.values(given) : []
      expect(each.map(one => formViolation(one) === undefined)).toEqual(each.map(one => server(one)))
      seen[isDisabled ? 'disabled' : wrong.length > 0 ? 'skipped' : 'accepted']++
    }),
    { numRuns: 10_000 },
  )
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(300)
})
