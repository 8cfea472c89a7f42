import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import matter from 'gray-matter'
import { FAILSAFE_SCHEMA, load, Type } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { loadParser } from '../index.js'
import { isNullWord } from '../yaml/null-word.js'
import type { Parsed } from '../types.js'
import { corpus, corpusFiles } from '../../test/corpus.js'
import { differences, type GrayMatter } from '../../test/gray-matter-differences.js'

// Many runs, on a machine that may be busy.

const parser = await loadParser()

function refuse(): never {
  throw new Error('no engine')
}

function read(text: string): GrayMatter {
  try {
    const engines = {
      yaml: (block: string) => (load(block, { schema }) ?? {}) as object,
      json: refuse,
      javascript: refuse,
      js: refuse,
      coffee: refuse,
      toml: refuse,
    }
    const { data, content } = matter(text, { engines })
    return { data, content }
  } catch (error) {
    return { thrown: String(error) }
  }
}

/** Schema in which scalars stay text, as in our reader. */
const schema = FAILSAFE_SCHEMA.extend({
  implicit: [new Type('tag:yaml.org,2002:null', { kind: 'scalar', resolve: isNullWord, construct: () => null })],
})

function ours(text: string): Parsed {
  const parsed = parser.parse(Buffer.from(text), { checkBody: false })
  if ('needMore' in parsed) throw new Error('A whole file never needs more.')
  return parsed
}

const isSame = (text: string, parsed: Parsed, theirs: GrayMatter): boolean =>
  parsed.ok &&
  'data' in theirs &&
  isDeepStrictEqual(JSON.parse(JSON.stringify(parsed.data)), JSON.parse(JSON.stringify(theirs.data))) &&
  Buffer.from(text).toString('utf8', parsed.bodyStart) === theirs.content

const line = fc.oneof(
  fc.constantFrom(
    '---',
    '---',
    '--- ',
    '----',
    '---js',
    '--- yaml',
    '---yaml',
    '...',
    '',
    ' ',
    '# x',
    '\t',
    '- a',
    'text',
    'a:b',
    'a: b: c',
    '"',
    '}',
    '__proto__: x',
  ),
  fc
    .tuple(
      fc.constantFrom('', '', '', '  ', '\t'),
      fc.constantFrom('a', 'name', '"q"', 'b c', '1'),
      fc.constantFrom(': ', ': ', ': ', ':', ' : '),
      fc.constantFrom(
        'x',
        '1',
        'true',
        'null',
        '~',
        '',
        '"a\\nb"',
        "'it''s'",
        '[a, b]',
        '{a: b}',
        '|',
        '>-',
        '# c',
        'x # c',
        '&a x',
        '*a',
        '!!str 1',
        '@x',
        '- x',
        '---',
        '2024-01-01',
      ),
    )
    .map(parts => parts.join('')),
)
const text = fc
  .tuple(
    fc.constantFrom('', '', '', '', '\ufeff', '\n', '<!-- c -->\n'),
    fc.array(line, { maxLength: 6 }),
    fc.constantFrom('\n', '\n', '\n', '\r\n', '\r'),
    fc.array(line, { maxLength: 3 }),
    fc.boolean(),
  )
  .map(
    ([start, block, end, body, isEnded]) =>
      `${start}${['---', ...block, '---', ...body].join(end)}${isEnded ? end : ''}`,
  )

/** Compares both readers. Returns undefined if they agree, else the kinds of difference the text has. */
function compare(one: string): readonly string[] | undefined {
  const [parsed, theirs] = [ours(one), read(one)]
  return isSame(one, parsed, theirs)
    ? undefined
    : differences.filter(({ isIn }) => isIn(one, parsed)).map(({ kind }) => kind)
}

describe('frontmatter is what gray-matter reads with a YAML engine alone, but for the differences that are listed', () => {
  test.each(differences)('$kind', ({ kind, example }) => {
    expect(compare(example)).toContain(kind)
  })

  test('for generated texts', () => {
    let same = 0
    fc.assert(
      fc.property(text, one => {
        const kinds = compare(one)
        if (kinds === undefined) same++
        expect(kinds).not.toEqual([])
      }),
      { numRuns: 3_000 },
    )
    // Makes sure that the readers agree on enough of the generated texts.
    expect(same).toBeGreaterThan(300)
  })

  test.skipIf(corpus === undefined)('for real skills', () => {
    const found = corpusFiles()
      .filter(({ name }) => name.endsWith('.md'))
      .map(({ name, bytes }) => ({ name, kinds: compare(bytes.toString()) }))
    expect(found.filter(({ kinds }) => kinds?.length === 0)).toEqual([])
    expect(found.filter(({ kinds }) => kinds === undefined).length / found.length).toBeGreaterThan(0.9)
  })
})

test('with its own engines gray-matter runs what a fence names', () => {
  const code = '---javascript\n{ ran: process.pid }\n---\n'
  expect(matter(code, {}).data).toEqual({ ran: process.pid })
  expect(ours(code)).toMatchObject({ ok: false, diagnostics: [{ code: 'executable-frontmatter' }] })
})
