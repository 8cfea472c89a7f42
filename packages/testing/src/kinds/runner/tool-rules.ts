import { isNote, Watched, type RunnerRule } from './runner-trial.js'
import type { RunRequest } from '@skills/invocation'

/** Rules for the tools of a sub-agent. */
export const toolRules: readonly RunnerRule[] = [
  {
    name: 'asks',
    rule: 'permission is asked for once before each call of a tool, and its result is told once after it',
    needs: ['tools'],
    async check(trial) {
      const { run, fixture } = await trial.runner([
        { says: '', notes: ['one', 'two'] },
        { says: '', notes: ['three'] },
        { says: 'Done.' },
      ])
      const watched = new Watched()
      const request = watched.request()
      const early: string[] = []
      await run({
        ...request,
        authorize: async call => {
          early.push(...fixture.noted().filter(text => isNote(call, text)))
          return request.authorize(call)
        },
      })
      const texts = ['one', 'two', 'three']
      if (early.length > 0) trial.broken(`the call with "${String(early[0])}" was made before it was allowed.`)
      if (fixture.noted().toSorted().join() !== texts.toSorted().join())
        trial.broken(`of the calls with ${texts.join(', ')} there were made: ${fixture.noted().join(', ') || 'none'}.`)
      for (const text of texts) {
        const asked = watched.asked.filter(call => isNote(call, text)).length
        const used = watched.used.filter(({ call }) => isNote(call, text)).length
        trial.expectSame(`how often permission was asked for "${text}", and its result told`, [asked, used], [1, 1])
      }
    },
  },
  {
    name: 'told',
    rule: 'what is said of a call that was made the sub-agent reads besides its result',
    needs: ['tools'],
    async check(trial) {
      const { run, fixture } = await trial.runner([
        { says: '', notes: ['one'] },
        { says: '', notes: ['two'] },
        { says: 'Done.' },
      ])
      const { text } = await run(
        new Watched().request({ used: async call => (isNote(call, 'one') ? 'The gate creaks.' : undefined) }),
      )
      const [read = ''] = await fixture.read()
      if (!read.includes('The gate creaks.'))
        trial.broken(`the sub-agent read ${JSON.stringify(read)}, and nothing of what was said.`)
      trial.expectSame('how many calls were made, and the result', [fixture.noted().length, text], [2, 'Done.'])
    },
  },
  {
    name: 'denied',
    rule: 'a call without permission is not made: the sub-agent is told why and goes on',
    needs: ['tools'],
    async check(trial) {
      for (const behavior of ['deny', 'ask'] as const) {
        const { run, fixture } = await trial.runner([{ says: '', notes: ['bad', 'good'] }, { says: 'Done.' }])
        const watched = new Watched()
        const request = watched.request()
        const authorize: RunRequest['authorize'] = async call =>
          isNote(call, 'bad')
            ? { behavior, message: 'The garden is closed.', decisionReason: { type: 'default' } }
            : request.authorize(call)
        const { text } = await run({ ...request, authorize })
        if (fixture.noted().includes('bad')) trial.broken(`a call was made although the answer was "${behavior}".`)
        if (!fixture.noted().includes('good'))
          trial.broken('a call that was allowed was not made, because another one was not.')
        if (watched.used.some(({ call }) => isNote(call, 'bad')))
          trial.broken('a call that was not made was told of as made.')
        const [read = ''] = await fixture.read()
        if (!read.includes('The garden is closed.'))
          trial.broken(`the sub-agent was not told why: it read ${JSON.stringify(read)}.`)
        trial.expectSame('the result', text, 'Done.')
      }
    },
  },
  {
    name: 'leave-fails',
    rule: 'a call for which leave cannot be asked is not made',
    needs: ['tools'],
    async check(trial) {
      const { runner, fixture } = await trial.runner([{ says: '', notes: ['one'] }, { says: 'Done.' }])
      const authorize = (): Promise<never> => Promise.reject(new Error('No one can be asked.'))
      await trial.ended('run()', async () => runner.run(new Watched().request({ authorize }), new AbortController()))
      if (fixture.noted().length > 0) trial.broken('it was made all the same.')
    },
  },
  {
    name: 'steps',
    rule: 'a sub-agent ends after as many answers as it may give, also where it wants to go on',
    needs: ['tools', 'steps'],
    async check(trial) {
      const { runner, fixture } = await trial.runner(
        Array.from({ length: 12 }, (_, at) => ({ says: '', notes: [`n${at}`] })),
      )
      await trial.ended('run() with maxSteps: 3', async () =>
        runner.run(new Watched().request({ maxSteps: 3 }), new AbortController()),
      )
      if (fixture.noted().length > 3) trial.broken(`with maxSteps: 3 there were ${fixture.noted().length} answers.`)
    },
  },
  {
    name: 'abort-leave',
    rule: 'a run that is aborted while permission is asked for rejects with an AbortError, and the call is not made',
    needs: ['tools'],
    async check(trial) {
      const started = await trial.runner([{ says: '', notes: ['one'] }, { says: 'Done.' }])
      const controller = new AbortController()
      const request = new Watched().request()
      const authorize: RunRequest['authorize'] = call => {
        controller.abort()
        return request.authorize(call)
      }
      trial.expectAborted(
        await trial.ended('run() that was aborted', async () =>
          started.runner.run({ ...request, authorize }, controller),
        ),
        'run() that was aborted',
      )
      await trial.expectQuiet(started, 'after that')
      if (started.fixture.noted().length > 0) trial.broken('the call was made all the same.')
    },
  },
]
