import * as s from '@skills/core/schema'
import type { Skills } from '@skills/core'
import { Spending, trialsOptions, type Spent } from './spending.js'
import { proportion, sumOf, trialsToDecide, type Count, type Proportion } from './statistics.js'
import { runTrial, targetOf, type Target, type TrialEnd, type TrialSetup } from './trial.js'
import type { EvalQuery } from './cases/eval-cases.js'
import type { SessionDistribution } from '@skills/host/internal'

export const triggersOptions = s.options('triggers()', {
  ...trialsOptions.shape,
  /** The engine over the real catalog, made without commands, hooks and forks: nothing of a skill is to run. */
  skills: s.typed<Skills>('an engine').required(),
  /** The distribution that it is made of. */
  distribution: s.typed<SessionDistribution>('a distribution'),
  /** The number of the first of them, from 0, where others were made before. */
  firstTrial: s.number().default(0),
  maxSteps: s.count().default(12),
  timeoutMs: s.count().default(300_000),
  /** Share of trials from which on a query counts as triggering. */
  threshold: s.number().default(0.5),
})

export interface TriggersOptions extends s.OptionsOf<typeof triggersOptions> {}

export interface QueryTriggers {
  readonly id: string
  readonly query: string
  readonly shouldTrigger: boolean
  /** In how many of the trials that count the skill was invoked. */
  readonly triggered: Proportion
  readonly passed: boolean
  /** How many more trials would decide; undefined where no sensible number does. */
  readonly moreTrials: number | undefined
  /** A row of the confusion matrix: in how many trials each skill was invoked; `''` for none. */
  readonly invoked: Readonly<Record<string, number>>
  readonly trials: readonly TrialEnd[]
}

export interface SkillTriggers {
  readonly name: string
  readonly path: string
  /** Of the trials in which it was invoked, those in which it should be. */
  readonly precision: Proportion
  /** Of the trials in which it should be invoked, those in which it was. */
  readonly recall: Proportion
  /** Trials that did as they should. */
  readonly right: Proportion
  readonly queries: readonly QueryTriggers[]
}

export interface Triggers extends Spent {
  readonly skills: readonly SkillTriggers[]
  /** Milliseconds of all trials together. */
  readonly ms: number
}

interface Job {
  readonly target: Target
  readonly query: EvalQuery
  readonly trial: number
}

/**
 * Whether a model picks the skills for the queries that should trigger them, and for no others: each trial in a session
 * and a workspace of its own. See docs/reference/evals.md, "Triggers".
 * @throws SkillsError `E_UNKNOWN_NAME` for a skill that there is not, `E_INVALID_OPTION`; AbortError
 */
export async function triggers(given: TriggersOptions): Promise<Triggers> {
  const options = triggersOptions.read(given)
  const { skills, distribution, cases, trials, firstTrial, maxSteps } = options
  const { timeoutMs, contextWindow, threshold } = options
  const signal = options.signal ?? new AbortController().signal
  const spending = new Spending(options)
  const catalog = await skills.catalog({ signal })
  const targets = [...cases].map(([name, { queries }]) => ({ target: targetOf(catalog, name), queries }))
  const jobs = targets.flatMap(({ target, queries }) =>
    queries.flatMap(query =>
      Array.from({ length: trials }, (_, at): Job => ({ target, query, trial: firstTrial + at })),
    ),
  )
  const setup: TrialSetup = { skills, distribution, ask: spending.ask, contextWindow, maxSteps, timeoutMs, signal }
  const ends = await spending.workOn(jobs, ({ query, target, trial }) => runTrial(query, target, trial, setup))
  return {
    skills: targets.map(({ target, queries }) =>
      skillOf(
        target,
        queries.map(query =>
          queryOf(
            query,
            ends.filter((end, at) => end !== undefined && jobs[at]?.query === query) as TrialEnd[],
            target.name,
            threshold,
          ),
        ),
      ),
    ),
    ...spending.of(ends),
    ms: ends.reduce((sum, end) => sum + (end?.ms ?? 0), 0),
  }
}

/** Whether a trial says something of the skill: what broke or took too long does not. */
export function counts({ end }: TrialEnd): boolean {
  return end !== 'timeout' && end !== 'failed'
}

function queryOf(
  { id, prompt, shouldTrigger }: EvalQuery,
  trials: readonly TrialEnd[],
  name: string,
  threshold: number,
): QueryTriggers {
  const counted = trials.filter(counts)
  const successes = counted.filter(({ triggeredAt }) => triggeredAt !== undefined).length
  const triggered = proportion({ successes, trials: counted.length })
  const invoked: Record<string, number> = {}
  for (const one of counted)
    // The skill itself by what it is, and no twin that has its name.
    for (const other of one.invoked.length === 0 ? [''] : new Set(one.invoked))
      if (other !== name || one.triggeredAt !== undefined) invoked[other] = (invoked[other] ?? 0) + 1
  return {
    id,
    query: prompt,
    shouldTrigger,
    triggered,
    passed: counted.length > 0 && triggered.rate >= threshold === shouldTrigger,
    moreTrials: trialsToDecide(triggered, threshold),
    invoked,
    trials,
  }
}

function skillOf({ name, realPath }: Target, queries: readonly QueryTriggers[]): SkillTriggers {
  const sum = (isWanted: boolean): Count =>
    sumOf(queries.filter(({ shouldTrigger }) => shouldTrigger === isWanted).map(({ triggered }) => triggered))
  const [wanted, unwanted] = [sum(true), sum(false)]
  return {
    name,
    path: realPath,
    precision: proportion({ successes: wanted.successes, trials: wanted.successes + unwanted.successes }),
    recall: proportion(wanted),
    right: proportion({
      successes: wanted.successes + unwanted.trials - unwanted.successes,
      trials: wanted.trials + unwanted.trials,
    }),
    queries,
  }
}
