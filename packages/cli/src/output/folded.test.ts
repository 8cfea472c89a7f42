import fc from 'fast-check'
import { expect, test } from 'vitest'
import { folded, foldedOutput } from './folded.js'
import { widthOf } from './width.js'
import type { Output } from '../io.js'

const terminal = (columns: number, isTerminal = true): Output => ({
  isTerminal,
  isClosed: false,
  columns,
  write: () => {},
})
const io = { program: 'npx skills' }

test('a line that is too long goes on at a word, below the text of its column', () => {
  expect(folded('  description    Ship the current branch to staging.\nshort', terminal(30), io)).toBe(
    '  description    Ship the\n    current branch to staging.\nshort',
  )
  expect(folded('  why    Ship the current branch to staging.', terminal(30), io)).toBe(
    '  why    Ship the current\n         branch to staging.',
  )
  expect(folded('note: Ship the current branch to staging.', terminal(30), io)).toBe(
    'note: Ship the current branch\nto staging.',
  )
})

test.each(['error', 'warning', '\u001b[33mwarning\u001b[39m', 'advice'])(
  'findings go on further in than their hints, wherever their messages begin: %s',
  severity => {
    for (const place of ['a/SKILL.md', '\u001b[36ma/SKILL.md:2:14\u001b[39m', 'my folder/b/SKILL.md:3'])
      expect(folded(`  ${place}  ${severity}  It holds a colon and more words.`, terminal(44), io)).toMatch(
        /^ {2}\S.*\n {6}\S.*$/,
      )
    expect(folded(`a.md:1  ${severity}  It holds a colon and more words.`, terminal(24), io)).toMatch(/\n {4}\S/)
  },
)

test('a mark stays with the agent that it marks', () => {
  expect(folded('● Codex whole · ○ pi (not told)', terminal(17), io)).toBe('● Codex whole ·\n○ pi (not told)')
})

test('a command line at the end stays whole, and so do a long word and what is no terminal', () => {
  expect(folded('See what it means to you: npx skills trust --home a', terminal(20), io)).toBe(
    'See what it means to\nyou:\n  npx skills trust --home a',
  )
  expect(folded('/a/path/that/has/no/space/in/it', terminal(10), io)).toBe('/a/path/that/has/no/space/in/it')
  expect(folded('Ship the current branch.', terminal(10, false), io)).toBe('Ship the current branch.')
})

test('what is written beside the output goes on at a word on a terminal, to the letter into a pipe, and quoted lines stay whole', () => {
  const written: string[] = []
  const quoted = '    | git status --short --branch --verbose'
  const write = (isTerminal: boolean): void =>
    foldedOutput({ ...terminal(24, isTerminal), write: text => void written.push(text) }, io).write(
      `${quoted}\nskills: Nothing was run, as no one is here.\n`,
    )
  write(true)
  write(false)
  expect(written).toEqual([
    `${quoted}\nskills: Nothing was run,\nas no one is here.\n`,
    `${quoted}\nskills: Nothing was run, as no one is here.\n`,
  ])
})

test('a line of progress, which is written over, stays one line', () => {
  const written: string[] = []
  const line = `\r\u001b[K${'·'.repeat(9)} 7 of 9 skills`
  foldedOutput({ ...terminal(24), write: text => void written.push(text) }, io).write(line)
  expect(written).toEqual([line])
})

test('a line that is further in goes on further in, also when it is painted', () => {
  expect(folded('\u001b[2m  Ship the current branch.\u001b[22m', terminal(20), io)).toBe(
    '\u001b[2m  Ship the current\n    branch.\u001b[22m',
  )
})

test('no line is longer than the terminal unless a word is, colours take no room, and no word is lost', () => {
  const word = fc.oneof(fc.stringMatching(/^[a-z]{1,12}$/), fc.constantFrom('日本語', '\u001b[31mred\u001b[39m'))
  fc.assert(
    fc.property(
      fc.array(fc.array(word, { minLength: 1, maxLength: 20 }), { maxLength: 4 }),
      fc.integer({ min: 20, max: 100 }),
      (lines, columns) => {
        const text = lines.map(words => words.join(' ')).join('\n')
        const shown = folded(text, terminal(columns), io)
        expect(shown.split(/\s+/)).toEqual(text.split(/\s+/))
        for (const line of shown.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(columns)
      },
    ),
  )
})
