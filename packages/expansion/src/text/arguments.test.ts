import { defineProvider } from '@skills/core'
import { fakeHost } from '@skills/testing'
import { describe, expect, it } from 'vitest'
import { expansionOf, textOf } from '../../test/expanding-text.js'
import { textExpander } from '../text.js'

describe('all arguments', () => {
  it.each(['$ARGUMENTS', '${ARGUMENTS}'])('%s is the text as it was typed', async reference => {
    expect(await textOf(`a ${reference} b`, '"hello world"  second ')).toBe('a "hello world"  second  b')
  })

  it('needs no space around it, nor a word to end', async () => {
    expect(await textOf('pre$ARGUMENTSを読む ${ARGUMENTS}x', 'a b')).toBe('prea bを読む a bx')
  })

  it('is a matter of case', async () => {
    expect(await textOf('$arguments $Arguments $ARGUMENTS', 'a')).toBe('$arguments $Arguments a')
  })

  it('vanishes without arguments', async () => {
    expect(await textOf('a $ARGUMENTS${ARGUMENTS} b')).toBe('a  b')
  })

  it('is replaced in code too: only commands and files leave code alone', async () => {
    expect(await textOf('`$ARGUMENTS`\n```sh\n$0\n```', 'a')).toBe('`a`\n```sh\na\n```')
  })
})

describe('positions', () => {
  it.each([
    ['$0 from $1', 'SearchBar React', 'SearchBar from React'],
    ['$0 $1', '"hello world" second', 'hello world second'],
    ['$ARGUMENTS[1] $ARGUMENTS[0]', 'a b', 'b a'],
    ['$0$1', 'a b', 'ab'],
    ['$10', '0 1 2 3 4 5 6 7 8 9 ten', 'ten'],
    ['$0.', 'a', 'a.'],
    ['$0, then', 'a', 'a, then'],
    ['($0)-$1', 'a b', '(a)-b'],
    ['$0', '""', ''],
    ['$0 $1', "don't stop", "don't stop"],
  ])('%j with %j', async (body, args, expected) => {
    expect(await textOf(body, args)).toBe(expected)
  })

  it('stay as they are written when they are missing, and then are no reference: arguments that none got stand below', async () => {
    expect(await textOf('$0 $2 $ARGUMENTS[5] $ARGUMENTS[99999999999999999999]', 'a')).toBe(
      'a $2 $ARGUMENTS[5] $ARGUMENTS[99999999999999999999]',
    )
    expect(await textOf('$7', 'a')).toBe('$7\n\nARGUMENTS: a')
    expect(await textOf('Costs $5.', 'a')).toBe('Costs $5.\n\nARGUMENTS: a')
    expect(await textOf('$0')).toBe('$0')
  })

  it.each(['$1.50', '$10,000', '$5k', '$1_x', '$1é', '$10,000.00 and $2.5'])(
    'are not what stands in %j',
    async body => {
      expect(await textOf(body, 'a b c d e f g h i j k')).toBe(`${body}\n\nARGUMENTS: a b c d e f g h i j k`)
    },
  )

  it('are words of the text: $ARGUMENTS[x] is all of it', async () => {
    expect(await textOf('$ARGUMENTS[x]', 'a b')).toBe('a b[x]')
  })
})

describe('the other numbering', () => {
  const one = { numbering: 'one' } as const
  it.each([
    ['$1 and $2', 'a b c d', 'a and b c d'],
    ['$2 and $1', 'a b c d', 'b c d and a'],
    ['$1', 'a "b c" d', 'a b c d'],
    ['$1 $3', 'a b', 'a $3'],
    ['$0 $1', 'a b', '$0 a b'],
    ['$ARGUMENTS[1] $ARGUMENTS[2]', 'a b c', 'a b c'],
  ])('%j with %j', async (body, args, expected) => {
    expect(await textOf(body, args, one)).toBe(expected)
  })
})

