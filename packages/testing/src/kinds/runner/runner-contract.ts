import { checkOptions } from '@skills/core'
import { answerRules } from './answer-rules.js'
import { casesOf, type Without } from '../../contract/contract-rule.js'
import { continuationRules } from './continuation-rules.js'
import { endingRules } from './ending-rules.js'
import { RunnerTrial, Watched, type RunnerRule } from './runner-trial.js'
import { toolRules } from './tool-rules.js'
import type { ContractCase } from '../../contract/contract-case.js'
import type { KindContractOptions } from '../kind-fixture.js'
import type { MakeRunner, RunnerLack } from './runner-fixture.js'

const rules: readonly RunnerRule[] = [...answerRules, ...toolRules, ...continuationRules, ...endingRules]

/**
 * The rules that every runner keeps, as cases for any test runner. See docs/reference.md, "The contracts of other kinds".
 * @param make gives a runner whose model does what a script says; called anew for every case
 */
export function runnerContract(make: MakeRunner, options: KindContractOptions<RunnerLack> = {}): readonly ContractCase[] {
  checkOptions<KindContractOptions<RunnerLack>>('runnerContract()', options, { without: 1, patienceMs: 1 })
  const { without = {}, patienceMs = 20_000 } = options
  return casesOf([...rules, waivers(without)], without, rule => new RunnerTrial(rule, make, patienceMs))
}

/** Something that can be checked after all must not stay unchecked. */
function waivers({ tools, progress, continuation }: Without<RunnerLack>): RunnerRule {
  return {
    name: 'without',
    rule: 'what the runner is said to do without is not there',
    async check(trial) {
      const { runner } = await trial.runner([{ says: 'I shall look.', notes: ['one'] }, { says: 'Done.' }])
      const watched = new Watched()
      const stops: string[] = []
      // Whether a sub-agent without tools ends well when it is told to call one does not matter.
      await trial.ended('run()', async () => runner.run(watched.request({ onStop: async text => void stops.push(text) }), new AbortController()))
      if (tools !== undefined && watched.asked.length > 0) trial.broken(`it asked for permission, although the contract is told to do without tools ("${tools}"). Take it out of "without".`)
      if (progress !== undefined && watched.progress.length > 0) trial.broken(`it told of its progress, although the contract is told to do without progress ("${progress}"). Take it out of "without".`)
      if (continuation !== undefined && stops.length > 0) trial.broken(`it asked whether its sub-agent may stop, although the contract is told to do without continuation ("${continuation}"). Take it out of "without".`)
    },
  }
}
