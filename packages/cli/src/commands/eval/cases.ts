import { catalogCases, type EvalCases } from '@skills/evals/internal'
import { findingLines } from '../../output/findings.js'
import { styleOf } from '../../output/style.js'
import type { Skills } from '@skills/core'
import type { Io } from '../../io.js'

/** Returns the eval cases by skill. If some are invalid, prints why and returns undefined. */
export async function casesOf(
  skills: Skills,
  only: readonly string[] | undefined,
  io: Io,
): Promise<ReadonlyMap<string, EvalCases> | undefined> {
  const { cases, errors } = await catalogCases(skills, only, io.signal)
  for (const line of errors.flatMap(one => findingLines(one, io.cwd, styleOf(io.stderr, io.env, false))))
    io.stderr.write(`skills: ${line}\n`)
  return errors.length === 0 ? cases : undefined
}
