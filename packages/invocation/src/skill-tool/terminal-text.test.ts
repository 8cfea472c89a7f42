import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cut, pad, printable, printableLine, replaceUnsafe, widthOf } from './terminal-text.js'

test('what a terminal obeys is shown as its number', () => {
  expect(printable('a\u001b[31mb\u009bc\u202ed\ne\u{e0041}')).toBe('a<U+001B>[31mb<U+009B>c<U+202E>d<U+000A>e<U+E0041>')
})

test.each([
  '\0',
  '\u007f',
  '\u0085',
  '\u00ad',
  '\u034f',
  '\u061c',
  '\u115f',
  '\u17b4',
  '\u180e',
  '\u200b',
  '\u200e',
  '\u2028',
  '\u2029',
  '\u202a',
  '\u2060',
  '\u2066',
  '\u206a',
  '\u206f',
  '\u2800',
  '\u3164',
  '\ud800',
  '\udc00',
  '\ufeff',
  '\uffa0',
  '\ufff9',
  '\u{1bca0}',
  '\u{1d173}',
  '\u{e0001}',
  '\u{e007f}',
  '\u{e0100}',
  '\u{e01ef}',
])('so is %j, which no one sees or which passes for something else', character => {
  expect(printable(`a${character}b`)).toBe(
    `a<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>b`,
  )
})

test('letters of any script, joined emoji and their variation selectors stay', () => {
  const text = 'é ü 漢字 e\u0301 ‌ن न\u200dम می\u200cخواهم 👩‍👩‍👧 ❤️ 1️⃣ \ufe00'
  expect(printable(text)).toBe(text)
})

test('a text is one line, with one space where there is white space', () => {
  expect(printableLine('  one\n\ttwo\r\nthree\u2028four\u200b  ')).toBe('one two three four<U+200B>')
})

test('of what is printed nothing is obeyed, everything is seen, and a second look changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      const line = printableLine(text)
      expect(line).not.toMatch(
        /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]|(?!\p{Join_Control}|\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/u,
      )
      expect(printableLine(line)).toBe(line)
    }),
  )
})

test('something else may stand for each of them', () => {
  expect(replaceUnsafe('a\u202eb\u{e0041}', found => `(${found.length})`)).toBe('a(1)b(2)')
})

test('a text that fits stays, a longer one ends in one dot group within the width', () => {
  expect(cut('short', 5)).toBe('short')
  expect(cut('shorter', 5)).toBe('shor…')
  expect(cut('two words', 5)).toBe('two…')
  expect(cut('anything', 1)).toBe('…')
  expect(cut('anything', 0)).toBe('')
  expect(cut('anything', -3)).toBe('')
})

test('wide characters count as two cells and are never cut in half', () => {
  for (const text of ['漢字漢字漢字', '👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 'e\u0301e\u0301e\u0301e\u0301']) {
    for (let cells = 1; cells < widthOf(text); cells++) {
      const part = cut(text, cells)
      expect(widthOf(part)).toBeLessThanOrEqual(cells)
      const kept = part.slice(0, -1)
      expect(text.startsWith(kept)).toBe(true)
      expect([...new Intl.Segmenter().segment(text)].map(({ index }) => index)).toContain(kept.length)
    }
  }
})

test.each([
  ['Cyrillic', 'Привет мир, как дела? '],
  ['Czech', 'Příliš žluťoučký kůň '],
  ['Hebrew and Arabic', 'שלום عربى '],
  ['Devanagari', 'क्षि नमस्ते '],
  ['Thai', 'ก็ กำ น้ำ '],
  ['half-width kana', 'ｱｲｳ ＡＢＣ '],
  ['wide characters of two units', '𠮷 𠮷𠮷 '],
  ['marks upon marks', 'e\u0301\u0302\u0303 x '],
])('%s is cut where the cells end, neither later nor much earlier', (_what, words) => {
  const text = words.repeat(12)
  const clusters = new Set([...new Intl.Segmenter().segment(text)].map(({ index }) => index))
  for (let cells = 1; cells < widthOf(text); cells++) {
    const part = cut(text, cells)
    const kept = part.slice(0, -1)
    expect(widthOf(part), part).toBeLessThanOrEqual(cells)
    // A wide character that does not fit may be left out, with the space before it.
    expect(widthOf(part), part).toBeGreaterThan(cells - 4)
    expect(text.startsWith(kept) && clusters.has(kept.length), part).toBe(true)
  }
})

test('a cut text is never wider than asked', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }).map(printableLine), fc.integer({ min: 1, max: 40 }), (text, cells) => {
      const part = cut(text, cells)
      expect(widthOf(part)).toBeLessThanOrEqual(cells)
      expect(part === text || (part.endsWith('…') && text.startsWith(part.slice(0, -1)))).toBe(true)
    }),
    { numRuns: 1000 },
  )
})

test('padding fills up to the width and never cuts', () => {
  expect(pad('漢', 4)).toBe('漢  ')
  expect(pad('longer', 3)).toBe('longer')
})
