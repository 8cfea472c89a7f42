import { afterEach, describe, expect, test } from 'vitest'
import { readQuickHead } from './quick.js'
import { parseFrontmatter } from './parse-frontmatter.js'
import { loadParser, parseYaml } from './parser.js'

// Many runs, on a machine that may be busy.

const parser = await loadParser()

function parse(block: string) {
  const parsed = parser.parse(Buffer.from(`---\n${block}\n---\n`))
  if ('needMore' in parsed) throw new Error('a whole file never needs more')
  return parsed
}

/** Measures milliseconds of processor time from this call on, so that a busy machine does not count. */
function takeTime(): () => number {
  const before = process.cpuUsage()
  return () => process.cpuUsage(before).user / 1_000
}

describe('executable frontmatter never runs', () => {
  const canary = 'frontmatterWasRun'
  afterEach(() => void Reflect.deleteProperty(globalThis, canary))

  test.each(['js', 'javascript', ' js', 'JS', 'coffee', 'coffeescript', 'cson', 'json', 'toml', 'ts', 'hjson', 'x+y'])(
    '---%s',
    async language => {
      const file = `---${language}\n(globalThis.${canary} = true, { name: 'x' })\n---\nBody`
      const parsed = await parseFrontmatter(file)
      expect(parsed).toMatchObject({ ok: false, diagnostics: [{ severity: 'error', line: 1 }] })
      expect(readQuickHead(Buffer.from(file), true)).toBeUndefined()
      expect(canary in globalThis).toBe(false)
    },
  )

  test('nor do tags that some YAML libraries run', () => {
    const parsed = parse(`name: !!js/function 'function () { globalThis.${canary} = true }'\nb: !!js/regexp /x/`)
    expect(parsed).toMatchObject({ ok: true, data: { b: '!!js/regexp /x/' } })
    expect(canary in globalThis).toBe(false)
  })
})

describe('nothing is remembered', () => {
  test('bad YAML fails the second time as it did the first', () => {
    const first = parse('name: x\n- y')
    expect(first.ok).toBe(false)
    expect(parse('name: x\n- y')).toEqual(first)
  })

  test('what a caller changes in a result does not come back', () => {
    const first = parse('a: {b: c}')
    if (first.ok) first.data['a'] = 'changed'
    expect(parse('a: {b: c}')).toMatchObject({ data: { a: { b: 'c' } } })
  })
})

describe('keys that reach a prototype are dropped', () => {
  test.each([
    ['at the top', '__proto__: {polluted: yes}\nconstructor: x\nprototype: y\nname: z', { name: 'z' }],
    ['in a map', 'metadata:\n  __proto__:\n    polluted: yes\n  a: b', { metadata: { a: 'b' } }],
    ['in a list', 'a:\n  - constructor: {prototype: {polluted: yes}}\n    b: c', { a: [{ b: 'c' }] }],
    ['written with escapes', '"\\x5f_proto__": {polluted: yes}\nname: z', { name: 'z' }],
    ['in braces', 'a: {__proto__: {polluted: yes}, b: c}', { a: { b: 'c' } }],
    [
      'through a merge',
      'base: &b {__proto__: {polluted: yes}, c: d}\na:\n  <<: *b',
      { base: { c: 'd' }, a: { c: 'd' } },
    ],
  ])('%s', (_, block, data) => {
    const parsed = parse(block)
    expect(parsed).toMatchObject({ ok: true })
    if (!parsed.ok) return
    expect(parsed.data).toEqual(data)
    expect(Object.getPrototypeOf(parsed.data)).toBe(Object.prototype)
    expect('polluted' in {}).toBe(false)
    expect('polluted' in parsed.data).toBe(false)
    expect(parsed.diagnostics.map(({ code }) => code)).toContain('unsafe-key')
  })

  test('the warning has the line of the key', () => {
    expect(parse('metadata:\n  constructor: x')).toMatchObject({
      diagnostics: [{ code: 'unsafe-key', line: 3, column: 3, field: 'constructor' }],
    })
  })
})

describe('aliases', () => {
  test('stand for what they name, merge keys too', () => {
    expect(parse('a: &x {b: c}\nd: *x\ne:\n  <<: *x\n  f: g\nh: [*x, *x]')).toMatchObject({
      data: { a: { b: 'c' }, d: { b: 'c' }, e: { b: 'c', f: 'g' }, h: [{ b: 'c' }, { b: 'c' }] },
    })
  })

  test('are copies of one another', () => {
    const parsed = parse('a: &x {b: c}\nd: *x')
    if (!parsed.ok) throw new Error('refused')
    expect(parsed.data['a']).not.toBe(parsed.data['d'])
  })

  test('may add 100 nodes and no more', () => {
    const aliases = (count: number) => `a: &x y\nb: [${Array.from({ length: count }, () => '*x').join(', ')}]`
    expect(parse(aliases(100))).toMatchObject({ ok: true })
    expect(parse(aliases(101))).toMatchObject({ ok: false, diagnostics: [{ code: 'alias-bomb', line: 3 }] })
    const items = (count: number) => `a: &x\n${Array.from({ length: count }, () => '  - x\n').join('')}b: *x`
    expect(parse(items(99))).toMatchObject({ ok: true })
    expect(parse(items(100))).toMatchObject({ ok: false, diagnostics: [{ code: 'alias-bomb' }] })
  })

  test('as items of a list below a key count once', () => {
    expect(parse(`a: &x y\nb:\n${'  - *x\n'.repeat(100)}`)).toMatchObject({ ok: true })
    expect(parse(`a: &x y\nb:\n${'  - *x\n'.repeat(101)}`)).toMatchObject({ ok: false })
  })

  test.each([
    [
      'a billion laughs',
      [
        'a: &l0 [x, x, x, x, x, x, x, x, x]',
        ...Array.from({ length: 30 }, (_, n) => `k${n}: &l${n + 1} [${Array(9).fill(`*l${n}`).join(', ')}]`),
      ].join('\n'),
    ],
    ['one that holds itself', 'a: &x [*x]'],
    ['a map that holds itself', 'a: &x\n  b: *x'],
    [
      'a merge of many',
      ['a: &m {b: c, d: e, f: g}', ...Array.from({ length: 60 }, (_, n) => `k${n}:\n  <<: [*m, *m]`)].join('\n'),
    ],
  ])('%s is refused', (_, block) => {
    const time = takeTime()
    expect(parse(block)).toMatchObject({ ok: false, diagnostics: [{ code: 'alias-bomb', severity: 'error' }] })
    expect(time()).toBeLessThan(500)
  })

  test('the limit is an option', () => {
    expect(parser.parse(Buffer.from('---\na: &x y\nb: *x\n---\n'), { limits: { aliasNodes: 0 } })).toMatchObject({
      ok: false,
    })
  })
})

