import { expect, it } from 'vitest'
import { bracketExpander, commandWith, wordExpander } from '../../test/expanding.js'
import { tokenize } from './expand.js'
import type { LexContext } from './expander.js'

const command = commandWith()

it('gives the tokens in order, with where they stand and what they hold', () => {
  const tokens = tokenize('a #x b #x', [wordExpander('word', '#x', 'X')], command)
  const token = { expander: 'word', text: '#x', data: '#x', children: [], inner: undefined }
  expect(tokens).toEqual([
    { ...token, start: 2, end: 4 },
    { ...token, start: 7, end: 9 },
  ])
})

it('gives a position to the first expander that recognises something there', () => {
  const [long, short] = [wordExpander('long', '#xy', ''), wordExpander('short', '#x', '')]
  const idsIn = (expanders: (typeof long)[]) => tokenize('#xy #x', expanders, command).map(({ expander }) => expander)
  expect(idsIn([long, short])).toEqual(['long', 'short'])
  expect(idsIn([short, long])).toEqual(['short', 'short'])
})

it('looks through the inner part of a token for tokens of others, and of others only', () => {
  const tokens = tokenize(
    '#x <#x <> #y>',
    [bracketExpander('bracket', () => ''), wordExpander('word', '#x', '')],
    command,
  )
  expect(tokens.map(({ text, children }) => [text, children.map(child => [child.text, child.start])])).toEqual([
    ['#x', []],
    ['<#x <>', [['#x', 4]]],
  ])
})

it('looks through an inner part within another', () => {
  const outer = wordExpander('outer', '(', '', {
    lex: (text, at) => ({ end: text.length, inner: { start: at + 1, end: text.length - 1 } }),
  })
  const [token] = tokenize(
    '(a <#x> (b)',
    [outer, bracketExpander('bracket', () => ''), wordExpander('word', '#x', '')],
    command,
  )
  expect(token?.children.map(({ text, children }) => [text, children.map(child => child.text)])).toEqual([
    ['<#x>', ['#x']],
  ])
})

it('ends the text for a nested token where the inner part ends', () => {
  const rest = wordExpander('rest', '#', '', { lex: text => ({ end: text.length }) })
  const [token] = tokenize('<a #b> c', [bracketExpander('bracket', () => ''), rest], command)
  expect(token?.children.map(({ text }) => text)).toEqual(['#b'])
})

it('tells the lexer of code and of what is nested', () => {
  const seen: Omit<LexContext, 'command'>[] = []
  const watch = wordExpander('watch', '#', '', {
    lex(_, __, { command: given, ...context }) {
      expect(given).toBe(command)
      seen.push(context)
      return undefined
    },
  })
  tokenize('# `#` <#>\n```\n#\n```', [bracketExpander('bracket', () => ''), watch], command)
  const none = { isFenced: false, isCode: false, isNested: false }
  expect(seen).toEqual([none, { ...none, isCode: true }, { ...none, isNested: true }, { ...none, isFenced: true }])
})

it('asks only about characters that are claimed', () => {
  const asked: string[] = []
  tokenize(
    'a]b\\c^d-e\u{1f600}f',
    [wordExpander('odd', '', '', { claims: ']\\^-\u{1f600}', lex: (text, at) => void asked.push(text.charAt(at)) })],
    command,
  )
  expect(asked).toEqual([']', '\\', '^', '-', '\u{1f600}'.charAt(0)])
  expect(tokenize('abc', [wordExpander('none', '', '')], command)).toEqual([])
  expect(tokenize('', [wordExpander('word', '#', '')], command)).toEqual([])
})

it.each([
  [{ end: 0 }, 'gave a token from 0 to 0'],
  [{ end: 99 }, 'gave a token from 0 to 99'],
  [{ end: Number.NaN }, 'gave a token from 0 to NaN'],
  [{ end: 2, inner: { start: 1, end: 3 } }, 'gave a part from 1 to 3'],
  [{ end: 2, inner: { start: -1, end: 2 } }, 'gave a part from -1 to 2'],
])('refuses a token that cannot be: %j', (lexed, message) => {
  const bad = wordExpander('bad', '#', '', { lex: () => lexed })
  expect(() => tokenize('#ab', [bad], command)).toThrow(
    expect.objectContaining({ code: 'E_PROVIDER_FAILED', message: expect.stringContaining(message) }),
  )
})

it('says which expander could not read the text', () => {
  const bad = wordExpander('bad', '#', '', {
    lex: () => {
      throw new TypeError('no')
    },
  })
  expect(() => tokenize('#', [bad], command)).toThrow(
    expect.objectContaining({ code: 'E_PROVIDER_FAILED', message: expect.stringMatching(/"bad" .*: no$/) as string }),
  )
})
