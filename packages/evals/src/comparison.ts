import { isJsonObject } from '@skills/files/internal'
import { objectIn } from './recordings.js'
import { newcombe, type Count } from './statistics.js'
import type { Baseline, Change, Comparison, Level } from './compared.js'
import type { EvalReport } from './eval-report.js'

/** Returns the part of a report with which a later one is compared. */
export function baselineOf({ model, triggers, outcomes }: EvalReport): Baseline {
  // A null prototype: a skill may have any name.
  const skills: Record<string, Partial<Record<Level, Count>>> = Object.create(null) as typeof skills
  const keep = (level: Level, name: string, { successes, trials }: Count): void =>
    void (skills[name] = { ...skills[name], ...(trials > 0 && { [level]: { successes, trials } }) })
  for (const { name, right } of triggers?.skills ?? []) keep('trigger', name, right)
  for (const one of outcomes?.skills ?? []) keep('outcome', one.name, one.with)
  return {
    version: 1,
    model,
    skills: Object.fromEntries(Object.entries(skills).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** Reads a baseline from its text. Returns undefined if the text is not a baseline. */
export function readBaseline(text: string): Baseline | undefined {
  const { version, model, skills } = objectIn(text) ?? {}
  if (version !== 1) return undefined
  const isCount = (one: unknown): boolean =>
    isJsonObject(one) &&
    [one['successes'], one['trials']].every(count => Number.isSafeInteger(count)) &&
    Number(one['successes']) >= 0 &&
    Number(one['successes']) <= Number(one['trials'])
  const isSound = (levels: unknown): boolean =>
    isJsonObject(levels) &&
    Object.entries(levels).every(([level, count]) => ['trigger', 'outcome'].includes(level) && isCount(count))
  if (typeof model !== 'string' || !isJsonObject(skills) || !Object.values(skills).every(isSound)) return undefined
  return { version: 1, model, skills: skills as Baseline['skills'] }
}

/**
 * Compares a report with a baseline, level by level.
 * @param threshold rate below which a skill fails; undefined for no threshold
 */
export function compare(report: EvalReport, before: Baseline | undefined, threshold: number | undefined): Comparison {
  const now = baselineOf(report).skills
  const changes = Object.entries(now).flatMap(([skill, levels]) =>
    (['trigger', 'outcome'] as const).flatMap((level): readonly Change[] => {
      const [count, old] = [
        levels[level],
        before !== undefined && Object.hasOwn(before.skills, skill) ? before.skills[skill]?.[level] : undefined,
      ]
      if (count === undefined) return []
      const isBelow = threshold !== undefined && count.successes / count.trials < threshold
      if (old === undefined) return [{ skill, level, now: count, verdict: 'new', isBelow }]
      const difference = newcombe(count, old)
      const verdict = difference.high < 0 ? 'worse' : difference.low > 0 ? 'better' : 'same'
      return [{ skill, level, now: count, before: old, difference, verdict, isBelow }]
    }),
  )
  return {
    changes,
    missing: Object.keys(before?.skills ?? {}).filter(skill => !Object.hasOwn(now, skill)),
    failed: changes.some(({ verdict, isBelow }) => verdict === 'worse' || isBelow),
  }
}
