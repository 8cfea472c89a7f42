import { expect, it } from 'vitest'
import { contextWith, wordExpander } from '../../test/expanding.js'
import { expand } from './expand.js'

it.each([10, 100, 1000, 10_000])('looks at each of %i references once', async count => {
  let [lexed, evaluated, framed] = [0, 0, 0]
  const word = wordExpander('word', '#x', () => `${(evaluated += 1)}`, {
    lex(_, at) {
      lexed += 1
      return { end: at + 2 }
    },
    frame: tokens => ((framed += tokens.length), {}),
  })
  const { tokens } = await expand('some text #x and `code`\n'.repeat(count), [word], contextWith())
  expect([lexed, evaluated, framed, tokens.length]).toEqual([count, count, count, count])
})

it('asks about each claimed character once for each that claims it, however many there are', async () => {
  const asked = [0, 0]
  const asks = (index: number) =>
    wordExpander(`${index}`, '#', '', { lex: () => void (asked[index] = (asked[index] ?? 0) + 1) })
  const { text } = await expand('#'.repeat(10_000), [asks(0), asks(1)], contextWith())
  expect([text.length, asked]).toEqual([10_000, [10_000, 10_000]])
})
