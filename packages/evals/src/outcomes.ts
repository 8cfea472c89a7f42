import * as s from '@skills/core/schema'
import { createSkills, type Skills } from '@skills/core'
import { assertionText, checkAssertions, judgeTask, type AssertionResult } from './assertions.js'
import { Commands, neededBy } from './commands.js'
import { Spending, trialsOptions, type Spent } from './spending.js'
import { newcombe, proportion, sumOf, type Difference, type Proportion } from './statistics.js'
import { runTrial, targetOf, type Target, type TrialEnd, type TrialSetup } from './trial.js'
import { counts } from './triggers.js'
import type { SessionDistribution } from '@skills/host/internal'
import type { EvalTask } from './cases/eval-cases.js'

/** Distribution for an engine, with its options for invocation and listing. */
export type EvalDistribution = Parameters<typeof createSkills>[0] & SessionDistribution

const outcomesOptions = s.options('outcomes()', {
  ...trialsOptions.shape,
  /**
   * Distribution of the engine with the skills, made with `trialOptions`. The engine without a skill is made of it,
   * too.
   */
  distribution: s.typed<EvalDistribution>('an eval distribution').required(),
  /**
   * Rules and commands that a person has allowed, out of those of `neededBy(task)`. A task that needs another one gets
   * no trials.
   */
  allow: s.list(s.text()).default([]),
  maxSteps: s.count().default(40),
  timeoutMs: s.count().default(600_000),
})

export interface OutcomesOptions extends s.OptionsOf<typeof outcomesOptions> {}

/** Result of one assertion in the trials with and without the skill. */
export interface AssertionOutcome {
  readonly what: string
  readonly with: Proportion
  readonly without: Proportion
}

export interface TaskOutcomeTrial extends TrialEnd {
  readonly isWith: boolean
  /** Results in the order of the assertions. Empty if the trial does not count. */
  readonly results: readonly AssertionResult[]
}

export interface TaskOutcome {
  readonly id: string
  readonly prompt: string
  readonly assertions: readonly AssertionOutcome[]
  /** Permissions that the task needs and that were not given. If there are any, it has no trials. */
  readonly notAllowed: readonly string[]
  readonly trials: readonly TaskOutcomeTrial[]
}

export interface SkillOutcome {
  readonly name: string
  readonly path: string
  /** Assertions that held, of all in all trials. */
  readonly with: Proportion
  readonly without: Proportion
  /** Rate with the skill minus rate without it. */
  readonly difference: Difference
  /** Trials with the skill that invoked it. */
  readonly invoked: Proportion
  readonly tasks: readonly TaskOutcome[]
}

export interface Outcomes extends Spent {
  readonly skills: readonly SkillOutcome[]
}

interface Job {
  readonly target: Target
  readonly task: EvalTask
  readonly isWith: boolean
  readonly trial: number
}

/**
 * Measures whether the skills help: runs each task with and without the skill, and counts the assertions that hold. See
 * docs/reference/evals.md, "Outcomes".
 * @throws SkillsError `E_UNKNOWN_NAME` if a skill does not exist, `E_INVALID_OPTION`; AbortError
 */
export async function outcomes(given: OutcomesOptions): Promise<Outcomes> {
  const options = outcomesOptions.read(given)
  const { distribution, cases, allow, trials, maxSteps, timeoutMs } = options
  const signal = options.signal ?? new AbortController().signal
  const spending = new Spending(options)
  const engines = new Map<string, Skills>()
  try {
    const catalog = await engineWithout('').catalog({ signal })
    const targets = [...cases].map(([name, { tasks }]) => ({ target: targetOf(catalog, name), tasks }))
    const jobs = targets.flatMap(({ target, tasks }) =>
      tasks
        .filter(task => missing(task).length === 0)
        .flatMap(task =>
          [true, false].flatMap(isWith =>
            Array.from({ length: trials }, (_, trial): Job => ({ target, task, isWith, trial })),
          ),
        ),
    )
    const ends = await spending.workOn(jobs, trialOf)
    const trialsOf = (task: EvalTask): readonly TaskOutcomeTrial[] =>
      ends.filter((end, at) => end !== undefined && jobs[at]?.task === task) as TaskOutcomeTrial[]
    return {
      skills: targets.map(({ target, tasks }) =>
        skillOutcome(
          target,
          tasks.map(task => taskOutcome(task, missing(task), trialsOf(task))),
        ),
      ),
      ...spending.of(ends),
    }
  } finally {
    for (const engine of engines.values()) await engine.close()
  }

  function missing(task: EvalTask): readonly string[] {
    return neededBy(task).filter(rule => !allow.includes(rule))
  }

  /** @param name name of the skill to switch off, or '' for none */
  function engineWithout(name: string): Skills {
    const known = engines.get(name)
    if (known !== undefined) return known
    const engine = createSkills(
      name === '' ? distribution : { ...distribution, overrides: { ...distribution.overrides, [name]: 'off' } },
    )
    engines.set(name, engine)
    return engine
  }

  async function trialOf({ target, task, isWith, trial }: Job): Promise<TaskOutcomeTrial> {
    const skills = engineWithout(isWith ? '' : target.name)
    const { contextWindow } = options
    const setup: TrialSetup = { skills, distribution, ask: spending.ask, contextWindow, maxSteps, timeoutMs, signal }
    const commands = new Commands(task.allow, skills.host)
    const id = `${task.id}, ${isWith ? 'with' : 'without'}`
    let results: readonly AssertionResult[] = []
    const end = await runTrial(task, target, trial, setup, {
      id,
      tools: commands.tools,
      answer: (...call) => commands.answer(...call),
      async atEnd(workspace, said, stop) {
        const judge = (question: string, step: number) =>
          spending.ask(
            {
              skill: target.name,
              id: `${id}, judged`,
              trial,
              step,
              call: {
                prompt: [
                  { role: 'system', content: judgeTask },
                  { role: 'user', content: [{ type: 'text', text: question }] },
                ],
              },
            },
            stop,
          )
        results = await checkAssertions(task, { workspace, said, commands, judge, signal: stop })
      },
    })
    return { ...end, isWith, results }
  }
}

function taskOutcome(task: EvalTask, notAllowed: readonly string[], trials: readonly TaskOutcomeTrial[]): TaskOutcome {
  const share = (isWith: boolean, at: number): Proportion => {
    const counted = trials.filter(one => one.isWith === isWith && counts(one) && one.results.length > 0)
    return proportion({ successes: counted.filter(one => one.results[at]?.held).length, trials: counted.length })
  }
  return {
    id: task.id,
    prompt: task.prompt,
    assertions: task.assertions.map((one, at) => ({
      what: assertionText(one),
      with: share(true, at),
      without: share(false, at),
    })),
    notAllowed,
    trials,
  }
}

function skillOutcome({ name, realPath }: Target, tasks: readonly TaskOutcome[]): SkillOutcome {
  const assertions = tasks.flatMap(task => task.assertions)
  const used = proportion(sumOf(assertions.map(one => one.with)))
  const unused = proportion(sumOf(assertions.map(one => one.without)))
  const own = tasks.flatMap(({ trials }) => trials.filter(one => one.isWith && counts(one)))
  return {
    name,
    path: realPath,
    with: used,
    without: unused,
    difference: newcombe(used, unused),
    invoked: proportion({
      successes: own.filter(({ triggeredAt }) => triggeredAt !== undefined).length,
      trials: own.length,
    }),
    tasks,
  }
}
