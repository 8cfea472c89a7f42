import { isAbortError, SkillsError, createSkills, defineProvider, loadResult } from '@skills/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bracketExpander, commandWith, contextWith, wordExpander } from '../../test/expanding.js'
import { expand, expandWith, maxExpandedLength } from './expand.js'
import { expanderKind, type Expander, type Token } from './expander.js'

describe('expand', () => {
  it('puts a value in the place of each token and leaves the rest', async () => {
    const { text, tokens } = await expand(
      'a #x b #y c',
      [wordExpander('x', '#x', 'X$&'), wordExpander('y', '#y', () => undefined)],
      contextWith(),
    )
    expect(text).toBe('a X$& b #y c')
    expect(tokens.map(({ token, value, expander }) => [token.text, value, expander])).toEqual([
      ['#x', 'X$&', 'x'],
      ['#y', undefined, 'y'],
    ])
  })

  it('evaluates each token once, in order, one after the other', async () => {
    const log: string[] = []
    const slow = wordExpander('slow', '#', async ({ start }) => {
      log.push(`begin ${start}`)
      await Promise.resolve()
      log.push(`end ${start}`)
      return '#'
    })
    expect((await expand('##', [slow], contextWith())).text).toBe('##')
    expect(log).toEqual(['begin 0', 'end 0', 'begin 1', 'end 1'])
  })

  it('never looks into what a token brings in', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('#', '<', '>', 'x', '#<', '`', '\n')), async parts => {
        const value = parts.join('')
        const { text } = await expand(
          'a # b',
          [bracketExpander('bracket', () => 'BAD'), wordExpander('word', '#', value)],
          contextWith(),
        )
        expect(text).toBe(`a ${value} b`)
      }),
    )
  })

  it('gives the raw value of a nested token to the code that asks, evaluated once', async () => {
    let count = 0
    const word = wordExpander('word', '#', () => `#${(count += 1)}`)
    const bracket = bracketExpander('bracket', async ({ children }, { value }) => {
      const values = await Promise.all([...children, ...children].map(child => value(child)))
      return `[${values.join(' ')}]`
    })
    const { text, tokens } = await expand('<##>', [bracket, word], contextWith())
    expect(text).toBe('[#1 #2 #1 #2]')
    expect(tokens.map(({ token }) => token.text)).toEqual(['#', '#', '<##>'])
  })

  it('does not evaluate a nested token that no one asks for', async () => {
    const { text, tokens } = await expand(
      '<#>',
      [
        bracketExpander('bracket', () => '-'),
        wordExpander('word', '#', () => {
          throw new Error('asked')
        }),
      ],
      contextWith(),
    )
    expect([text, tokens.length]).toEqual(['-', 1])
  })

  it('refuses to wait for a token that is not nested', async () => {
    const itself = wordExpander('itself', '#', (token, { value }) => value(token))
    await expect(expand('#', [itself], contextWith())).rejects.toMatchObject({
      code: 'E_PROVIDER_FAILED',
      message: expect.stringContaining('"itself"'),
    })
  })

  it('shows the tokens of the body to each of them', async () => {
    let seen: readonly Token[] | undefined
    await expand(
      '## <#>',
      [bracketExpander('bracket', () => ''), wordExpander('word', '#', (_, { tokens }) => void (seen = tokens))],
      contextWith(),
    )
    expect(seen?.map(({ text }) => text)).toEqual(['#', '#', '<#>'])
  })

  it('puts frames around the text as paragraphs, in provider order', async () => {
    const framed = (id: string) =>
      wordExpander(id, '#', '', { frame: () => ({ before: `before ${id}`, after: `after ${id}` }) })
    const around = async (body: string) => (await expand(body, [framed('a'), framed('b')], contextWith())).text
    expect(await around('text')).toBe('before a\n\nbefore b\n\ntext\n\nafter a\n\nafter b')
    expect(await around('text\n')).toBe('before a\n\nbefore b\n\ntext\n\nafter a\n\nafter b')
    expect(await around('text\r\n\r\n')).toBe('before a\n\nbefore b\n\ntext\r\n\r\nafter a\n\nafter b')
    const after = wordExpander('after', '#', '', { frame: () => ({ after: 'after' }) })
    expect((await expand('', [after], contextWith())).text).toBe('after')
  })

  it('shows a frame the tokens that were evaluated, nested ones only if their value was asked for', async () => {
    const seen: string[] = []
    const word = wordExpander('word', '#', '', { frame: tokens => (seen.push(...tokens.map(({ text }) => text)), {}) })
    const first = bracketExpander('bracket', ({ children: [child] }, { value }) => child && value(child))
    await expand('<##>', [first, word], contextWith())
    expect(seen).toEqual(['#', '<##>'])
  })

  it('hands on what the context can do, by calling it where it is', async () => {
    const base = contextWith()
    const context = {
      ...base,
      reason: 'forbidden',
      async forbids() {
        return this.reason
      },
    }
    expect((await expand('#', [wordExpander('asks', '#', (_, { forbids }) => forbids('shell'))], context)).text).toBe(
      'forbidden',
    )
  })

  it('says which expander failed, and lets coded errors pass', async () => {
    const coded = new SkillsError('E_INVALID_SKILL', 'coded')
    const failing = (error: unknown) =>
      expand(
        '#',
        [
          wordExpander('bad', '#', () => {
            throw error
          }),
        ],
        contextWith(),
      )
    await expect(failing(coded)).rejects.toBe(coded)
    await expect(failing(new TypeError('oh'))).rejects.toMatchObject({
      code: 'E_PROVIDER_FAILED',
      message: 'The expander "bad" failed: oh',
      cause: { message: 'oh' },
    })
    await expect(
      expand(
        '#',
        [
          wordExpander('bad', '#', '', {
            frame: () => {
              throw new TypeError('oh')
            },
          }),
        ],
        contextWith(),
      ),
    ).rejects.toMatchObject({ code: 'E_PROVIDER_FAILED' })
  })

  it('refuses a value that is no text', async () => {
    const bad = wordExpander('bad', '#', (() => 7) as unknown as Expander['evaluate'])
    await expect(expand('#', [bad], contextWith())).rejects.toMatchObject({
      code: 'E_PROVIDER_FAILED',
      message: expect.stringContaining('"#"'),
    })
  })

  it('stops between tokens when it is aborted', async () => {
    const controller = new AbortController()
    const evaluated: number[] = []
    const word = wordExpander('word', '#', ({ start }) => {
      evaluated.push(start)
      if (start === 1) controller.abort()
      return ''
    })
    const error: unknown = await expand('###', [word], contextWith({ signal: controller.signal })).catch(
      (thrown: unknown) => thrown,
    )
    expect([isAbortError(error), evaluated]).toEqual([true, [0, 1]])
    expect(
      isAbortError(await expand('', [], contextWith({ signal: controller.signal })).catch((thrown: unknown) => thrown)),
    ).toBe(true)
  })

  it('refuses a text that would fill the memory', async () => {
    const million = 'x'.repeat(1_000_000)
    await expect(
      expand(
        '#'.repeat(10_000),
        [wordExpander('word', '#', million)],
        contextWith({ command: commandWith({ name: 'large' }) }),
      ),
    ).rejects.toMatchObject({
      code: 'E_INVALID_SKILL',
      message: expect.stringMatching(new RegExp(`"large" .* ${maxExpandedLength} `)),
    })
  })
})

describe('expandWith', () => {
  it('expands with the expanders of an engine, in their order', async () => {
    const expander = (id: string, order: number) =>
      defineProvider({
        kind: 'expander',
        id,
        order,
        setup: () => ({ ...wordExpander(id, '#', id).value, frame: () => ({ before: id }) }),
      })
    const given: string[] = []
    const source = defineProvider({
      kind: 'source',
      id: 'asks',
      needs: ['expander'],
      setup: ctx => ({
        source: 'user',
        async list() {
          given.push((await expandWith(ctx.use('expander'), 'a #', contextWith())).text)
          return loadResult({})
        },
      }),
    })
    const skills = createSkills({
      plugins: [expander('late', 2), expander('early', 1), source],
      kinds: [expanderKind],
      onDiagnostic: ({ message }) => given.push(message),
    })
    try {
      await skills.catalog()
    } finally {
      await skills.close()
    }
    expect(given).toEqual(['early\n\nlate\n\na early'])
  })
})
