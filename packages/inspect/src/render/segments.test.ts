import fc from 'fast-check'
import { expect, test } from 'vitest'
import { segmentsOf } from './segments.js'
import type { ExpandedToken, Token } from '@skills/expansion/internal'

/** Returns tokens for separate stretches of a body, in order. */
function tokensIn(
  body: string,
  cuts: readonly number[],
  values: readonly (string | undefined)[],
): readonly ExpandedToken[] {
  const places = [...new Set(cuts.map(cut => cut % (body.length + 1)))].toSorted((a, b) => a - b)
  const tokens: ExpandedToken[] = []
  for (let at = 0; at + 1 < places.length; at += 2) {
    const [start = 0, end = 0] = places.slice(at)
    const token: Token = { expander: 'text', start, end, text: body.slice(start, end), data: undefined, children: [] }
    tokens.push({ token, value: values[at % Math.max(values.length, 1)], expander: 'text' })
  }
  return tokens
}

const text = fc.string({ maxLength: 30, unit: 'grapheme' })

test('the pieces of any expansion are its text, each where it stands in the body', () => {
  let placed = 0
  fc.assert(
    fc.property(
      text,
      fc.array(fc.nat(40)),
      fc.array(fc.option(text, { nil: undefined })),
      fc.option(text, { nil: undefined }),
      fc.option(text, { nil: undefined }),
      (body, cuts, values, before, after) => {
        const tokens = tokensIn(body, cuts, values)
        let inner = ''
        let end = 0
        for (const { token, value } of tokens) {
          inner += body.slice(end, token.start) + (value ?? token.text)
          end = token.end
        }
        const whole = `${before === undefined ? '' : `${before}\n\n`}${inner}${body.slice(end)}${after === undefined ? '' : `\n${after}`}`
        const segments = segmentsOf({
          body,
          text: whole,
          tokens,
          frames: [{ expander: 'text', before, after }],
          wishes: new Map(),
        })
        expect(segments.map(({ value }) => value).join('')).toBe(whole)
        for (const { at, written } of segments) {
          if (at === undefined || written === undefined) continue
          placed++
          expect(body.slice(at.offset, at.offset + written.length)).toBe(written)
          const lines = body.slice(0, at.offset).split('\n')
          expect([at.line, at.column]).toEqual([lines.length, (lines.at(-1)?.length ?? 0) + 1])
        }
      },
    ),
  )
  expect(placed).toBeGreaterThan(100)
})
