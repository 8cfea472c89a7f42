import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { commandWords } from './command-words.js'

describe('the words of the first command', () => {
  it.each([
    ['a b', ['a', 'b']],
    [' a\t b ', ['a', 'b']],
    ['a #b', ['a']],
    ['a#b c', ['a#b', 'c']],
    ['a|b c', ['a']],
    ['a > b', ['a']],
    ['a;b', ['a']],
    ['a `b` c', ['a']],
    ['f(x) y', ['f', 'y']],
    ['f(x', ['f']],
    ['a ${B} c', ['a', 'c']],
    ['$B c', ['$B', 'c']],
    ['"a b" c', ['a b', 'c']],
    ['"a""b"', ['ab']],
    ['""', ['']],
    ['"a\\"b"', ['a\\"b']],
    ["'a\\' b", ['a\\', 'b']],
    ["'a b", ["'a b"]],
    ['a\\ b', ['a b']],
    ['a\\', ['a']],
    ['a\nb', ['a']],
    ['', []],
  ])('of %j', (text, words) => {
    expect(commandWords(text)).toEqual(words)
  })

  it('are those of the text where it holds nothing of a shell', () => {
    const word = fc.string({ minLength: 1, unit: fc.constantFrom('a', 'é', '.', '/', '-', '=') })
    fc.assert(
      fc.property(fc.array(word), words => {
        expect(commandWords(words.join(' '))).toEqual(words)
      }),
    )
  })
})
