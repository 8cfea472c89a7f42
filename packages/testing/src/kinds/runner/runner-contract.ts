import { answerRules } from './answer-rules.js'
import { kindContract } from '../kind-contract.js'
import { continuationRules } from './continuation-rules.js'
import { endingRules } from './ending-rules.js'
import { RunnerTrial, Watched } from './runner-trial.js'
import { toolRules } from './tool-rules.js'
import type { MakeRunner, RunnerLack } from './runner-fixture.js'

/**
 * The rules that every runner keeps, as cases for any test runner. See
 * docs/reference/kinds.md, "The contracts of other kinds".
 * @param make gives a runner whose model does what a script says; called anew for every case
 */
export const runnerContract = /* @__PURE__ */ kindContract<MakeRunner, RunnerLack, RunnerTrial>({
  kind: 'runner',
  trial: RunnerTrial,
  rules: [...answerRules, ...toolRules, ...continuationRules, ...endingRules],
  async waived(trial, { tools, progress, continuation }) {
    const { runner } = await trial.runner([{ says: 'I shall look.', notes: ['one'] }, { says: 'Done.' }])
    const watched = new Watched()
    const stops: string[] = []
    // Whether a sub-agent without tools ends well when it is told to call one does not matter.
    await trial.ended('run()', async () =>
      runner.run(watched.request({ onStop: async text => void stops.push(text) }), new AbortController()),
    )
    if (tools !== undefined && watched.asked.length > 0)
      trial.broken(
        `it asked for permission, although the contract is told to do without tools ("${tools}"). Take it out of "without".`,
      )
    if (progress !== undefined && watched.progress.length > 0)
      trial.broken(
        `it told of its progress, although the contract is told to do without progress ("${progress}"). Take it out of "without".`,
      )
    if (continuation !== undefined && stops.length > 0)
      trial.broken(
        `it asked whether its sub-agent may stop, although the contract is told to do without continuation ("${continuation}"). Take it out of "without".`,
      )
  },
})
