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

// What allows goes by the scanner, and what denies by the grammar: where one took a word for another there would be a
// way around the other.
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
      // To bash `time | git` is a syntax error, and nothing of it runs.
      if (commands.some(command => command.every(({ value }) => value === 'time'))) return
      passed += 1
      const seen = commandsInScript(script, values).commands
      let from = 0
      for (const command of commands) {
        // To the grammar `time` is no program but a word of the shell, unless it is quoted.
        let start = 0
        while (command[start]?.text === 'time') start += command[start + 1]?.value === '-p' ? 2 : 1
        const found = command.slice(start)
        // Of another one no prefix is taken.
        if (!isName(found[0]?.text)) continue
        // A word that may become others is asked about by both, and has no value.
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
