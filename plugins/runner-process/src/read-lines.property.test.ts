import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LineReader, readAgentLine } from './read-lines.js'

test('lines are the same wherever the output is cut, and no line is more than itself', () => {
  const line = fc.oneof(
    fc.record({
      type: fc.constantFrom('text', 'result', 'usage', 'step', 'assistant', 'x'),
      text: fc.string({ unit: 'grapheme' }),
      message: fc.jsonValue(),
      usage: fc.jsonValue(),
    }),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat(200)), (values, cuts) => {
      const bytes = Buffer.from(values.map(value => `${JSON.stringify(value)}\n`).join(''))
      const read = (chunks: readonly Buffer[]): unknown => {
        const progress: unknown[] = []
        const reader = new LineReader(readAgentLine, event => progress.push(event))
        for (const chunk of chunks) reader.take(chunk)
        return { result: reader.end(), progress, broken: reader.broken, error: reader.error }
      }
      const places = [0, ...cuts.filter(cut => cut < bytes.length).toSorted((a, b) => a - b), bytes.length]
      const whole = read([bytes])
      expect(read(places.slice(1).map((end, at) => bytes.subarray(places[at], end)))).toEqual(whole)
      expect(whole).toMatchObject({ broken: 0 })
    }),
  )
})
