import * as s from '@skills/core/schema'
import { against } from './against.js'
import { readEvalCases } from './cases/read-eval-cases.js'
import { neededBy } from './commands.js'
import { compare } from './comparison.js'
import { outcomes, type EvalDistribution } from './outcomes.js'
import { trialsOptions } from './spending.js'
import { triggers } from './triggers.js'
import type { Diagnostic, Skills } from '@skills/core'
import type { Baseline } from './compared.js'
import type { EvalCases } from './cases/eval-cases.js'
import type { EvalReport } from './eval-report.js'
import type { Recordings } from './recordings.js'

type Cases = ReadonlyMap<string, EvalCases>

const evaluateOptions = s.options('evaluate()', {
  ...trialsOptions.shape,
  /** Distribution of the engine. The engine without a skill is made of it, too. */
  distribution: s.typed<EvalDistribution>('an eval distribution').required(),
  /** Default: as each level has it. */
  trials: s.count(),
  /** Rules and commands that a person has allowed, out of those of `notAllowedIn()`. */
  allow: s.list(s.text()).default([]),
  /** Engine made with `trialOptions`. */
  skills: s.typed<Skills>('an engine').required(),
  recordings: s.typed<Recordings>('recordings').required(),
  /** Name of the model, for the report. */
  model: s.text().required(),
  /** Only this level. Default: both, where there are cases. */
  level: s.oneOf('trigger', 'outcome'),
  /** Description to compare with that of the one skill that has cases, instead of measuring a level. */
  against: s.object({ name: s.text().required(), description: s.text().required() }),
  /** Results to compare with. */
  baseline: s.typed<Baseline>('a baseline'),
  /** Rate of right answers below which a skill fails. */
  minimum: s.number(),
})

export interface EvaluateOptions extends s.OptionsOf<typeof evaluateOptions> {}

/** Reads the cases of an engine's skills. Returns them by skill, with the errors of invalid cases. */
export async function catalogCases(
  skills: Skills,
  only: readonly string[] | undefined,
  signal?: AbortSignal,
): Promise<{ readonly cases: Cases; readonly errors: readonly Diagnostic[] }> {
  const catalog = await skills.catalog({ signal })
  const cases = new Map<string, EvalCases>()
  const errors: Diagnostic[] = []
  for (const { name, command } of catalog.entries) {
    if (command.type !== 'prompt' || command.filePath === undefined || only?.includes(name) === false) continue
    const read = await readEvalCases(command.filePath, name, signal)
    if (read.cases !== undefined) cases.set(name, read.cases)
    errors.push(...read.diagnostics.filter(({ severity }) => severity === 'error'))
  }
  return { cases, errors }
}

/** Returns the permissions that the tasks need and that no rule in `allowed` gives, each once. */
export function notAllowedIn(cases: Cases, allowed: readonly string[]): readonly string[] {
  const needed = [...cases.values()].flatMap(({ tasks }) => tasks.flatMap(neededBy))
  return [...new Set(needed)].filter(rule => !allowed.includes(rule))
}

/**
 * Evaluates skills with a model, at each level that has cases. `maxCost` holds for all levels together. Throws as
 * {@link triggers}, {@link outcomes} and {@link against} do.
 */
export async function evaluate(given: EvaluateOptions): Promise<EvalReport> {
  const {
    skills,
    recordings,
    model,
    level: only,
    against: other,
    baseline,
    minimum,
    cases,
    allow,
    maxCost,
    ...options
  } = evaluateOptions.read(given)
  const shared = { ...options, ask: recordings.over(options.ask) }
  const left = (spent = 0): { readonly maxCost?: number } =>
    maxCost === undefined ? {} : { maxCost: Math.max(0, maxCost - spent) }
  if (other !== undefined) {
    const found = await against({ ...shared, ...left(), cases, ...other })
    return { version: 1, model, against: found, stale: recordings.stale, cost: found.cost }
  }
  const having = (level: 'trigger' | 'outcome', has: (one: EvalCases) => boolean): Cases | undefined => {
    const some = (only ?? level) === level ? [...cases].filter(([, one]) => has(one)) : []
    return some.length === 0 ? undefined : new Map(some)
  }
  const queried = having('trigger', ({ queries }) => queries.length > 0)
  const picked = queried && (await triggers({ ...shared, ...left(), skills, cases: queried }))
  const tasked = having('outcome', ({ tasks }) => tasks.some(({ assertions }) => assertions.length > 0))
  const helped = tasked && (await outcomes({ ...shared, ...left(picked?.cost), cases: tasked, allow }))
  const cost = options.price && (picked?.cost ?? 0) + (helped?.cost ?? 0)
  const report = { version: 1, model, triggers: picked, outcomes: helped, cost, stale: recordings.stale } as const
  return baseline === undefined && minimum === undefined
    ? report
    : { ...report, comparison: compare(report, baseline, minimum) }
}

/**
 * Returns true if an evaluation failed: a skill is worse than it should be, a recording is missing, `maxCost` was too
 * low for some trials, or no trial gave a result, because each one failed or timed out.
 */
export function hasFailed({
  triggers: picked,
  outcomes: helped,
  against: compared,
  comparison,
  stale,
}: EvalReport): boolean {
  const counted = [
    ...(picked?.skills ?? []).map(({ right }) => right.trials),
    ...(helped?.skills ?? []).map(one => one.with.trials + one.without.trials),
    ...(compared === undefined ? [] : [compared.own.trials]),
  ]
  return (
    comparison?.failed === true ||
    stale.length > 0 ||
    counted.every(trials => trials === 0) ||
    [picked, helped, compared].some(one => (one?.left ?? 0) > 0)
  )
}
