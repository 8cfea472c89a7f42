import { promptCommand } from '@skills/core'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { tokenize } from '../expand.js'
import {
  embeddedCommandClaims as claims,
  lexEmbeddedCommand,
  usualRules,
  type EmbeddedCommandRules,
} from './lex-command.js'
import type { Expander, Token } from '../expander.js'

function tokens(body: string, rules = usualRules, shell: 'bash' | 'powershell' = 'bash'): readonly Token[] {
  const value: Expander = {
    claims,
    lex: (text, at, context) => lexEmbeddedCommand(text, at, context, rules),
    evaluate: () => undefined,
  }
  return tokenize(
    body,
    [{ id: 'shell', value }],
    promptCommand({ name: 'a', source: 'user', shell, load: () => ({ template: body }) }),
  )
}

/** Returns the scripts of a body; `escape` for an escape. */
function scripts(body: string, rules?: EmbeddedCommandRules, shell?: 'bash' | 'powershell'): readonly string[] {
  return tokens(body, rules, shell).map(({ inner }) =>
    inner === undefined ? 'escape' : body.slice(inner.start, inner.end),
  )
}

describe('a command in a line', () => {
  test.each([
    ['at the start of the text', '!`date`', ['date']],
    ['at the start of a line', 'a\n!`date` b', ['date']],
    ['after white space', 'Now:\t!`date`, !`id -u`', ['date', 'id -u']],
    ['not after a word', 'assert!`date`', []],
    ['not after a punctuation mark', '(!`date`)', []],
    ['not without anything in it', 'a !`` b', []],
    ['not over several lines', 'a !`date\nid` b', []],
    ['not when it is not closed', 'a !`date', []],
    ['not in a code span', 'Write `` !`date` `` for it.', []],
    ['not where a code span ends', 'Without `if !` or `else` it fails.', []],
    ['with an escaped backtick in it', '!`printf "\\`id\\`"` b', ['printf "\\`id\\`"']],
  ])('is recognised %s', (_, body, found) => {
    expect(scripts(body)).toEqual(found)
  })

  it('stands anywhere when told so, in words too', () => {
    expect(scripts('v!`id -u`(!`date`)', { ...usualRules, inline: 'anywhere' })).toEqual(['id -u', 'date'])
  })

  it('ends at the next backtick for PowerShell, to which a backslash is a letter', () => {
    expect(scripts('!`dir C:\\` b `c`', usualRules, 'powershell')).toEqual(['dir C:\\'])
  })
})

describe('a fenced command', () => {
  test.each([
    ['with its lines', '```!\ndate\nid\n```\nb', ['date\nid']],
    ['with more backticks', '````!\necho "```"\n````', ['echo "```"']],
    ['indented in a list', '- a\n  ```!\n  date\n  ```', ['  date']],
    ['begun in a list item', '1. ```!\n   date\n   ```', ['   date']],
    ['with carriage returns', '```!\r\ndate\r\n```\r\nb', ['date']],
    ['without anything in it', '```!\n```', ['']],
    ['not when it is not closed', '```!\nrm -rf x', []],
    ['not when something follows the mark', '```!bash\ndate\n```', []],
    ['not within a line', 'a ```!\ndate\n```', []],
    ['not in a block quote, whose marks would be part of it', '> ```!\n> date\n> ```', []],
    ['not with tildes', '~~~!\ndate\n~~~', []],
    ['not within another fence', '````\n```!\ndate\n```\n````', []],
  ])('is recognised %s', (_, body, found) => {
    expect(scripts(body)).toEqual(found)
  })

  it('spares what is in an ordinary fence, unless told to look there', () => {
    const body = '```sh\n!`date`\n```\n!`id`'
    expect(scripts(body)).toEqual(['id'])
    expect(scripts(body, { ...usualRules, fences: 'look' })).toEqual(['date', 'id'])
  })
})

describe('a command where no Markdown is read', () => {
  test.each([
    ['`````md\n!`date`\n`````', ['date']],
    ['```!bash\ndate\n```', ['bash\ndate']],
    ['a ```! date``` b', ['date']],
    ['````!\ndate\n````', ['date']],
    ['````md\n```!\ndate\n```\n````', ['date']],
    ['> ```!\n> date\n> ```', ['> date\n>']],
    ['```!\ndate\n', []],
    ['```!\n\n``` !` `', []],
    ['a !`date\nid` b', ['date\nid']],
    ['`a` !`date`', ['date']],
    ['it`s !`date`', []],
    ['it`s\n!`date`', ['date']],
    ['`` !`date` !`id` ``', ['date']],
    ['`a `` !`date`', ['date']],
    ['``a` !`date`', ['date']],
    ['``a` `b !`date`', []],
    ['x!` !`date`', ['date']],
    ['Run `!`: !`date`', ['date']],
    ['``!`a` !`date`', []],
  ])('is recognised by the backticks of its line: %j', (body, found) => {
    expect(scripts(body, { ...usualRules, fences: 'by-line' })).toEqual(found)
  })

  it('takes time in proportion to the length of a line with many', () => {
    const body = '` !`a` '.repeat(100_000)
    expect(scripts(body, { ...usualRules, fences: 'by-line' })).toHaveLength(50_000)
  })
})

describe('a backslash', () => {
  test.each([
    ['a \\!`date` b', []],
    ['!`printf "!\\`echo N\\`"`', ['printf "!\\']],
  ])('is a character like any other where there are no escapes: %j', (body, found) => {
    expect(scripts(body, { ...usualRules, escapes: false })).toEqual(found)
  })
})

describe('an escape', () => {
  test.each([
    ['before what would be a command', 'a \\!`date` b', ['escape']],
    ['not before anything else', 'find . \\! -name a; \\!` b', []],
    ['not where no command could begin', 'a\\!`date`', []],
    ['not in a fence, where nothing would run', '```\n\\!`date`\n```', []],
  ])('is recognised %s', (_, body, found) => {
    expect(scripts(body)).toEqual(found)
  })
})

it('never recognises anything but a mark, backticks and what lies between them', () => {
  const pieces = fc.constantFrom(
    '!',
    '`',
    '``',
    '```',
    '```!\n',
    '\n',
    '\n```\n',
    ' ',
    '\\',
    'a',
    '> ',
    '- ',
    '~~~\n',
    '\r\n',
  )
  fc.assert(
    fc.property(
      fc.array(pieces, { maxLength: 40 }),
      fc.constantFrom<EmbeddedCommandRules>(usualRules, { fences: 'look', inline: 'anywhere', escapes: false }),
      (parts, rules) => {
        const marks = tokens(parts.join(''), rules).map(({ text, start, inner }) =>
          inner === undefined ? text : `${text.slice(0, inner.start - start)}…${text.slice(inner.end - start)}`,
        )
        expect(
          marks.filter(each => !/^(?:\\!|!`…`|`{3,}![ \t]*\r?\n…(?:\r?\n)?[ \t]*`{3,}[ \t]*)$/.test(each)),
        ).toEqual([])
      },
    ),
    { numRuns: 500 },
  )
})
