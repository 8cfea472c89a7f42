import * as s from '@skills/core/schema'
import type { Skills } from '@skills/core'
import { Spending, trialsOptions, type Spent } from './spending.js'
import { proportion, sumOf, trialsToDecide, type Count, type Proportion } from './statistics.js'
import { runTrial, targetOf, type Target, type TrialEnd, type TrialSetup } from './trial.js'
import type { EvalQuery } from './cases/eval-cases.js'
import type { SessionDistribution } from '@skills/host/internal'

export const triggersOptions = s.options('triggers()', {
  ...trialsOptions.shape,
  /** Engine over the real catalog, made without commands, hooks and forks, so that nothing of a skill is executed. */
  skills: s.typed<Skills>('an engine').required(),
  /** Distribution from which the engine was made. */
  distribution: s.typed<SessionDistribution>('a distribution'),
  /** Number of the first trial, from 0. Not 0 if others were made before. */
  firstTrial: s.number().default(0),
  maxSteps: s.count().default(12),
  timeoutMs: s.count().default(300_000),
  /** Rate of triggered trials from which a query counts as triggering. */
  threshold: s.number().default(0.5),
})

export interface TriggersOptions extends s.OptionsOf<typeof triggersOptions> {}

export interface QueryTriggers {
  readonly id: string
  readonly query: string
  readonly shouldTrigger: boolean
  /** Trials in which the skill was invoked, of those that count. */
  readonly triggered: Proportion
  readonly passed: boolean
  /** Number of further trials that would decide. Undefined if no reasonable number does. */
  readonly moreTrials: number | undefined
  /** Number of trials in which each skill was invoked; `''` for none. A row of the confusion matrix. */
  readonly invoked: Readonly<Record<string, number>>
  readonly trials: readonly TrialEnd[]
}

export interface SkillTriggers {
  readonly name: string
  readonly path: string
  /** Trials in which it should be invoked, of those in which it was. */
  readonly precision: Proportion
  /** Trials in which it was invoked, of those in which it should be. */
  readonly recall: Proportion
  /** Trials with the right result. */
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
 * Measures whether a model picks each skill for the queries that should trigger it, and not for other queries. Each
 * trial has its own session and workspace. See docs/reference/evals.md, "Triggers".
 * @throws SkillsError `E_UNKNOWN_NAME` if a skill does not exist, `E_INVALID_OPTION`; AbortError
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

/** True if a trial says something about the skill. A trial that failed or timed out does not. */
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
    // The skill itself is matched by its file, so that another of the same name does not count.
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
