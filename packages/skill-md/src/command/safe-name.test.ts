import { describe, expect, it } from 'vitest'
import { isSafeName, printableName, unsafeCharacter } from './safe-name.js'

// Characters that a name must not contain, each in the middle of one.
const unsafe: readonly (readonly [what: string, character: string, code: string])[] = [
  ['a line feed', '\n', 'U+000A'],
  ['an escape', '\u001b', 'U+001B'],
  ['delete', '\u007f', 'U+007F'],
  ['a C1 control', '\u0085', 'U+0085'],
  ['a soft hyphen', '\u00ad', 'U+00AD'],
  ['a right-to-left mark', '\u200f', 'U+200F'],
  ['a right-to-left override', '\u202e', 'U+202E'],
  ['an isolate', '\u2067', 'U+2067'],
  ['an Arabic letter mark', '\u061c', 'U+061C'],
  ['a zero-width space', '\u200b', 'U+200B'],
  ['a zero-width joiner', '\u200d', 'U+200D'],
  ['a word joiner', '\u2060', 'U+2060'],
  ['a line separator', '\u2028', 'U+2028'],
  ['a byte order mark', '\ufeff', 'U+FEFF'],
  ['a Hangul filler', '\u3164', 'U+3164'],
  ['a blank Braille pattern', '\u2800', 'U+2800'],
  ['a tag', '\u{e0041}', 'U+E0041'],
  ['a variation selector of the supplement', '\u{e0100}', 'U+E0100'],
]

describe('a character that hides', () => {
  it.each(unsafe)('is found and shown as its number: %s', (_what, character, code) => {
    expect(unsafeCharacter(`dep${character}loy`)).toBe(code)
    expect(printableName(`dep${character}loy${character}`)).toBe(`dep<${code}>loy<${code}>`)
    expect(isSafeName(`dep${character}loy`)).toBe(false)
  })

  it.each(['deploy', 'déploiement', 'развёртывание', '部署', 'नमस्ते', 'שלום', '🚀', '⚙️', 'a b', 'C++', "it's"])(
    'is not seen in %s',
    name => {
      expect(unsafeCharacter(name)).toBeUndefined()
      expect(printableName(name)).toBe(name)
      expect(isSafeName(name)).toBe(true)
    },
  )
})
