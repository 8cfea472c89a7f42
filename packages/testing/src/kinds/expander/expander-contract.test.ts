import { isAbortError } from '@skills/core'
import { expanderContract } from '@skills/testing'
import { testExpander } from '@skills/testing/vitest'
import { expect, test } from 'vitest'
import { failuresOf } from '../../../test/failures-of.js'
import { smallExpander, type ExpanderFault } from '../../../test/small-expander.js'
import type { EvaluateContext } from '@skills/expansion'

testExpander('a sound expander', () => smallExpander())

let count = 0

// At least one faulty expander a case; each fails that case alone.
const mutants: readonly (readonly [caseName: string, fault: string, expander: ExpanderFault, says: string])[] = [
  [
    'claims',
    'recognises what it does not claim',
    sound => ({ lex: (text, at) => (text.charAt(at) === 'y' ? { end: at + 1 } : sound.lex(text, at)) }),
    'a token that begins with "y", which it does not claim',
  ],
  [
    'lex-bounds',
    'takes for closed what the text does not close',
    sound => ({
      lex: (text, at) => (text.endsWith('%get:') && at === text.length - 5 ? { end: at + 6 } : sound.lex(text, at)),
    }),
    'in a text of 9',
  ],
  [
    'lex-pure',
    'counts',
    sound => ({
      lex(text, at) {
        const lexed = sound.lex(text, at)
        return lexed && { ...lexed, inner: { start: at, end: at + (++count % 2) } }
      },
    }),
    'when it was asked again',
  ],
  [
    'plain',
    'takes away a mark that means nothing',
    sound => ({
      lex: (text, at) => (text === '%' ? { end: 1, data: 'nothing' } : sound.lex(text, at)),
      evaluate: (token, context) => (token.text === '%' ? Promise.resolve('') : sound.evaluate(token, context)),
    }),
    '"%" became ""',
  ],
  [
    'samples',
    'brings a thing in twice at most',
    sound => {
      const times = new WeakMap<EvaluateContext, Map<string, number>>()
      return {
        async evaluate(token, context) {
          const counts = times.get(context) ?? new Map<string, number>()
          times.set(context, counts.set(token.text, (counts.get(token.text) ?? 0) + 1))
          const value = await sound.evaluate(token, context)
          return (counts.get(token.text) ?? 0) > 2 ? '' : value
        },
      }
    },
    'three times became',
  ],
  [
    'verbatim',
    'lets a value say how it is put in',
    sound => ({
      evaluate: async (token, context) =>
        token.text.replace(token.text, (await sound.evaluate(token, context)) ?? token.text),
    }),
    'where "$&" was brought in, the text is',
  ],
  [
    'arguments',
    'adds the arguments to everything',
    sound => ({
      evaluate: async (token, context) =>
        token.text === '%args%' || context.args === 'a b'
          ? sound.evaluate(token, context)
          : ((await sound.evaluate(token, context)) ?? token.text) + context.args,
    }),
    '"Say %get:greeting% to %get:name%." with the arguments "$ARGUMENTS" became',
  ],
  [
    'once',
    'asks for permission again',
    sound => ({
      async evaluate(token, context) {
        if (token.text !== '%args%' && context.trust !== 'remote')
          await context.authorize({ tool: 'Get', content: token.text })
        return sound.evaluate(token, context)
      },
    }),
    'for 16 tokens it asked for permission 32 times',
  ],
  [
    'remote',
    'gives a server what the user has',
    sound => ({ evaluate: (token, context) => sound.evaluate(token, { ...context, trust: 'trusted' }) }),
    'in a text of a server',
  ],
  [
    'leave',
    'takes a question for permission',
    (sound, store) => ({
      async evaluate(token, context) {
        if (
          token.text !== '%args%' &&
          context.trust !== 'remote' &&
          (await context.authorize({ tool: 'Get', content: token.text })).behavior === 'ask'
        )
          return store.get(String(token.data))
        return token.text === '%args%' || context.trust === 'remote'
          ? sound.evaluate(token, context)
          : sound.evaluate(token, {
              ...context,
              authorize: async () => ({ behavior: 'allow', message: 'Yes.', decisionReason: { type: 'default' } }),
            })
      },
    }),
    'what was denied was done all the same',
  ],
  [
    'leave',
    'takes no notice of what forbids',
    sound => ({
      evaluate: (token, context) =>
        sound.evaluate(token, {
          ...context,
          forbids: async action => void (await context.forbids(action)) as undefined,
        }),
    }),
    'what is forbidden was done all the same',
  ],
  [
    'abort',
    'fails in its own way',
    sound => ({
      evaluate: async (token, context) =>
        sound.evaluate(token, context).catch((error: unknown) => {
          throw isAbortError(error) ? new Error('Stopped.') : error
        }),
    }),
    'rejected with no AbortError but: The expander "small" failed: Stopped.',
  ],
  [
    'together',
    'keeps in one place what it is at work on',
    sound => {
      let latest: Parameters<typeof sound.evaluate>[0] | undefined
      return {
        async evaluate(token, context) {
          latest = token
          await context.forbids('shell')
          return sound.evaluate(latest, context)
        },
      }
    },
    'beside others',
  ],
]

test.each(mutants)('%s fails for an expander that %s', async (name, _fault, fault, says) => {
  expect(await failuresOf(expanderContract(() => smallExpander(fault), { patienceMs: 5000 }))).toEqual({
    [name]: expect.stringContaining(says),
  })
})

test('an expander that is said to bring nothing in, and does, fails "without" alone', async () => {
  expect(
    await failuresOf(expanderContract(() => smallExpander(), { without: { bring: 'It brings nothing in.' } })),
  ).toEqual({ without: expect.stringContaining('there is a bring(), although') })
})

test('an expander without samples, or without bring() and a reason, is not taken for checked', async () => {
  const failed = await failuresOf(expanderContract(() => ({ ...smallExpander(), samples: [] })))
  expect(failed['samples']).toContain('no samples')
  const { bring: _, ...rest } = smallExpander()
  const unbrought = await failuresOf(expanderContract(() => rest))
  expect(Object.keys(unbrought)).toEqual(['verbatim', 'remote', 'leave'])
  expect(unbrought['leave']).toContain('no bring()')
})

test('there is a faulty expander for every case', () => {
  expect(new Set([...mutants.map(([name]) => name), 'without'])).toEqual(
    new Set(expanderContract(() => smallExpander()).map(({ name }) => name)),
  )
})
