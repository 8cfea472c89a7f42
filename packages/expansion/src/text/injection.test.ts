import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitArguments } from '../template/split-arguments.js'
import { expansionOf, textOf } from '../../test/expanding-text.js'
import { textExpander } from '../text.js'

const hostile = [
  '$ARGUMENTS',
  '$0',
  '$1',
  '${ARGUMENTS}',
  '$ARGUMENTS[0]',
  '$&',
  "$'",
  '$$',
  '`',
  '!`id`',
  '$(id)',
  '${CLAUDE_SESSION_ID}',
  '{baseDir}',
  '\\$',
  '\\',
  '"',
  "'",
  '\n',
  '\0',
  ' ',
  'a',
  '@../../etc/passwd',
  '\u{1f600}',
  '\ud800',
]
const argument = fc.array(fc.constantFrom(...hostile), { maxLength: 12 }).map(parts => parts.join(''))
const given = argument.filter(args => args.trim() !== '')
// No characters that an expander reacts to, so that each reference stands where the test puts it.
const plain = fc
  .array(fc.constantFrom('text ', '\n', '`code`', '```\n', ' - ', 'é', '. '), { maxLength: 4 })
  .map(parts => parts.join(''))

describe('text from arguments', () => {
  it.each(hostile)('%j is only text', async args => {
    expect(await textOf('<$ARGUMENTS>', args)).toBe(`<${args}>`)
  })

  it('reaches the result only where a reference stands, as it is', async () => {
    await fc.assert(
      fc.asyncProperty(given, fc.array(plain, { minLength: 2, maxLength: 6 }), async (args, parts) => {
        expect(await textOf(parts.join('$ARGUMENTS '), args)).toBe(parts.join(`${args} `))
      }),
    )
  })

  it('reaches the result by position as one word', async () => {
    // A backslash before a line feed is not a word, so every reference would be empty.
    await fc.assert(
      fc.asyncProperty(
        given.filter(args => splitArguments(args).length > 0),
        plain,
        async (args, part) => {
          const [word = ''] = splitArguments(args)
          expect(await textOf(`${part} $0 ${part}`, args)).toBe(`${part} ${word} ${part}`)
        },
      ),
    )
  })

  it('reaches the result nowhere else', async () => {
    await fc.assert(
      fc.asyncProperty(given, plain, async (args, part) => {
        const text = await textOf(part, args)
        expect(text.startsWith(part)).toBe(true)
        expect(text.slice(part.length).trimStart()).toBe(`ARGUMENTS: ${args}`)
      }),
    )
  })

  it('makes no difference to which tokens are evaluated', async () => {
    const tokensWith = async (args: string) =>
      (await expansionOf('$ARGUMENTS $0 ${CLAUDE_SESSION_ID} \\$1', [textExpander()], { args })).tokens.map(
        ({ token }) => token.start,
      )
    await fc.assert(
      fc.asyncProperty(argument, async args => {
        expect(await tokensWith(args)).toEqual(await tokensWith('x'))
      }),
    )
  })
})

describe('size', () => {
  it('takes a million characters of arguments, referred to in every way', async () => {
    const args = `"${'\\" $0 '.repeat(140_000)}" second`
    const text = await textOf('$ARGUMENTS|$1|$ARGUMENTS[1]|${ARGUMENTS}', args)
    expect(text).toBe(`${args}|second|second|${args}`)
  })

  it('takes ten thousand references', async () => {
    const text = await textOf('$0 $1 $ARGUMENTS ${CLAUDE_SESSION_ID}\n'.repeat(2500), 'a b')
    expect(text).toBe('a b a b 00000000-0000-4000-8000-000000000000\n'.repeat(2500))
  })

  it('refuses arguments that ten thousand references would make a hundred gigabytes of', async () => {
    await expect(textOf('$ARGUMENTS'.repeat(10_000), 'x'.repeat(1_000_000))).rejects.toMatchObject({
      code: 'E_INVALID_SKILL',
    })
  })

  it.each(['$', '\\', '\\$', '${', '{', '$1', '$ARGUMENTS[', '${a', '$a-', '\\\\$', '{baseDir', '`', '$9.'])(
    'takes a body of two hundred thousand characters made of %j',
    async part => {
      const count = Math.floor(200_000 / part.length)
      const body = part.repeat(count)
      const text = await textOf(body, '', {}, { command: { argumentNames: ['a', 'b-c'], variables: {} } })
      expect(text.length).toBeGreaterThanOrEqual(
        part === '$a-' || part === '\\$' ? count : body.length - '$ARGUMENTS'.length * count,
      )
    },
  )
})
