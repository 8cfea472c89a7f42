import path from 'node:path'
import { FAILSAFE_SCHEMA, load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { corpus, corpusFiles } from '../test/corpus.js'
import { loadParser, readFields } from './index.js'
import { readQuickHead } from './parse/quick.js'

// Many runs, on a machine that may be busy.

describe.skipIf(corpus === undefined)('real skills', async () => {
  const files = corpusFiles().filter(({ name }) => name.endsWith('.md'))
  const skills = files.filter(({ name }) => path.posix.basename(name) === 'SKILL.md')
  const parser = await loadParser()

  function parse(bytes: Buffer) {
    const parsed = parser.parse(bytes)
    if ('needMore' in parsed) throw new Error('a whole file never needs more')
    return parsed
  }

  test('what the quick way answers, the full parser says too, without a diagnostic', () => {
    const answers = files.flatMap(({ name, bytes }) =>
      [readQuickHead(bytes, true), readQuickHead(bytes.subarray(0, 4_096), false)].flatMap(answer =>
        answer === undefined ? [] : [{ name, bytes, answer }],
      ),
    )
    for (const { name, bytes, answer } of answers)
      expect(parse(bytes), name).toEqual({
        ok: true,
        ...answer,
        hasFrontmatter: true,
        bodyLine: expect.any(Number) as number,
        diagnostics: [],
      })
    expect(answers.length).toBeGreaterThan(files.length)
  })

  test('the quick way answers for at least 89 % of them', () => {
    const sure = skills.filter(
      ({ bytes }) => readQuickHead(bytes.subarray(0, 4_096), bytes.length <= 4_096) !== undefined,
    ).length
    expect(sure / skills.length).toBeGreaterThan(0.89)
  })

  test('hardly any is lost', () => {
    const lost = skills.filter(({ bytes }) => {
      const parsed = parse(bytes)
      return !parsed.ok || readFields(parsed.data).problems.some(({ severity }) => severity === 'error')
    })
    expect(lost.map(({ name }) => name).length / skills.length).toBeLessThan(0.001)
  })

  test('what strict YAML says is what is read', () => {
    for (const { name, bytes } of files) {
      const parsed = parse(bytes)
      if (!parsed.ok || !parsed.hasFrontmatter || parsed.repaired !== undefined) continue
      const text = bytes.toString('utf8', 0, parsed.bodyStart)
      const strict = load(text.slice(text.indexOf('---') + 3, text.lastIndexOf('---')), { schema: FAILSAFE_SCHEMA })
      expect(parsed.data, name).toEqual(withNulls(strict ?? {}))
    }
  })

  test('what was repaired needs no repair and gives the same data', () => {
    for (const { name, bytes } of files) {
      const parsed = parse(bytes)
      if (!parsed.ok || parsed.repaired === undefined) continue
      const again = parse(Buffer.from(`---\n${parsed.repaired}---\n`))
      expect(again, name).toMatchObject({ ok: true, data: parsed.data, diagnostics: [] })
    }
  })
})

/** Converts the words for null, which the failsafe schema leaves as text. */
function withNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNulls)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withNulls(inner)]))
  return value === 'null' || value === '~' ? null : value
}
