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
    ['a > b c', ['a']],
    ['> b c d', ['c', 'd']],
    ['a <<< b c', ['a', 'c']],
    ['a 2>&1 b', ['a']],
    ['a -> b', ['a', '-']],
    ['a;b', ['a']],
    ['; a', ['a']],
    ['a `b` c', ['a']],
    ['a b`', ['a']],
    ['`x y` q', ['x']],
    ['a`x y` b', ['a`x y`', 'b']],
    ['f(x) y', ['f', 'y']],
    ['p q(x) y', ['p', 'y']],
    ['p () q', ['q']],
    ['f(x', ['f']],
    ['(a b) c', ['a', 'b']],
    [') a', ['a']],
    ['a ${B} c', ['a', 'c']],
    ['a x${B} c', ['a', 'x${B}', 'c']],
    ['${B C} a', ['${B C}', 'a']],
    ['a $B $1 $ = c', ['a', 'c']],
    ['$B c', ['$B', 'c']],
    ['a $(b) c', ['a']],
    ['$(b) c', ['$(b)', 'c']],
    ["a $'b' c", ['a', 'c']],
    ['a $"b c"', ['a', '$b c']],
    ['k=v a l=w', ['a', 'l=w']],
    ['! a', ['a']],
    ['[a] b', ['b']],
    ['a [b] c', ['a', '[b]', 'c']],
    ['[ a ] b', ['b']],
    ['if a then', ['a', 'then']],
    ['for the win', ['win']],
    ['export a b', ['export']],
    ['{ a; b', ['a']],
    ['{"a": "b"} c', ['{"a":', 'b}', 'c']],
    ['x{"a b"} c', ['x{"a', 'b"} c']],
    ['{}"a b" c', ['{}a b', 'c']],
    ['((a)) b', ['b']],
    ['"a b" c', ['a b', 'c']],
    ['"a""b"', ['ab']],
    ['""', ['']],
    ['"a\\"b"', ['a\\"b']],
    ['"a $(b "c") d" e', ['a $(b "c") d', 'e']],
    ["'a\\' b", ['a\\', 'b']],
    ["a 'b c", ['a', "'b c"]],
    ["it's ok", ["it's ok"]],
    ['a\\ b', ['a b']],
    ['a\\\nb', ['a', 'b']],
    ['a \\', ['a']],
    ['a\nb', ['a']],
    // Without a command, what stands between white space.
    ['#45 a', ['#45', 'a']],
    ['k=v', ['k=v']],
    ['> a', ['>', 'a']],
    ['((a b', ['((a', 'b']],
    ['\\', ['\\']],
    ['', []],
  ])('of %j', (text, words) => {
    expect(commandWords(text)).toEqual(words)
  })

  it('are those of the text where it holds nothing of a shell', () => {
    const word = fc.string({ minLength: 1, unit: fc.constantFrom('a', 'é', '.', '/', '-', '%') })
    fc.assert(
      fc.property(fc.array(word), words => {
        expect(commandWords(words.join(' '))).toEqual(words)
      }),
    )
  })
})
