import { describe, expect, it } from 'vitest'
import { bodyStartOf, firstFences, readFirstFences } from './first-fences.js'

const found = (text: string, isWhole = true): unknown => {
  const bytes = Buffer.from(text)
  const fences = firstFences(bytes, isWhole)
  if (typeof fences === 'string') return fences
  const { read } = readFirstFences(bytes, isWhole, () => ({ data: {}, bodyStart: 0 }))
  return [read.toString(), bytes.toString('utf8', bodyStartOf(bytes))]
}

describe('the first fences', () => {
  it.each([
    ['---\na: b\n---\nB\n', '---\na: b\n\n---\nB\n', 'B\n'],
    ['---\r\na: b\r\n---\r\nB', '---\r\na: b\r\n\n---\nB', 'B'],
    ['\uFEFF---\na: b\n---\nB', '\uFEFF---\na: b\n\n---\nB', 'B'],
    ['---\na: b --- c\n---\nB', '---\na: b \n---\nc\n---\nB', 'c\n---\nB'],
    ['---\na: b\n----\nB', '---\na: b\n\n---\n-\nB', '-\nB'],
    ['---\na: b\n---# T', '---\na: b\n\n---\n# T', '# T'],
    ['---\n\n---\n\n  B', '---\n\n\n---\nB', 'B'],
  ])('of %j', (text, block, body) => {
    expect(found(text)).toEqual([block, body])
  })

  it.each([
    '',
    '   \n',
    'Text.',
    '\n---\na: b\n---\n',
    ' ---\na: b\n---\n',
    '---yaml\na: b\n---\n',
    '---\ra: b\r---\r',
  ])('of %j are none', text => {
    expect(found(text)).toBe('none')
  })

  it('need more where the block may go on', () => {
    expect([found('---\na: b', false), found('---\na: b', true)]).toEqual(['more', 'none'])
    expect(found('---\na: b\n---\n', false)).toBe('more')
  })
})
