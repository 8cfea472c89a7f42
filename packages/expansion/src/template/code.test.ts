import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findCode } from './code.js'
import { findEmbeddedCommands } from './embedded/find-commands.js'

/** Marks every character of a fenced block as `F` and every one of a span as `c`; line ends stay. */
function marked(text: string): string {
  const code = findCode(text)
  return [...text]
    .map((character, at) => {
      if (character === '\n') return character
      if (code.isFenced(at)) return 'F'
      return code.isCode(at) ? 'c' : character
    })
    .join('')
}

describe('fenced blocks', () => {
  it.each([
    ['a\n```\nb\n```\nc', 'a\n`FF\nF\nFFF\nc', 'from the fence to the one that closes it'],
    ['```js\nb\n```', '`FFFF\nF\nFFF', 'with words after the fence'],
    ['~~~\n```\n~~~\nc', '~FF\nFFF\nFFF\nc', 'closed by the same character only'],
    ['````\n```\n````\nc', '`FFF\nFFF\nFFFF\nc', 'closed by a fence that is as long'],
    ['```\nb\n```x\nc', '`FF\nF\nFFFF\nF', 'not closed by a line that goes on'],
    ['```\nb\n', '`FF\nF\n', 'to the end of the text when nothing closes it'],
    ['> ```\n> b\n\nc', '> `FF\nFFF\n\nc', 'to the end of the block quote that it stands in'],
    ['- ```\n  b\n  ```\nc', '- `FF\nFFF\nFFFFF\nc', 'in a list item'],
    [
      '1. x\n\n      ```\n      b\n      ```\nc',
      '1. x\n\n      `FF\nFFFFFFF\nFFFFFFFFF\nc',
      'indented as deep as a list makes it',
    ],
    ['```\r\nb\r\n```\r\nc', '`FFF\nFF\nFFFF\nc', 'with line ends of another system'],
    [
      '```\nb\n```\r\r\nc',
      '`FF\nF\nFFFFF\nF',
      'not closed by a line of two carriage returns, which closes no command either',
    ],
    ['a ``` b', 'a ``` b', 'not in the middle of a line'],
    ['```a`b\nc', '```a`b\nc', 'not where the fence has a backtick after it'],
    ['````` `', '````` `', 'nor where it has one further on'],
    ['~~~a`b\nc', '~FFFFF\nF', 'where one of tildes has a backtick after it'],
    ['```\n> ```\nc\n```\nd', '`FF\nFFFFF\nF\nFFF\nd', 'not closed by one in a block quote that is none of its own'],
    ['- > ```\n  > b\n  > ```\nc', '- > `FF\nFFFFF\nFFFFFFF\nc', 'in a block quote in a list item'],
  ])('%j', (text, expected) => {
    expect(marked(text)).toBe(expected)
  })
})

it.each(['`', '~', '```!\n> ```\n', '> ', '- ', '1. ', ' ', '\t', '```\t', '>\t', '```!\n```\r\r\n'])(
  'takes time in proportion to a text of %j',
  piece => {
    const timeOf = (length: number): number => {
      const text = piece.repeat(length / piece.length)
      const begun = process.cpuUsage().user / 1000
      findEmbeddedCommands(`${text}x\n!\`x\``)
      findCode(`${text}x`)
      return process.cpuUsage().user / 1000 - begun
    }
    const short = timeOf(2_000)
    // Quadratic time would take ten thousand times as long for a hundred times the length.
    expect(timeOf(200_000)).toBeLessThan(1_000 * Math.max(short, 1))
  },
)

describe('code spans', () => {
  it.each([
    ['a `b` c', 'a `c` c', 'between two backticks'],
    ['a ``b`c`` d', 'a ``ccc`` d', 'between runs of the same length'],
    ['a `b\nc` d', 'a `c\nc` d', 'over the end of a line'],
    ['a `b\n\nc` d', 'a `b\n\nc` d', 'not over the end of a paragraph'],
    ['a ` b', 'a ` b', 'not after a backtick that nothing closes'],
    ['a `` b ` c ` d', 'a `` b `ccc` d', 'after one that nothing closes'],
    ['a \\`b` c `d`', 'a \\`b`ccc`d`', 'not begun by one that is escaped'],
    ['a `b\\` c', 'a `cc` c', 'ended by one after a backslash'],
    ['```\n`b`\n```\n`c`', '`FF\nFFF\nFFF\n`c`', 'outside fenced blocks'],
  ])('%j', (text, expected) => {
    expect(marked(text)).toBe(expected)
  })

  it('are found in a text of nothing but backticks of all lengths', () => {
    const runs = Array.from({ length: 1000 }, (_, index) => '`'.repeat((index % 40) + 1))
    const text = runs.join(' ')
    const code = findCode(text)
    expect(code.isCode(text.length)).toBe(false)
    expect([...text].some((_, at) => code.isCode(at))).toBe(true)
  })
})

it('answers for every position, in any order', () => {
  const pieces = fc.constantFrom('`', '``', '```\n', '~~~\n', '\n', ' ', 'a', '> ', '\\', '\r')
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), fc.array(fc.nat(120), { maxLength: 60 }), (parts, places) => {
      const text = parts.join('')
      const inOrder = findCode(text)
      const expected = Array.from({ length: 121 }, (_, at) => [inOrder.isFenced(at), inOrder.isCode(at)])
      const code = findCode(text)
      expect(places.map(at => [code.isFenced(at), code.isCode(at)])).toEqual(places.map(at => expected[at]))
    }),
  )
})

it.each(['> ', '- ', 'x', '\\`'])('finds a command that is a line of 8 MiB of %j', piece => {
  const script = piece.repeat((8 * 1024 * 1024) / piece.length)
  expect(findEmbeddedCommands(`!\`${script}\``)).toMatchObject([{ scriptStart: 2, end: script.length + 3 }])
})
