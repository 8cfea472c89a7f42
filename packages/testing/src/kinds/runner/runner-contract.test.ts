import { runnerContract } from '@skills/testing'
import { testRunner } from '@skills/testing/vitest'
import { expect, test } from 'vitest'
import { failuresOf } from '../../../test/failures-of.js'
import { SmallRunner } from '../../../test/small-runner.js'
import type { Runner, RunRequest, RunResult } from '@skills/invocation'

/** Fault in a runner that is otherwise sound. */
type Fault = (sound: Runner['run'], small: SmallRunner) => Runner['run']

testRunner('a sound runner', script => new SmallRunner(script))

const asking =
  (change: (request: RunRequest) => Partial<RunRequest>): Fault =>
  sound =>
  (request, call) =>
    sound({ ...request, ...change(request) }, call)
const giving =
  (change: (result: RunResult, request: RunRequest) => Partial<RunResult>): Fault =>
  sound =>
  async (request, call) => {
    const result = await sound(request, call)
    return { ...result, ...change(result, request) }
  }
const never = new AbortController().signal
let latest = ''

// At least one faulty runner a case. Each fails that case alone, unless another case necessarily fails with it.
const mutants: readonly (readonly [caseNames: readonly string[], fault: string, runner: Fault, says: string])[] = [
  [
    ['result'],
    'escapes what was said',
    giving(({ text }) => ({ text: text.replaceAll('<', '&lt;') })),
    'what a sub-agent gave is "Say $& and',
  ],
  [
    ['last'],
    'gives the first message',
    giving(({ text }) => (text === 'All is well.' ? { text: 'I shall look.' } : {})),
    'the result is "I shall look." instead of "All is well."',
  ],
  [
    ['empty'],
    'gives nothing where nothing was said',
    sound => async (request, call) => {
      const result = await sound(request, call)
      return result.text === '' && result.usage?.steps === 1 ? (undefined as never) : result
    },
    'the result is undefined instead of a text',
  ],
  [
    ['reads'],
    'leaves the system prompt out',
    asking(() => ({ system: undefined })),
    '"You are careful." does not follow what comes before it',
  ],
  [
    ['usage'],
    'does not know and says so in a number',
    giving(() => ({ usage: { inputTokens: Number.NaN } })),
    'usage.inputTokens is NaN',
  ],
  [
    ['progress'],
    'keeps what is said to itself',
    asking(({ progress }) => ({ progress: event => (event.type === 'text' ? undefined : progress(event)) })),
    'of a sub-agent that said "Done." it told [{"type":"step","steps":1}]',
  ],
  [
    ['pure'],
    'marks what it has seen',
    sound => (request, call) => sound(Object.assign(request, { depth: 2 }), call),
    'run() failed: Cannot assign to read only property',
  ],
  [
    ['asks'],
    'asks twice',
    asking(({ authorize }) => ({
      authorize: async call => {
        await authorize(call)
        return authorize(call)
      },
    })),
    'told is [2,1]',
  ],
  [
    ['asks', 'told'],
    'does not tell of what it did',
    asking(() => ({ used: async () => {} })),
    'its result told is [1,0]',
  ],
  [
    ['told'],
    'keeps what is said of a call to itself',
    asking(({ used }) => ({ used: async (call, result) => void (await used(call, result)) })),
    'and nothing of what was said',
  ],
  [
    ['goes-on', 'goes-on-tools', 'goes-on-steps', 'abort-stop'],
    'never asks whether its sub-agent may stop',
    asking(() => ({ onStop: undefined })),
    'when it was asked whether it may stop is []',
  ],
  [
    ['goes-on'],
    'says something else than it was told',
    asking(({ onStop }) => ({
      onStop: async text =>
        (await onStop?.(text))?.map(block =>
          block.type === 'text' ? { ...block, text: block.text.replaceAll('<', '&lt;') } : block,
        ),
    })),
    'was not told what to go on with',
  ],
  [
    ['goes-on', 'goes-on-tools', 'goes-on-steps'],
    'begins anew with what it is to go on with',
    sound => async (request, call) => {
      const result = await sound({ ...request, onStop: undefined }, call)
      const next = await request.onStop?.(result.text)
      return next === undefined
        ? result
        : sound({ ...request, messages: [...request.messages, next], onStop: undefined }, call)
    },
    '',
  ],
  [
    ['goes-on-tools'],
    'does not ask about what comes later',
    sound => (request, call) => {
      let isLater = false
      return sound(
        {
          ...request,
          authorize: async asked =>
            isLater
              ? { behavior: 'allow', message: '', decisionReason: { type: 'default' } }
              : request.authorize(asked),
          onStop: text => {
            isLater = true
            return request.onStop?.(text) ?? Promise.resolve(undefined)
          },
        },
        call,
      )
    },
    'no one was asked about it',
  ],
  [
    ['goes-on-steps'],
    'asks also after its last answer',
    sound => async (request, call) => {
      let steps = 0
      const result = await sound(
        {
          ...request,
          progress: event => {
            if (event.type === 'step') steps = event.steps
            request.progress(event)
          },
        },
        call,
      )
      if (steps === request.maxSteps) await request.onStop?.(result.text)
      return result
    },
    'may stop is ["n0","n1","n2"]',
  ],
  [
    ['abort-stop'],
    'does not look at the signal after it has asked',
    sound => async (request, call) => {
      const controller = new AbortController()
      let isAsked = false
      call.signal.addEventListener('abort', () => isAsked || controller.abort(), { once: true })
      if (call.signal.aborted) controller.abort()
      return sound(
        {
          ...request,
          onStop: async text => {
            isAsked = true
            return request.onStop?.(text)
          },
        },
        { signal: controller.signal },
      )
    },
    'gave an answer all the same',
  ],
  [
    ['denied'],
    'takes a question for permission',
    asking(({ authorize }) => ({
      authorize: async call => {
        const decision = await authorize(call)
        return decision.behavior === 'ask' ? { ...decision, behavior: 'allow' } : decision
      },
    })),
    'a call was made although the answer was "ask"',
  ],
  [
    ['denied'],
    'does not say why',
    asking(({ authorize }) => ({ authorize: async call => ({ ...(await authorize(call)), message: 'No.' }) })),
    'the sub-agent was not told why',
  ],
  [
    ['leave-fails'],
    'goes on where no one can be asked',
    asking(({ authorize }) => ({
      authorize: call =>
        authorize(call).catch(() => ({
          behavior: 'allow' as const,
          message: '',
          decisionReason: { type: 'failure' as const },
        })),
    })),
    'it was made all the same',
  ],
  [
    ['steps', 'goes-on-steps'],
    'knows no end',
    asking(() => ({ maxSteps: 50 })),
    'with maxSteps: 3 there were 12 answers',
  ],
  [
    ['abort-leave', 'abort-meanwhile', 'abort-stop'],
    'looks at the signal only before',
    sound => async (request, call) => (call.signal.aborted ? sound(request, call) : sound(request, { signal: never })),
    '',
  ],
  [
    ['abort-before'],
    'begins before it looks at the signal',
    (sound, small) => (request, call) => {
      if (call.signal.aborted) small.reads.push('')
      return sound(request, call)
    },
    'a sub-agent began all the same',
  ],
  [
    ['abort-meanwhile', 'abort-leave', 'abort-stop'],
    'leaves its sub-agent at work',
    (sound, small) => async (request, call) => {
      const wasAborted = call.signal.aborted
      return Promise.resolve(sound(request, call)).catch((error: unknown) => {
        if (call.signal.aborted && !wasAborted) small.atWork += 1
        throw error
      })
    },
    '1 sub-agents are still at work after the run was aborted',
  ],
  [
    ['failure'],
    'takes a failure for a result',
    sound => async (request, call) =>
      Promise.resolve(sound(request, call)).catch((error: unknown) => {
        if (error instanceof Error && error.message === 'The well is dry') return { text: 'Failed.' }
        throw error
      }),
    'it gave {"text":"Failed."} all the same',
  ],
  [
    ['together'],
    'mixes up what several were told',
    sound => (request, call) => {
      const [[block] = []] = request.messages
      const text = block?.type === 'text' ? block.text : ''
      if (text.startsWith('This is number')) latest ||= text
      return sound(
        text.startsWith('This is number') ? { ...request, messages: [[{ type: 'text', text: latest }]] } : request,
        call,
      )
    },
    'that was told "This is number 1." gave "This is number 0."',
  ],
]

test.for(mutants)('%s: a runner that %s fails', async ([caseNames, , fault, says]) => {
  const failures = await failuresOf(runnerContract(script => new SmallRunner(script, fault), { patienceMs: 1000 }))
  expect(Object.keys(failures).toSorted()).toEqual(caseNames.toSorted())
  expect(failures[caseNames[0] ?? '']).toContain(says)
})

test('what a runner is said to do without must not be there', async () => {
  const failures = await failuresOf(
    runnerContract(script => new SmallRunner(script), { without: { tools: 'It has none.', progress: 'It has none.' } }),
  )
  const others = await failuresOf(
    runnerContract(script => new SmallRunner(script), { without: { continuation: 'It ends.' } }),
  )
  expect(failures['without']).toMatch(/asked for permission.*without tools/)
  expect(others['without']).toContain('without continuation')
})
