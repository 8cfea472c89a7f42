import { expect, test } from 'vitest'
import { columnOf, cut, pad, widthOf } from './width.js'

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

test('padding fills up to the width and never cuts', () => {
  expect(pad('漢', 4)).toBe('漢  ')
  expect(pad('longer', 3)).toBe('longer')
})

test('a column is as wide as its widest text, up to a bound', () => {
  expect([columnOf([]), columnOf(['a', '日本']), columnOf(['a', '日本'], 3)]).toEqual([0, 4, 3])
})
