import { hostileText } from './answer-rules.js'
import { Watched, type RunnerRule } from './runner-trial.js'
import type { RunRequest } from '@skills/invocation'

type OnStop = NonNullable<RunRequest['onStop']>

const asked = 'what the sub-agent had said when it was asked whether it may stop'

/** Makes a sub-agent continue with a text this many times before it may stop. */
function goingOn(text: string, times: number): { readonly onStop: OnStop; readonly heard: readonly string[] } {
  const heard: string[] = []
  return { heard, onStop: async answer => (heard.push(answer) > times ? undefined : [{ type: 'text', text }]) }
}

/** Rules for a sub-agent that has answered but may not stop yet. */
export const continuationRules: readonly RunnerRule[] = [
  {
    name: 'goes-on',
    rule: 'a sub-agent that is not to stop yet goes on in the same conversation, with what it is told as its next message, until it may',
    needs: ['continuation'],
    async check(trial) {
      const { run, fixture } = await trial.runner([{ says: 'First.' }, { says: 'Second.' }, { says: 'Third.' }])
      const { onStop, heard } = goingOn(hostileText, 1)
      const { text } = await run(new Watched().request({ onStop }))
      trial.expectSame(asked, heard, ['First.', 'Second.'])
      trial.expectSame('the result', text, 'Second.')
      const [read = '', ...more] = await fixture.read()
      if (more.length > 0) trial.broken('another sub-agent began in the place of the one that was to go on.')
      if (!read.includes(hostileText))
        trial.broken(`the sub-agent was not told what to go on with: it read ${JSON.stringify(read)}.`)
    },
  },
  {
    name: 'goes-on-tools',
    rule: 'a sub-agent that goes on has its tools, and each call of them is asked about',
    needs: ['continuation', 'tools'],
    async check(trial) {
      const { run, fixture } = await trial.runner([
        { says: 'First.' },
        { says: '', notes: ['one'] },
        { says: 'Second.' },
      ])
      const watched = new Watched()
      const { onStop, heard } = goingOn('Go on.', 1)
      await run(watched.request({ onStop }))
      trial.expectSame('what calls were made', fixture.noted(), ['one'])
      if (watched.asked.length === 0) trial.broken('a call was made after no one was asked about it.')
      // An answer that calls a tool is not a stop.
      trial.expectSame(asked, heard, ['First.', 'Second.'])
    },
  },
  {
    name: 'goes-on-steps',
    rule: 'what a sub-agent goes on with counts towards its answers: after the last one no question is asked whether it may stop',
    needs: ['continuation', 'steps'],
    async check(trial) {
      const { run } = await trial.runner(Array.from({ length: 12 }, (_, at) => ({ says: `n${at}` })))
      const { onStop, heard } = goingOn('Go on.', Infinity)
      const { text } = await run(new Watched().request({ maxSteps: 3, onStop }))
      trial.expectSame('the last answer with maxSteps: 3', text, 'n2')
      trial.expectSame(asked, heard, ['n0', 'n1'])
    },
  },
  {
    name: 'abort-stop',
    rule: 'a run that is aborted while it is asked whether its sub-agent may stop rejects with an AbortError, and nothing goes on',
    needs: ['continuation'],
    async check(trial) {
      const started = await trial.runner([{ says: 'First.' }, { says: 'Second.' }])
      const controller = new AbortController()
      const heard: string[] = []
      const onStop: OnStop = async text => {
        heard.push(text)
        controller.abort()
        return [{ type: 'text', text: 'Go on.' }]
      }
      trial.expectAborted(
        await trial.ended('run() that was aborted', async () =>
          started.runner.run(new Watched().request({ onStop }), controller),
        ),
        'run() that was aborted meanwhile',
      )
      await trial.expectQuiet(started, 'after that')
      if (heard.length > 1) trial.broken('the sub-agent went on all the same.')
    },
  },
]
