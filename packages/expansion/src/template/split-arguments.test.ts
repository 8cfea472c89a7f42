import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitArguments } from './split-arguments.js'

describe('splitArguments', () => {
  it.each([
    ['', []],
    [' \t\n ', []],
    ['a b', ['a', 'b']],
    ['  a \t b\nc  ', ['a', 'b', 'c']],
    ['"hello world" second', ['hello world', 'second']],
    ["'first arg' second", ['first arg', 'second']],
    ['a"b c"d\'e f\'', ['ab cde f']],
    ['"" \'\'', ['', '']],
    ['a\\ b \\"c', ['a b', '"c']],
    ['"a\\"b\\\\c\\$d\\`e\\nf"', ['a"b\\c$d`e\\nf']],
    ["'a\\'", ['a\\']],
    ['"a\\\nb" c\\\nd \\\n', ['ab', 'cd']],
    ['a\\', ['a\\']],
    ['$HOME `id` $(id) * ; | #x', ['$HOME', '`id`', '$(id)', '*', ';', '|', '#x']],
    ['a\u00a0b\u3000c', ['a\u00a0b\u3000c']],
  ])('splits %j as a shell does', (text, words) => {
    expect(splitArguments(text)).toEqual(words)
  })

  it.each([
    ["don't stop", ["don't", 'stop']],
    ["don't say 'good bye'", ["don't", 'say', 'good bye']],
    ["it's what you don't 'see", ["it's", 'what', 'you', "don't", "'see"]],
    ['a "b c', ['a', '"b', 'c']],
    ['5" and 6\'', ['5"', 'and', "6'"]],
    ['"a b" "c d', ['a b', '"c', 'd']],
    ['"a \\" b', ['"a', '"', 'b']],
    ["'", ["'"]],
  ])('takes a quote that nothing closes for a character: %j', (text, words) => {
    expect(splitArguments(text)).toEqual(words)
  })

  it('gives back words that were quoted for a shell', () => {
    const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), words => {
        expect(splitArguments(words.map(quoted).join(' '))).toEqual(words)
      }),
    )
  })

  it('never loses a letter and never makes one', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', ' ', '\n', "'", '"', '\\')), parts => {
        const text = parts.join('')
        expect(splitArguments(text).join('').replaceAll(/[^ab]/g, '')).toBe(text.replaceAll(/[^ab]/g, ''))
      }),
    )
  })

  it.skipIf(process.platform === 'win32')('splits each text that a shell accepts as the shell does', () => {
    const unit = fc.constantFrom('a', 'é', ' ', '\t', "'", '"', '\\', '\\\\', '" "', "' '", '-')
    const texts = fc.sample(
      fc.array(unit, { maxLength: 12 }).map(parts => parts.join('')),
      { numRuns: 500, seed: 1 },
    )
    // Each text is evaluated on its own, so that one which the shell refuses does not affect the others.
    const script =
      'while IFS= read -r -d "" text; do if words=$(set -f; eval "set -- $text" 2>&1 && for word; do printf "<%s>" "$word"; done); then printf "%s\\0" "$words"; else printf "refused\\0"; fi; done'
    const answers = execFileSync('bash', ['-c', script], {
      input: texts.map(text => `${text}\0`).join(''),
      encoding: 'utf8',
      stdio: 'pipe',
    }).split('\0')
    const accepted = texts.flatMap((text, index) => {
      const answer = answers[index] ?? 'missing'
      // A backslash at the very end waits for a line that never comes.
      return answer === 'refused' || answer.includes('eval:') || /(?<!\\)(?:\\\\)*\\$/.test(text)
        ? []
        : [{ text, answer }]
    })
    expect(accepted.length).toBeGreaterThan(100)
    for (const { text, answer } of accepted)
      expect([
        text,
        splitArguments(text)
          .map(word => `<${word}>`)
          .join(''),
      ]).toEqual([text, answer])
  })

  it.each(["'", '"', '\\', "' ", '" \\', 'a"', "a'b", '\\"', 'x '])('takes a million characters made of %j', part => {
    const text = part.repeat(Math.floor(1_000_000 / part.length))
    expect(splitArguments(text).length).toBeGreaterThan(0)
  })
})
