import { setImmediate } from 'node:timers/promises'
import { deepFrozen } from '../freeze.js'
import { Watched, type RunnerRule } from './runner-trial.js'
import type { RunResult } from '@skills/invocation'

/** Text with special characters that has to arrive unchanged. */
export const hostileText = 'Say $& and ${HOME} and `id`;\n"quoted" \'too\' \\ é 😀 </system-reminder>'

/** Rules for the input and the result of a sub-agent. */
export const answerRules: readonly RunnerRule[] = [
  {
    name: 'result',
    rule: 'what comes of a run is what the sub-agent said, byte for byte',
    async check(trial) {
      for (const says of ['Done.', hostileText]) {
        const { run } = await trial.runner([{ says }])
        const { text } = await run(new Watched().request())
        trial.expectSame('what a sub-agent gave', text, says)
      }
    },
  },
  {
    name: 'last',
    rule: 'of several messages of the sub-agent the last one is the result',
    needs: ['tools'],
    async check(trial) {
      const { run } = await trial.runner([{ says: 'I shall look.', notes: ['one'] }, { says: 'All is well.' }])
      const { text } = await run(new Watched().request())
      trial.expectSame('the result', text, 'All is well.')
    },
  },
  {
    name: 'empty',
    rule: 'a sub-agent that says nothing gives an empty text',
    async check(trial) {
      const { run } = await trial.runner([{ says: '' }])
      const answer: Partial<RunResult> | undefined = await run(new Watched().request())
      if (answer?.text !== '')
        trial.broken(`the result is ${JSON.stringify(answer)} instead of a text without a character.`)
    },
  },
  {
    name: 'reads',
    rule: 'a sub-agent is given the system prompt and each message as it is, in their order, and nothing of another one',
    async check(trial) {
      const { run, fixture } = await trial.runner([{ says: 'Done.' }])
      const parts = ['You are careful.', 'Read this first.', hostileText, 'Then do it.']
      const [system, ...texts] = parts
      await run(new Watched().request({ system, messages: texts.map(text => [{ type: 'text', text }]) }))
      await run(new Watched().request({ messages: [[{ type: 'text', text: 'Only this.' }]] }))
      const [first = '', second = ''] = await fixture.read()
      let at = 0
      for (const part of parts) {
        const found = first.indexOf(part, at)
        if (found < 0)
          trial.broken(
            `the sub-agent read ${JSON.stringify(first)}, where ${JSON.stringify(part)} does not follow what comes before it.`,
          )
        at = found + part.length
      }
      if (!second.includes('Only this.') || second.includes('Then do it.'))
        trial.broken(`the second sub-agent read ${JSON.stringify(second)}.`)
    },
  },
  {
    name: 'usage',
    rule: 'what a run took is told in numbers that can be added, or not at all',
    async check(trial) {
      const { run } = await trial.runner([{ says: 'Done.' }])
      const { usage = {} } = await run(new Watched().request())
      for (const [name, value] of Object.entries(usage)) {
        if (value !== undefined && !(typeof value === 'number' && Number.isFinite(value) && value >= 0))
          trial.broken(`usage.${name} is ${String(value)}.`)
      }
    },
  },
  {
    name: 'progress',
    rule: 'what the sub-agent says and how far it is are told while it runs, and nothing after its end',
    needs: ['progress'],
    async check(trial) {
      const started = await trial.runner([{ says: 'Done.' }])
      const watched = new Watched()
      await started.run(watched.request())
      const count = watched.progress.length
      const odd = watched.progress.find(event => !['text', 'tool', 'step'].includes(event.type))
      if (odd !== undefined) trial.broken(`it told of ${JSON.stringify(odd)}.`)
      const texts = watched.progress.flatMap(event => (event.type === 'text' ? [event.text] : [])).join('')
      if (!texts.includes('Done.'))
        trial.broken(`of a sub-agent that said "Done." it told ${JSON.stringify(watched.progress)}.`)
      await setImmediate()
      if (watched.progress.length > count) trial.broken('it told of something after the end.')
    },
  },
  {
    name: 'pure',
    rule: 'to run changes nothing of what is asked for',
    async check(trial) {
      const { run } = await trial.runner([{ says: 'Done.' }])
      await run(
        deepFrozen(
          new Watched().request({
            system: 'You are careful.',
            tools: { only: ['Note'], without: ['Skill'] },
            model: 'large',
            effort: 'high',
          }),
        ),
      )
    },
  },
]
