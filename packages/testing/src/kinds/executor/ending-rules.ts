import { isAbortError } from '@skills/core'
import {
  invocationOf,
  modelText,
  type ExecutorRule,
  type ExecutorTrial,
  type StartedExecutor,
} from './executor-trial.js'

const lookAgain = ' Look at the signal once more before you answer.'

/** Rules for invocations that are aborted, that fail, and that run at the same time. */
export const endingRules: readonly ExecutorRule[] = [
  {
    name: 'abort-before',
    rule: 'an invocation whose signal was aborted before rejects with an AbortError and leaves nothing behind',
    async check(trial) {
      const started = await trial.executor()
      for (const invocation of [
        invocationOf(),
        invocationOf({}, { body: { blocks: [{ type: 'text', text: 'Do it.' }] } }),
      ]) {
        trial.expectAborted(
          await trial.ended('execute()', async () =>
            started.executor.execute(invocation, { signal: AbortSignal.abort() }),
          ),
          'execute() that was aborted before',
          lookAgain,
        )
        if (started.expander.evaluated > 0) trial.broken('an expander was asked for the value of a token all the same.')
      }
      await expectWhole(trial, started)
    },
  },
  {
    name: 'abort-meanwhile',
    rule: 'an invocation that is aborted while an expander works rejects with an AbortError and leaves nothing behind',
    async check(trial) {
      const started = await trial.executor()
      const controller = new AbortController()
      started.expander.onWait = () => controller.abort()
      trial.expectAborted(
        await trial.ended('execute() that was aborted', async () =>
          started.executor.execute(invocationOf({ template: 'Do it with @args@. @waits@' }), controller),
        ),
        'execute() that was aborted meanwhile',
        lookAgain,
      )
      await expectWhole(trial, started)
    },
  },
  {
    name: 'failure',
    rule: 'an expander that fails fails the invocation, and the next one is whole',
    async check(trial) {
      const started = await trial.executor()
      const outcome = await trial.ended('execute()', async () =>
        started.executor.execute(invocationOf({ template: 'Do it with @args@. @fails@' }), new AbortController()),
      )
      if (!('error' in outcome))
        trial.broken('there is an outcome although what was to stand in the text could not be had.')
      else if (isAbortError(outcome.error)) trial.broken('it rejected with an AbortError although no one gave up.')
      await expectWhole(trial, started)
    },
  },
  {
    name: 'together',
    rule: 'invocations at the same time know nothing of each other: each has its own text, and tells of its own progress alone',
    async check(trial) {
      const { execute } = await trial.executor()
      const names = ['one', 'two', 'three']
      const told = names.map((): unknown[] => [])
      const outcomes = await Promise.all(
        names.map((args, at) =>
          execute(
            invocationOf(
              { template: '@tells@With @args@.' },
              { args, agentId: args, progress: event => told[at]?.push(event) },
            ),
          ),
        ),
      )
      for (const [at, name] of names.entries()) {
        const heard = (told[at] ?? []).filter(event => JSON.stringify(event).includes('said'))
        if (JSON.stringify(heard) !== JSON.stringify([{ said: name }]))
          trial.broken(
            `the invocation "${name}" told of ${JSON.stringify(heard)} where its expander said ${JSON.stringify({ said: name })}.`,
          )
        const outcome = outcomes[at]
        if (outcome === undefined) continue
        if (outcome.newMessages.some(({ type, isMeta }) => type === 'progress' && isMeta === true))
          trial.broken('a message of progress is meant for the model.')
        const text = modelText(outcome)
        if (text !== '' && !text.includes(`With ${name}.`))
          trial.broken(`the invocation "${name}" gave ${JSON.stringify(text)}.`)
      }
    },
  },
]

/** Expects that the next invocation gives its whole text. An executor that remembers undelivered text would omit it. */
async function expectWhole(trial: ExecutorTrial, { execute }: StartedExecutor): Promise<void> {
  const outcome = await execute(invocationOf({}, { args: 'care' }))
  const again = await execute(invocationOf({ name: 'omega' }, { args: 'care' }))
  for (const text of [modelText(outcome), modelText(again)])
    if (text !== '' && !text.includes('Do it with care.'))
      trial.broken(`the next invocation gave ${JSON.stringify(text)} instead of its text.`)
}
