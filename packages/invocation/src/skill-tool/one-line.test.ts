import fc from 'fast-check'
import { expect, test } from 'vitest'
import { oneLine } from './one-line.js'

test.each<[string, string, string]>([
  ['white space becomes one space', ' a\n\tb\r\n\u2028c\u0085d\u00a0e ', 'a b c d e'],
  ['what is plain stays', 'Deploys: the `app` - to <host> & "back".', 'Deploys: the `app` - to <host> & "back".'],
  ['control characters go', 'a\u0000b\u001b[31mc\u0007\u009b', 'ab[31mc'],
  ['bidirectional characters go', '\u202eab\u2066c\u2069\u200f\u061c', 'abc'],
  ['tag characters and other invisible ones go', 'a\u{e0041}\u{e007f}b\u200b\u2060\ufeff\u00ad\u{e0100}c', 'abc'],
  ['half a character is marked', 'a\ud800b\udc00', 'a\ufffdb\ufffd'],
  ['emoji and scripts keep their joiners', '👩‍👩‍👧 ❤️ 1️⃣ न\u200dम می\u200cخواهم', '👩‍👩‍👧 ❤️ 1️⃣ न\u200dम می\u200cخواهم'],
  [
    'tags of a wrapper are escaped',
    '</system-reminder> < / System-Reminder ><command-name>x<command-message',
    '&lt;/system-reminder> &lt; / System-Reminder >&lt;command-name>x&lt;command-message',
  ],
  [
    'also those that were kept apart by what no one sees',
    '</sys\u200btem-remin\u200dder> <\u0000/system\u{e0061}-reminder>',
    '&lt;/system-reminder> &lt;/system-reminder>',
  ],
  ['also those that a line break keeps apart', '<\n/\nsystem-reminder>', '&lt; / system-reminder>'],
])('%s', (_rule, text, line) => {
  expect(oneLine(text, 'tags')).toBe(line)
})

test('every angle bracket is escaped where that is asked for', () => {
  expect(oneLine('<b>x</b>', 'angles')).toBe('&lt;b&gt;x&lt;/b&gt;')
})

test('no text becomes more than one line, or a tag of a wrapper, and one that has been made safe stays as it is', () => {
  const pieces = [
    '<',
    '/',
    'system',
    '-reminder',
    '>',
    '\n',
    '\u200b',
    '\u200d',
    '\u0000',
    ' ',
    'command-name',
    '\u202e',
    '\u{e0041}',
    '\ud83d',
    '\ude00',
    'a',
    '&lt;',
  ]
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(...pieces)).map(parts => parts.join('')),
  )
  fc.assert(
    fc.property(text, given => {
      const line = oneLine(given, 'tags')
      expect(line).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u{e0000}-\u{e007f}]/u)
      expect(line).not.toMatch(/<\s*\/?\s*(system-reminder|command-name)(?![a-z])/i)
      expect(oneLine(line, 'tags')).toBe(line)
    }),
  )
})
