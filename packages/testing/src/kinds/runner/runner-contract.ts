import { answerRules } from './answer-rules.js'
import { contractOf } from '../../contract/contract-rule.js'
import { continuationRules } from './continuation-rules.js'
import { endingRules } from './ending-rules.js'
import { RunnerTrial, Watched, type MakeRunner, type RunnerLack } from './runner-trial.js'
import { toolRules } from './tool-rules.js'

/**
 * Returns the rules that every runner keeps, as cases for any test runner. See docs/reference/kinds.md, "The contracts
 * of other kinds".
 * @param make makes a runner whose model follows a script; called once a case
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
    // A sub-agent without tools may fail when it is told to call one.
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
