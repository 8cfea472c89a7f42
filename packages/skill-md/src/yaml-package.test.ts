import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, visit, type Document, type Node } from 'yaml'
import { corpus, corpusFiles } from '../test/corpus.js'
import { loadParser, updateFrontmatter } from './index.js'
import { locateKey } from './parse/locate.js'

// Many runs, on a machine that may be busy.

const parser = await loadParser()
const fence = '---\n'

/** Parses like our reader: scalars are text. */
const documentOf = (block: string, lineCounter?: LineCounter): Document.Parsed =>
  parseDocument(block, {
    schema: 'failsafe',
    customTags: ['null'],
    logLevel: 'silent',
    ...(lineCounter !== undefined && { lineCounter }),
  })

/** Returns the places of the keys of block maps as `yaml` finds them, in a file whose first line is the fence. */
function placesOf(block: string): readonly { path: (string | number)[]; line: number; column: number }[] {
  const lines = new LineCounter()
  const found: { path: (string | number)[]; line: number; column: number }[] = []
  const walk = (node: unknown, path: (string | number)[]): void => {
    if (isSeq(node) && node.flow !== true) for (const [at, item] of node.items.entries()) walk(item, [...path, at])
    if (!isMap(node) || node.flow === true) return
    for (const { key, value } of node.items) {
      if (!isScalar(key)) continue
      const { line, col } = lines.linePos(key.range?.[0] ?? 0)
      found.push({ path: [...path, String(key.value)], line: line + 1, column: col })
      walk(value, [...path, String(key.value)])
    }
  }
  walk(documentOf(block, lines).contents, [])
  return found
}

/** Returns every comment of a document, in order. */
function commentsOf(block: string): readonly string[] {
  return block.match(/(?<=^|\s)# c\d+$/gm) ?? []
}

const scalar = fc.constantFrom('x', 'two words', '"q: #no"', "'it''s'", '12', 'null', '[a, "b"]', '{k: v}', '')
const comment = fc.option(
  fc.nat(9).map(number => ` # c${number}`),
  { nil: '' },
)
const child = fc.tuple(scalar, comment).map(parts => parts.join(''))
const pair = fc.oneof(
  child.map(value => [`: ${value}`]),
  fc.array(child, { minLength: 1, maxLength: 3 }).map(items => [':', ...items.map(item => `  - ${item}`)]),
  fc
    .uniqueArray(fc.constantFrom('m', 'n', 'o'), { minLength: 1 })
    .chain(keys => fc.tuple(...keys.map(key => child.map(value => `  ${key}: ${value}`))))
    .map(lines => [':', ...lines]),
  fc.constantFrom([': |', '  a', '', '  b'], [': >-', '  a', '  b']),
)
const block = fc
  .uniqueArray(fc.constantFrom('name', 'description', 'model', '"quoted key"', 'metadata'), { minLength: 1 })
  .chain(keys =>
    fc.tuple(
      ...keys.map(key =>
        fc
          .tuple(fc.constantFrom([], ['# c0'], ['']), pair)
          .map(([before, [first = '', ...rest]]) => [...before, `${key}${first}`.trimEnd(), ...rest]),
      ),
    ),
  )
  .map(lines => `${lines.flat().join('\n')}\n`)

function dataOf(text: string): unknown {
  const parsed = parser.parse(Buffer.from(text))
  return 'ok' in parsed && parsed.ok && parsed.diagnostics.length === 0 ? parsed.data : undefined
}

describe('what `yaml` makes of a block', () => {
  test('is what ours is read as, and its keys stand where ours are found', () => {
    fc.assert(
      fc.property(block, text => {
        const file = `${fence}${text}${fence}`
        expect(dataOf(file)).toEqual(documentOf(text).toJS())
        for (const { path, line, column } of placesOf(text))
          expect(locateKey(file, path)).toMatchObject({ line, column })
      }),
      { numRuns: 1000 },
    )
  })

  test('has the change of an edit, and all comments and data besides', async () => {
    const value = fc.constantFrom<unknown>('new', 'with: colon', 'with #c9', ['a', 'b'], { k: 'v' }, null, undefined)
    await fc.assert(
      fc.asyncProperty(block, fc.constantFrom('name', 'description', 'extra'), value, async (text, key, given) => {
        const edited = await updateFrontmatter(`${fence}${text}${fence}`, { [key]: given })
        const inside = edited.slice(fence.length, edited.lastIndexOf(fence))
        const [before, after] = [documentOf(text), documentOf(inside)]
        expect(after.errors).toEqual([])
        if (given === undefined) before.delete(key)
        else before.set(key, given)
        expect(after.toJS() ?? {}).toEqual(before.toJS())
        expect(commentsOf(inside)).toEqual(expect.arrayContaining([...commentsBeside(text, key)]))
      }),
      { numRuns: 500 },
    )
  })

  test.skipIf(corpus === undefined)('is what real skills are read as', () => {
    const different = corpusFiles().filter(({ name, bytes }) => {
      const text = bytes.toString()
      const inside = /^---\n([^]*?\n)---\n/.exec(text)?.[1]
      const data = inside === undefined ? undefined : dataOf(text)
      if (!name.endsWith('.md') || inside === undefined || data === undefined) return false
      const document = documentOf(inside)
      return document.errors.length > 0 || JSON.stringify(document.toJS() ?? {}) !== JSON.stringify(data)
    })
    expect(different.map(({ name }) => name)).toEqual([])
  })
})

/** Returns the comments in the values of other keys. */
function commentsBeside(text: string, key: string): readonly string[] {
  const { contents } = documentOf(text)
  const found: string[] = []
  if (!isMap(contents)) return found
  for (const { key: name, value } of contents.items)
    if (isScalar(name) && name.value !== key)
      visit(value as Node, (_key, node) => {
        if (isNode(node) && typeof node.comment === 'string') found.push(...commentsOf(`#${node.comment}`))
      })
  return found
}
