import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stampsOfFile } from '@skills/fs'
import { columns, decodeIndex, encodeIndex, type IndexContent } from './index-bytes.js'

const row = fc.record({
  stamps: fc.array(fc.double(), { minLength: stampsOfFile, maxLength: stampsOfFile }), bodyStart: fc.nat(),
  texts: fc.array(fc.string({ unit: 'grapheme' }), { minLength: columns - 1, maxLength: columns - 1 }).map(texts => texts.map(text => Buffer.from(text))),
})
const content = fc.record({ key: fc.string({ unit: 'grapheme' }), tree: fc.string({ unit: 'grapheme' }), savedAt: fc.double({ noNaN: true }), rows: fc.array(row, { maxLength: 4 }) })
  .map(({ rows, ...rest }): IndexContent => ({
    ...rest, stamps: Float64Array.from(rows.flatMap(({ stamps }) => stamps)), texts: Buffer.concat(rows.flatMap(({ texts }) => texts)),
    figures: Uint32Array.from(rows.flatMap(({ bodyStart, texts }) => [bodyStart, ...texts.map(({ length }) => length)])),
  }))

/** The same bytes in memory of their own, as they come from a file. */
function fromFile(bytes: Uint8Array): Buffer {
  const own = Buffer.from(new ArrayBuffer(bytes.length))
  own.set(bytes)
  return own
}

describe('the bytes of an index', () => {
  it('give back what they were made of', () => {
    fc.assert(fc.property(content, given => {
      expect(decodeIndex(encodeIndex(given), given.key)).toEqual(given)
    }))
  })

  it('are nothing to somebody with another key', () => {
    fc.assert(fc.property(content, given => {
      expect(decodeIndex(encodeIndex(given), `${given.key}x`)).toBeUndefined()
    }))
  })

  it('are nothing when any of them is another, or when some are missing or too many', () => {
    fc.assert(fc.property(content, fc.nat(), fc.integer({ min: 1, max: 255 }), (given, at, change) => {
      const bytes = encodeIndex(given)
      const changed = fromFile(bytes)
      const place = at % bytes.length
      changed[place] = (changed[place] ?? 0) ^ change
      expect(decodeIndex(changed, given.key)).toBeUndefined()
      expect(decodeIndex(fromFile(bytes.subarray(0, place)), given.key)).toBeUndefined()
      expect(decodeIndex(fromFile(Buffer.concat([bytes, Buffer.alloc(8)])), given.key)).toBeUndefined()
    }), { numRuns: 500 })
  })

  it('are nothing when they were never an index', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), given => {
      expect(decodeIndex(fromFile(given), '')).toBeUndefined()
    }))
  })
})
