import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { powershellQuoting } from './powershell-quoting.js'

/** Returns how each `~` of a script is quoted. */
function read(script: string): readonly string[] {
  const references = Array.from(script.matchAll(/~/g), ({ index }) => ({ start: index, end: index + 1 }))
  return powershellQuoting(script, references).quotings
}

test.each([
  ['a word', 'Get-Item ~ a~; ~', ['bare', 'bare', 'bare']],
  [
    'text in double quotes, typographic ones too',
    'echo "~ ""~"" `"~"; echo “~” ~',
    ['quoted', 'quoted', 'quoted', 'quoted', 'bare'],
  ],
  ['itself in single quotes, typographic ones too', "echo '~ ''~''' ‘~’ ~", ['literal', 'literal', 'literal', 'bare']],
  ['nothing where it is escaped', 'echo `~ ~', ['unread', 'bare']],
  ['nothing in comments', "a # it's ~\nb <# '~ #> ~ a#~", ['unread', 'unread', 'bare', 'bare']],
  ['a word in an expression within text', 'echo "$(Get-Item ~ "~") ~"', ['bare', 'quoted', 'quoted']],
  ['text in a here-string', 'echo @"\n~ "~" \'~\'\n"@ ~', ['quoted', 'quoted', 'quoted', 'bare']],
  ['itself in a literal here-string', "echo @'\n~ '~'\n'@ ~", ['literal', 'literal', 'bare']],
])('PowerShell reads a reference as %s', (_, script, quotings) => {
  expect(read(script)).toEqual(quotings)
})

it('gives every reference one answer, regardless of the script', () => {
  const pieces = fc.constantFrom(
    '~',
    ' ',
    '\n',
    "'",
    '"',
    '`',
    '$(',
    ')',
    '(',
    '@"\n',
    '\n"@',
    "@'\n",
    "\n'@",
    '#',
    '<#',
    '#>',
    '“',
    '’',
    'a',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), parts => {
      expect(read(parts.join(''))).toHaveLength(parts.filter(part => part === '~').length)
    }),
    { numRuns: 1000 },
  )
})
