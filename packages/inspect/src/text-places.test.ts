import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TextPlaces } from './text-places.js'

test('an offset has the line and the column that counting gives', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', '\n', '\r\n', '😀'), { maxLength: 30 }), parts => {
      const text = parts.join('')
      const places = new TextPlaces(text)
      for (let at = 0; at <= text.length; at++) {
        const before = text.slice(0, at).split('\n')
        expect(places.at(at)).toEqual({ line: before.length, column: (before.at(-1)?.length ?? 0) + 1 })
      }
    }),
  )
})
