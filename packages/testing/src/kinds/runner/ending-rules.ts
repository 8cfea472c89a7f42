import { isAbortError, messageOf } from '@skills/core'
import { Watched, type RunnerRule } from './runner-trial.js'

/** Rules for runs that are aborted, that fail, and that run at the same time. */
export const endingRules: readonly RunnerRule[] = [
  {
    name: 'abort-before',
    rule: 'a run whose signal was aborted before rejects with an AbortError, and no sub-agent begins',
    async check(trial) {
      const started = await trial.runner([{ says: 'Done.' }])
      trial.expectAborted(
        await trial.ended('run()', async () =>
          started.runner.run(new Watched().request(), { signal: AbortSignal.abort() }),
        ),
        'run() that was aborted before',
      )
      if ((await started.fixture.read()).length > 0) trial.broken('a sub-agent began all the same.')
    },
  },
  {
    name: 'abort-meanwhile',
    rule: 'a run that is aborted while its sub-agent works rejects with an AbortError, and then nothing of it works any more',
    async check(trial) {
      const started = await trial.runner([{ waits: true }])
      const controller = new AbortController()
      const ended = trial.ended('run() that was aborted', async () =>
        started.runner.run(new Watched().request(), controller),
      )
      await trial.within('the sub-agent', started.fixture.waiting())
      controller.abort()
      trial.expectAborted(await ended, 'run() that was aborted meanwhile')
      await trial.expectQuiet(started, 'after the run was aborted')
    },
  },
  {
    name: 'failure',
    rule: 'a sub-agent that fails fails its run with an error that says why',
    async check(trial) {
      const started = await trial.runner([{ fails: 'The well is dry' }])
      const outcome = await trial.ended('run()', async () =>
        started.runner.run(new Watched().request(), new AbortController()),
      )
      if (!('error' in outcome)) return trial.broken(`it gave ${JSON.stringify(outcome.value)} all the same.`)
      if (isAbortError(outcome.error)) trial.broken('it rejected with an AbortError although no one gave up.')
      if (!messageOf(outcome.error).includes('The well is dry'))
        trial.broken(
          `the error is ${JSON.stringify(messageOf(outcome.error))}, which does not say that the well is dry.`,
        )
      await trial.expectQuiet(started, 'after its failure')
    },
  },
  {
    name: 'together',
    rule: 'sub-agents at the same time know nothing of each other, and leave nothing behind',
    async check(trial) {
      const started = await trial.runner([{ repeats: true }])
      const texts = Array.from({ length: 8 }, (_, at) => `This is number ${at}.`)
      const answers = await Promise.all(
        texts.map(text => started.run(new Watched().request({ messages: [[{ type: 'text', text }]] }))),
      )
      for (const [at, text] of texts.entries())
        if (answers[at]?.text.trim() !== text)
          trial.broken(`a sub-agent that was told ${JSON.stringify(text)} gave ${JSON.stringify(answers[at]?.text)}.`)
      await trial.expectQuiet(started, 'after their runs')
    },
  },
]
