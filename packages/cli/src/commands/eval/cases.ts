import { readEvalCases } from '@skills/evals/cases'
import type { EvalCases } from '@skills/evals/internal'
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
  const catalog = await skills.catalog({ signal: io.signal })
  const found = new Map<string, EvalCases>()
  let isSound = true
  for (const { name, command } of catalog.entries) {
    if (command.type !== 'prompt' || command.filePath === undefined || only?.includes(name) === false) continue
    const { cases, diagnostics } = await readEvalCases(command.filePath, name, io.signal)
    if (cases !== undefined) found.set(name, cases)
    for (const one of diagnostics.filter(({ severity }) => severity === 'error')) {
      isSound = false
      for (const line of findingLines(one, io.cwd, styleOf(io.stderr, io.env, false)))
        io.stderr.write(`skills: ${line}\n`)
    }
  }
  return isSound ? found : undefined
}
