import fc from 'fast-check'
import { expect, it } from 'vitest'
import { commandsInScript } from './shell-grammar.js'
import { isName, simpleCommands } from './simple-command.js'

const values = { SKILL_ARG_0: 'v w' }
const words = [
  'git',
  'touch',
  'a',
  '-x',
  '--b=c',
  "'a b'",
  '"a b"',
  "'it'\"'\"'s'",
  '"${SKILL_ARG_0}"',
  '"x${SKILL_ARG_0}y"',
  '*.ts',
  'a/b',
  '~/c',
  '[ab]?',
  'x=1',
  '"$HOME"',
  '$(id)',
  '`id`',
  '\\a',
  "$'a'",
  '{a,b}',
  '!',
  'if',
  'then',
  '[[',
  'time',
  'coproc',
  '#c',
  'function',
  'a:b',
  '@',
  '%1',
  '""',
  "''",
]
const between = [' ', '  ', '\t', '\n', '\\\n', '']
const joins = [
  '; ',
  ' && ',
  ' || ',
  ' | ',
  ' & ',
  ' |& ',
  '\n',
  ' 2>&1 ',
  ' >/dev/null ',
  ' 2>/dev/null',
  ' > f ',
  ' <<E\n',
  ' <<< a',
  '(',
  ')',
  '{ ',
  ' }',
  ' </dev/null ',
]

// Allow rules use the scanner, deny rules the grammar. If the two took different words as the program, a command could
// slip between them.
it('sees the programs and words that the scanner passes as simple', () => {
  let passed = 0
  const piece = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...words) },
    { weight: 6, arbitrary: fc.constantFrom(...between) },
    { weight: 2, arbitrary: fc.constantFrom(...joins) },
    fc.string({ maxLength: 3 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), pieces => {
      const script = pieces.join('')
      const commands = simpleCommands(script, values)
      if (commands === undefined) return
      // Bash treats `time | git` as a syntax error and runs nothing.
      if (commands.some(command => command.every(({ value }) => value === 'time'))) return
      passed += 1
      const seen = commandsInScript(script, values).commands
      let from = 0
      for (const command of commands) {
        // The grammar takes an unquoted `time` for a keyword, not a program.
        let start = 0
        while (command[start]?.text === 'time') start += command[start + 1]?.value === '-p' ? 2 : 1
        const found = command.slice(start)
        // Only prefixes of the expected program are compared.
        if (!isName(found[0]?.text)) continue
        // A word that may expand to others has no value, and both parsers ask about it.
        const at = seen.findIndex(
          (one, index) =>
            index >= from &&
            one.length === found.length &&
            found.every(({ value, isOpen }, word) => isOpen !== undefined || value === one[word]),
        )
        expect(at, script).toBeGreaterThanOrEqual(from)
        from = at + 1
      }
    }),
    { numRuns: 20_000 },
  )
  expect(passed).toBeGreaterThan(1000)
})
