import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineOfPath, type KeyPath } from './line-of-path.js'

/** Every key of a value with its line, as a text with one line for each key, element and bracket has it. */
function linesOf(value: unknown, path: KeyPath = [], line = { now: 1 }): readonly (readonly [KeyPath, number])[] {
  if (typeof value !== 'object' || value === null) return []
  const isList = Array.isArray(value)
  const entries = Object.entries(value).map(([key, inner]) => [isList ? Number(key) : key, inner] as const)
  const found = entries.flatMap(([key, inner]) => {
    line.now++
    const here = [...path, key]
    const own = isList ? [] : [[here, line.now] as const]
    return [...own, ...linesOf(inner, here, line)]
  })
  if (entries.length > 0) line.now++
  return found
}

const word = fc.oneof(fc.constantFrom('a', 'b', '"', '\\', '{', '[0', ',', '\n', ':'), fc.string())
const { value } = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof({ maxDepth: 4 }, word, fc.integer(), fc.array(tie('value'), { maxLength: 4 }), fc.dictionary(word, tie('value'), { maxKeys: 4 })),
}))

describe('the line of a key', () => {
  it('is the one on which it stands, whatever stands around it', () => {
    fc.assert(fc.property(value, given => {
      const text = JSON.stringify(given, null, 1)
      for (const [path, line] of linesOf(JSON.parse(text))) expect(lineOfPath(text, path)).toBe(line)
      for (const [path] of linesOf(JSON.parse(text))) expect(lineOfPath(JSON.stringify(given), path)).toBe(1)
    }))
  })

  it('is that of the later of two, and of none there is none', () => {
    expect(lineOfPath('{ "a": 1,\n "a": 2 }', ['a'])).toBe(2)
    expect(lineOfPath('[\n{ "a": 1 },\n[],\n"a", 4,\n{}]', [4])).toBe(5)
    for (const path of [['b'], ['a', 'b'], [0], []]) expect(lineOfPath('{ "a": "b" }', path)).toBeUndefined()
  })
})
