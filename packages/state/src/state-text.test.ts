import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeState, encodeState } from './state-text.js'

const roundTrip = (value: unknown): unknown => {
  const decoded = decodeState(Buffer.from(encodeState('usage', value)))
  return 'value' in decoded ? decoded.value : decoded
}

it('gives back every value that is JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      expect(JSON.stringify(roundTrip(value))).toBe(JSON.stringify(value))
    }),
  )
})

it('gives objects in which no key means more than it says', () => {
  const value = roundTrip(JSON.parse('{"__proto__":{"isTrusted":true},"list":[{"constructor":1}]}'))
  expect(Object.keys(value as object)).toEqual(['__proto__', 'list'])
  expect(Object.getPrototypeOf(value)).toBeNull()
  expect(value).not.toHaveProperty('isTrusted')
  expect('toString' in (value as object)).toBe(false)
  expect({}).not.toHaveProperty('isTrusted')
})

it('never takes other bytes for a value, and never throws', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.string().map(text => Buffer.from(text)),
      ),
      bytes => {
        expect(decodeState(bytes)).toHaveProperty('fault')
      },
    ),
  )
})