describe('declared names', () => {
  const parts = { command: { argumentNames: ['issue', 'branch', 'issue-number', '0', 'ARGUMENTS', ''] } }
  it.each([
    ['$issue on $branch', '7 main', '7 on main'],
    ['$issue on $branch', '7', '7 on '],
    ['$issue', '', ''],
    ['$issue-number of $issue-s', 'a b c', 'c of a-s'],
    ['$issues $issue_x $issueé $Issue', 'a', '$issues $issue_x $issueé $Issue\n\nARGUMENTS: a'],
    ['$0 $ARGUMENTS', 'a b', 'a a b'],
  ])('%j with %j', async (body, args, expected) => {
    expect(await textOf(body, args, {}, parts)).toBe(expected)
  })

  it('may have no bracket behind them', async () => {
    expect(await textOf('$issue[0] $issue', '7', { names: 'no-bracket' }, parts)).toBe('$issue[0] 7')
    expect(await textOf('$issue[0]', '7', {}, parts)).toBe('7[0]')
  })

  it('are no references where no one declared them', async () => {
    expect(await textOf('$issue $HOME', 'a')).toBe('$issue $HOME\n\nARGUMENTS: a')
  })
})

describe('escapes', () => {
  it.each([
    ['Costs \\$1.00', 'x', 'Costs $1.00\n\nARGUMENTS: x'],
    ['\\$ARGUMENTS \\$0 $0', 'x', '$ARGUMENTS $0 x'],
    ['\\\\$0', 'x', '\\\\x'],
    ['\\\\\\$0', 'x', '\\\\$0\n\nARGUMENTS: x'],
    ['\\$HOME \\${CLAUDE_SESSION_ID} \\a', '', '$HOME ${CLAUDE_SESSION_ID} \\a'],
  ])('%j with %j', async (body, args, expected) => {
    expect(await textOf(body, args)).toBe(expected)
  })

  it('may count only where a reference or a variable could stand', async () => {
    expect(
      await textOf('\\$HOME \\$5.00 \\$ARGUMENTS \\${CLAUDE_SESSION_ID} \\${HOME}', '', { escapes: 'references' }),
    ).toBe('\\$HOME $5.00 $ARGUMENTS ${CLAUDE_SESSION_ID} \\${HOME}')
  })

  it.each([
    ['e=\\$1 d=\\\\$1 t=\\\\\\$1', 'e=$1 d=\\\\b t=\\\\\\b'],
    ['\\$ARGUMENTS \\$what $what', '$ARGUMENTS $what a'],
    ['$0 \\${CLAUDE_SESSION_ID} \\$HOME \\${HOME}', 'a \\session-1 \\$HOME \\${HOME}'],
  ])('may count only as one backslash before a reference to arguments: %j', async (body, expected) => {
    const parts = { command: { argumentNames: ['what'] }, host: fakeHost({ sessionId: 'session-1' }) }
    expect(await textOf(body, 'a b', { escapes: 'arguments' }, parts)).toBe(expected)
  })

  it('may be left out', async () => {
    expect(await textOf('\\$ARGUMENTS \\\\$0', 'x', { escapes: 'none' })).toBe('\\x \\\\x')
  })
})

describe('arguments that nothing refers to', () => {
  it('are put after the body', async () => {
    expect(await textOf('Do it.', ' a  b ')).toBe('Do it.\n\nARGUMENTS:  a  b ')
    expect(await textOf('Do it.\n', 'a')).toBe('Do it.\n\nARGUMENTS: a')
  })

  it('are not put there when there are none', async () => {
    expect(await textOf('Do it.')).toBe('Do it.')
    expect(await textOf('Do it.', ' \n ')).toBe('Do it.')
  })

  it('are those whose reference is nested in a token that did not ask for it', async () => {
    const script = (isAsked: boolean) =>
      defineProvider({
        kind: 'expander',
        id: 'script',
        setup: () => ({
          claims: '<',
          lex: (text, at) => ({ end: text.indexOf('>', at) + 1, inner: { start: at + 1, end: text.indexOf('>', at) } }),
          evaluate: async ({ children: [child] }, { value }) =>
            isAsked && child !== undefined ? `ran ${await value(child)}` : 'refused',
        }),
      })
    const expanded = async (isAsked: boolean) =>
      (await expansionOf('<$0>', [script(isAsked), textExpander()], { args: 'a' })).text
    expect(await expanded(true)).toBe('ran a')
    expect(await expanded(false)).toBe('refused\n\nARGUMENTS: a')
  })
})

