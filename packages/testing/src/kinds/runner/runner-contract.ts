import { answerRules } from './answer-rules.js'
import { contractOf } from '../../contract/contract-rule.js'
import { continuationRules } from './continuation-rules.js'
import { endingRules } from './ending-rules.js'
import { RunnerTrial, Watched, type MakeRunner, type RunnerLack } from './runner-trial.js'
import { toolRules } from './tool-rules.js'

/**
 * The rules that every runner keeps, as cases for any test runner. See
 * docs/reference/kinds.md, "The contracts of other kinds".
 * @param make gives a runner whose model does what a script says; called anew for every case
 */
export const runnerContract = /* @__PURE__ */ contractOf<MakeRunner, RunnerLack, RunnerTrial>({
  name: 'runnerContract',
  owner: 'runner',
  trial: RunnerTrial,
  rules: () => [...answerRules, ...toolRules, ...continuationRules, ...endingRules],
  async waived(trial, lack) {
    const { runner } = await trial.runner([{ says: 'I shall look.', notes: ['one'] }, { says: 'Done.' }])
    const watched = new Watched()
    const stops: string[] = []
    // Whether a sub-agent without tools ends well when it is told to call one does not matter.
    await trial.ended('run()', async () =>
      runner.run(watched.request({ onStop: async text => void stops.push(text) }), new AbortController()),
    )
    const found = {
      tools: watched.asked.length > 0 && 'it asked for permission',
      progress: watched.progress.length > 0 && 'it told of its progress',
      continuation: stops.length > 0 && 'it asked whether its sub-agent may stop',
      steps: false,
    } as const
    return found[lack]
  },
})
