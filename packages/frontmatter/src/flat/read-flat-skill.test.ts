import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { readFields } from '../fields/read-fields.js'
import { loadParser } from '../parse/parser.js'
import { readFlatSkill } from './read-flat-skill.js'
import type { FieldOptions } from '../fields/field-types.js'

// Many runs, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 })

const parser = await loadParser()

function quick(text: string, options?: FieldOptions) {
  const bytes = Buffer.from(text)
  return readFlatSkill(bytes, bytes.length, true, options)
}

/** What the full parser and the fields make of the same file, or undefined when there is anything to say about it. */
function slow(text: string, options?: FieldOptions) {
  const parsed = parser.parse(Buffer.from(text))
  if ('needMore' in parsed || !parsed.ok || parsed.diagnostics.length > 0) return undefined
  return { ...readFields(parsed.data, options), bodyStart: parsed.bodyStart }
}

describe('a block that begins with a name and a description', () => {
  test.each<[string, string, Record<string, unknown>]>([
    ['alone', 'Deploys, and more. It is so!', { description: 'Deploys, and more. It is so!' }],
    ['in quotes', '"Use this: always # now"', { description: 'Use this: always # now' }],
    ['in apostrophes', "'Say \"go\": now'", { description: 'Say "go": now' }],
    ['with more behind it', 'Deploys.\nlicense: MIT\nmetadata:\n  author: x\nallowed-tools: Read, Write', {
      description: 'Deploys.', license: 'MIT', metadata: { author: 'x' }, allowedTools: ['Read', 'Write'],
    }],
    ['that goes on', 'Deploys\n  the service.', { description: 'Deploys the service.' }],
    ['with a comment', 'Deploys. # Or not', { description: 'Deploys.' }],
    ['with a comment that mentions a number', 'Deploys. # As in #12', { description: 'Deploys.' }],
    ['beyond ASCII', 'Déploie 日本 😀', { description: 'Déploie 日本 😀' }],
    ['that is nothing', 'null', {}],
    ['that is empty', '""', {}],
  ])('%s', (_, description, fields) => {
    const text = `---\nname: deploy\ndescription: ${description}\n---\nBody`
    expect(quick(text)).toEqual({ fields: { name: 'deploy', ...fields }, problems: [], bodyStart: text.length === Buffer.byteLength(text) ? text.indexOf('Body') : Buffer.byteLength(text) - 4 })
    expect(quick(text)).toEqual(slow(text))
  })

  test.each([
    ['a second name', 'x\nname: other'], ['a second description', 'x\ndescription: y'], ['`: ` in a value', 'x: y'], ['a quote that does not end', '"x'],
    ['a quote within', '"x" y"'], ['text behind a quote', '"x" y'], ['a colon at the end', 'x:'], ['a tab', 'x\ty'], ['a lone carriage return', 'x\ry'],
  ])('is left to the full parser with %s', (_, description) => {
    expect(quick(`---\nname: deploy\ndescription: ${description}\n---\n`)).toBeUndefined()
  })

  test.each(['null', '~', 'a: b', 'x #y', '"deploy"', '[a]', ' deploy', '- x', '*a'])('whose name is written as `%s` means what the parser says', (name) => {
    const text = `---\nname: ${name}\ndescription: Text.\n---\n`
    expect(quick(text) ?? slow(text)).toEqual(slow(text))
  })

  test('is remarked upon when a field is too long', () => {
    expect(quick(`---\nname: deploy\ndescription: ${'x'.repeat(1025)}\n---\n`)?.problems).toMatchObject([{ code: 'description-too-long' }])
    const name = 'n'.repeat(65)
    expect(quick(`---\nname: ${name}\ndescription: x\n---\n`)?.problems).toMatchObject([{ code: 'name-too-long' }])
  })

  test('follows options', () => {
    const bytes = Buffer.from('---\nname: deploy\ndescription: Text.\n---\n')
    expect(readFlatSkill(bytes, bytes.length, true, { only: ['name'] })?.fields).toEqual({ name: 'deploy', metadata: { description: 'Text.' } })
    expect(readFlatSkill(bytes, bytes.length, true, { limits: { description: 3 } })?.problems).toHaveLength(1)
  })
})

test('a file that begins with a heading has no fields', () => {
  expect(quick('# Title\n\nText')).toEqual({ fields: {}, problems: [], bodyStart: 0 })
})

const piece = fc.constantFrom(
  '\n', '\n  ', '\n- ', 'a', 'b: ', 'license: ', ': ', ':', ' #', '#', '"', "'", "''", '\\"', '\\', '[', ']', '{', '|', '>', '- ', '-', '~', 'null', '1.10',
  'more words', 'é', '\u00a0', '\u2028', '\ufeff', '\r\n', '\r', '\t', ' ', '\n\n', '\nname: ', '\ndescription: ', '\nmetadata:\n  a: ', '\nallowed-tools: ', '"x"', "'y'", '---', '\n...', '@', '*x',
)

const optionSets: readonly (FieldOptions | undefined)[] = [undefined, {}, { only: ['description', 'license', 'allowed-tools', 'metadata'] }, { only: ['name', 'description'] }, { limits: { description: 3 } }]

test('whatever it answers, the full parser and the fields say too', () => {
  let sure = 0
  const opening = fc.constantFrom('name: deploy\n', 'name: a-1\n', 'name: null\n', 'name: x y\n', 'name:\n', '')
  fc.assert(fc.property(opening, fc.constantFrom('\n', '\r\n'), fc.array(piece, { maxLength: 6 }), fc.constantFrom(...optionSets), (name, end, pieces, options) => {
    const text = `---${end}${name.replace('\n', end)}description: ${pieces.join('')}${end}---${end}Body`
    const answer = quick(text, options)
    if (answer === undefined) return
    sure++
    expect(answer).toEqual(slow(text, options))
  }), { numRuns: 6_000 })
  expect(sure).toBeGreaterThan(300)
})