describe('options', () => {
  it('leave $ARGUMENTS when there are none', async () => {
    const keep = { digits: 'none', names: false, braces: false, escapes: 'none', emptyArguments: 'keep' } as const
    expect(await textOf('a $ARGUMENTS $0', '', keep)).toBe('a $ARGUMENTS $0')
    expect(await textOf('a $ARGUMENTS[0] ${ARGUMENTS}', 'b', keep)).toBe('a b[0] ${ARGUMENTS}')
    expect(await textOf('a', 'b', keep)).toBe('a\n\nARGUMENTS: b')
  })

  it('trim the arguments', async () => {
    expect(await textOf('a [$ARGUMENTS]', '  b ', { trim: true })).toBe('a [b]')
    expect(await textOf('a', '  b ', { trim: true })).toBe('a\n\nARGUMENTS: b')
    expect(await textOf('a [$ARGUMENTS]', '  ', { trim: true })).toBe('a []')
  })

  it('never append', async () => {
    expect(await textOf('a', 'b', { appended: false })).toBe('a')
  })

  it('take single digits only, and ${ARGn} from 1', async () => {
    const classic = { braces: false, digits: 'one', argN: true } as const
    expect(await textOf('$0 $9 $10 ${ARG1} ${ARG2} ${ARG0} ${ARG9} ${ARGUMENTS}', 'a b', classic)).toBe(
      'a $9 $10 a b ${ARG0} ${ARG9} ${ARGUMENTS}',
    )
    expect(await textOf('${ARG1}', 'a b')).toBe('${ARG1}\n\nARGUMENTS: a b')
  })

  it.each([
    ['numbering', 'two'],
    ['digits', 'some'],
    ['escapes', true],
    ['emptyArguments', ''],
    ['variables', 'some'],
  ])('refuse %s: %j', (name, value) => {
    expect(() => textExpander({ [name]: value })).toThrow(
      expect.objectContaining({ code: 'E_INVALID_OPTION', message: expect.stringContaining(name) }),
    )
  })

  it('have their defaults where undefined is given', async () => {
    expect(await textOf('$0', 'a', { numbering: undefined, variables: undefined } as unknown as {})).toBe('a')
  })
})

describe('a distribution without arguments', () => {
  it('leaves every reference as it is written, and appends nothing', async () => {
    const body = '$ARGUMENTS ${ARGUMENTS} $0 $ARGUMENTS[0] ${ARG1} $what'
    expect(await textOf(body, 'a b', { arguments: false, argN: true }, { command: { argumentNames: ['what'] } })).toBe(
      body,
    )
    expect(await textOf('Text.', 'a', { arguments: false })).toBe('Text.')
  })
})

describe('what stands before the text', () => {
  it('is what a distribution says of the command', async () => {
    const command = { baseDir: '/skills/deploy' }
    expect(await textOf('Text.', '', { header: ({ name, baseDir }) => `${name} in ${baseDir}` }, { command })).toBe(
      'deploy in /skills/deploy\n\nText.',
    )
    expect(await textOf('Text.', '', { header: () => undefined }, { command })).toBe('Text.')
  })
})

describe('references among English letters only', () => {
  const options = { letters: 'ascii', prices: false } as const
  it.each([
    ['$0é $00 $0_ $1.50', 'a b', 'aé a $0_ b.50'],
    ['$10', '0 1 2 3 4 5 6 7 8 9 ten', 'ten'],
    ['技$0技', 'a', '技a技'],
  ])('%s', async (body, args, text) => {
    expect(await textOf(body, args, options)).toBe(text)
  })
})

describe('a mark of a command in an argument', () => {
  it.each([
    ['!x a!b  !', '\\!x a!b  \\!'],
    ['!`x`', '\\! `x`'],
    ['```!\nx', '``` \\!\nx'],
  ])('%j is written %j', async (args, text) => {
    expect(await textOf('$ARGUMENTS', args, { marksCommands: true })).toBe(text)
    expect(await textOf('$ARGUMENTS', args)).toBe(args)
  })
})