describe('a YAML document of its own', () => {
  test('is read by the same rules', async () => {
    expect(await parseYaml('policy:\n  allow_implicit_invocation: false\nversion: 1.10\n')).toEqual({
      ok: true,
      data: { policy: { allow_implicit_invocation: 'false' }, version: '1.10' },
      diagnostics: [],
    })
    expect(await parseYaml('- a\n- b')).toEqual({ ok: true, data: ['a', 'b'], diagnostics: [] })
    expect(await parseYaml('')).toEqual({ ok: true, data: null, diagnostics: [] })
    expect(await parseYaml('a: b\na: c\n__proto__: d')).toMatchObject({
      data: { a: 'c' },
      diagnostics: [
        { code: 'duplicate-key', line: 2 },
        { code: 'unsafe-key', line: 3 },
      ],
    })
  })

  test('or refused with line and column', async () => {
    expect(await parseYaml('a: b\nc: [d\n')).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'invalid-yaml', severity: 'error', type: 'parse', line: 3 }],
    })
    expect(await parseYaml('a: &x [*x]')).toMatchObject({ ok: false, diagnostics: [{ code: 'alias-bomb', line: 1 }] })
    expect(await parseYaml('a: b: c')).toMatchObject({ ok: false, diagnostics: [{ line: 1, column: 5 }] })
  })
})

describe('size', () => {
  test('64 KiB between the fences are read, one byte more is refused', () => {
    const block = (bytes: number) => `---\na: ${'x'.repeat(bytes - 4)}\n---\n`
    expect(parser.parse(Buffer.from(block(65_536)))).toMatchObject({ ok: true })
    expect(parser.parse(Buffer.from(block(65_537)))).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'frontmatter-too-large', line: 1 }],
    })
    expect(parser.parse(Buffer.from(block(65_537)).subarray(0, 65_600), { whole: false })).toMatchObject({ ok: false })
    expect(parser.parse(Buffer.from(block(100)), { limits: { frontmatterBytes: 99 } })).toMatchObject({ ok: false })
  })

  const size = 65_000
  const lines = (line: string) => `x: a: b\n${line.repeat(Math.floor(size / line.length))}`
  test.each([
    ['brackets', 'a: ' + '['.repeat(size)],
    ['unclosed brackets line by line', lines('k: [\n')],
    ['unclosed braces line by line', lines('k: {a: "\n')],
    ['unclosed quotes line by line', lines('k k: "x\n')],
    ['unclosed single quotes line by line', lines("k k: 'x\n")],
    ['quotes', 'a: ' + '"'.repeat(size)],
    ['backslashes', 'a: "' + '\\'.repeat(size)],
    ['dashes', '- '.repeat(size / 2)],
    ['colons', 'a' + ': '.repeat(size / 2)],
    ['questions', '? '.repeat(size / 2)],
    ['spaces', 'a: b: ' + ' '.repeat(size) + 'c'],
    ['blank lines', 'a: b: c\n' + '\n'.repeat(size)],
    ['blank lines in a text', 'a: b\n' + '\n'.repeat(size) + '  c: d'],
    ['hashes', 'a: b: ' + ' #'.repeat(size / 2)],
    ['broken lines', lines('k: a: b\n')],
    ['dashes behind a description', `description: a\n${lines('- x: y\n')}`],
    ['descriptions with dashes', lines('description: a\n- b: c\n\n')],
    ['different broken keys', `x: a: b\n${Array.from({ length: 5_000 }, (_, n) => `k${n}: a: b\n`).join('')}`],
    ['prose at the margin', lines('word word\n')],
    ['keys of many words at the margin', lines('a b: c\nd e\n')],
    ['tabs', lines('\tk: v\n')],
    ['nested indentation', Array.from({ length: 340 }, (_, n) => `${' '.repeat(n)}k:\n`).join('') + 'x: a: b'],
    ['anchors', lines('k: &a &b: c\n')],
    ['tags', lines('k: !a !b c: d\n')],
    [
      'anchors before keys',
      `k:\n${Array.from({ length: 60 }, (_, n) => `${' '.repeat(n + 1)}&a${n} k${n}:\n`).join('')}`,
    ],
    ['comments', 'a: b: c\n' + '#\n'.repeat(size / 2)],
    ['an HTML comment', '<!--'.repeat(size / 4)],
    ['fences that are none', lines(' ---\n')],
    ['one long name', `name: ${'a'.repeat(size)}: b`],
  ])('64 KiB of %s take no time to speak of', (_, block) => {
    const time = takeTime()
    const parsed = parse(block)
    expect(typeof parsed.ok).toBe('boolean')
    // Far above the usual time, and far below anything worse than linear.
    expect(time()).toBeLessThan(2_500)
  })
})
