import fc from 'fast-check'
import { printableLine, widthOf } from '@skills/invocation/skill-tool/terminal-text'
import { describe, expect, test } from 'vitest'
import { layOut } from './lay-out.js'
import { wrap } from './wrap.js'
import type { View } from '@skills/core'

/**
 * Any text, with many difficulties for terminals: controls, wide and joined characters, line breaks, and words longer
 * than a line.
 */
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        'a',
        'word ',
        'a-rather-long-word-of-many-cells',
        '日本語',
        '\u001b[31m',
        '\u202e',
        '\u0007',
        '\n',
        '\r\n',
        '\t',
        '👨‍👩‍👧‍👦',
        'e\u0301',
        '\u200b',
        '<U+001B>',
        '\ud800',
        ' ',
      ),
    )
    .map(parts => parts.join('')),
)
const cells = fc.array(text, { maxLength: 5 })
const view: fc.Arbitrary<View> = fc.record({
  title: text,
  text: fc.array(text, { maxLength: 3 }),
  table: fc.option(fc.record({ columns: cells, rows: fc.array(cells, { maxLength: 5 }) }), { nil: undefined }),
  notes: fc.array(text, { maxLength: 3 }),
})
const width = fc.integer({ min: 2, max: 120 })

/** Removes white space, so that line breaks make no difference. */
const solid = (of: string): string => printableLine(of).replace(/\s/g, '')

describe('a view on a terminal', () => {
  test('has no line that is wider than the terminal', () => {
    fc.assert(
      fc.property(view, width, (given, cellsWide) => {
        for (const line of layOut(given, { width: cellsWide, colors: false }).split('\n'))
          expect(widthOf(line), JSON.stringify(line)).toBeLessThanOrEqual(cellsWide)
      }),
      { numRuns: 500 },
    )
  })

  test('has no character that a terminal obeys but the ends of lines', () => {
    fc.assert(
      fc.property(view, width, (given, cellsWide) => {
        expect(layOut(given, { width: cellsWide, colors: false })).not.toMatch(
          /[^\P{Cc}\n]|[\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/u,
        )
      }),
      { numRuns: 500 },
    )
  })

  test('says the same with colours, which are put around whole lines', () => {
    fc.assert(
      fc.property(view, width, (given, cellsWide) => {
        // oxlint-disable-next-line no-control-regex -- colours are control sequences
        expect(layOut(given, { width: cellsWide, colors: true }).replace(/\u001b\[\d+m/g, '')).toBe(
          layOut(given, { width: cellsWide, colors: false }),
        )
      }),
    )
  })

  test('loses nothing of its paragraphs, in their order', () => {
    fc.assert(
      fc.property(text, fc.array(text), fc.array(text), width, (title, before, after, cellsWide) => {
        const laidOut = layOut({ title, text: before, notes: after }, { width: cellsWide, colors: false })
        expect(laidOut.replace(/\s/g, '')).toBe([title, ...before, ...after].map(solid).join(''))
      }),
    )
  })

  test('loses no cell of a table: where there are columns, what stands under each other is the cell', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text, text), { minLength: 1, maxLength: 5 }), width, (rows, cellsWide) => {
        const laidOut = layOut(
          { title: '', table: { columns: ['One', 'Two', 'Three'], rows } },
          { width: cellsWide, colors: false },
        )
        const all = laidOut.replace(/\s/g, '')
        const has = new Map<string, number>()
        for (const character of all) has.set(character, (has.get(character) ?? 0) + 1)
        for (const character of rows.flat().map(solid).join('')) {
          has.set(character, (has.get(character) ?? 0) - 1)
          expect(
            has.get(character),
            `${JSON.stringify(character)} of ${JSON.stringify(laidOut)}`,
          ).toBeGreaterThanOrEqual(0)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('keeps every word that fits whole, at any width that a person can read', () => {
    const words = fc
      .array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 8 })
      .map(parts => parts.join(' '))
    fc.assert(
      fc.property(
        fc.array(fc.tuple(words, words, words, words), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 20, max: 120 }),
        (rows, cellsWide) => {
          const seen = new Set(
            layOut(
              { title: 'T', table: { columns: ['Name', 'Source', 'Text', 'State'], rows } },
              { width: cellsWide, colors: false },
            ).split(/\s+/),
          )
          for (const word of rows.flat().flatMap(cell => cell.split(' '))) expect(seen).toContain(word)
        },
      ),
    )
  })

  test('is the same whether cells that are empty stand there or not', () => {
    const options = { width: 40, colors: false }
    expect(layOut({ title: 'T', table: { columns: ['A', 'B'], rows: [['x']] } }, options)).toBe(
      layOut({ title: 'T', table: { columns: ['A', 'B'], rows: [['x', '']] } }, options),
    )
    expect(layOut({ title: 'T', table: { columns: ['A'], rows: [] } }, options)).toBe('T\n')
    expect(layOut({ title: '' }, options)).toBe('')
  })
})

describe('wrapping', () => {
  test.each([
    ['', 5, ['']],
    ['one two three', 7, ['one two', 'three']],
    ['incomprehensibly', 6, ['incomp', 'rehens', 'ibly']],
    ['to incomprehensibly go', 6, ['to', 'incomp', 'rehens', 'ibly', 'go']],
    ['日本語', 5, ['日本', '語']],
    ['👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 3, ['👨‍👩‍👧‍👦', '👨‍👩‍👧‍👦']],
  ])('of %j in %i cells', (given, cellsWide, expected) => {
    expect(wrap(given, cellsWide)).toEqual(expected)
  })
})
