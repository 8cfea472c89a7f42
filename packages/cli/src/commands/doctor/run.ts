import { exitCodes, type Io } from '../../io.js'
import { asAgentsHave, withEngine } from '../../engine/engine.js'
import { findingsHere } from './diagnosis.js'
import { mend, type Mended } from '@skills/inspect/internal'
import { doctorJson, printDoctor } from './text.js'
import { UsageError } from '../../arguments/usage-error.js'
import { writeJson } from '../../output/write-json.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** `skills doctor`. See docs/commands/doctor.md. */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  const [isFixing, withUser] = [invocation.has('--fix'), invocation.has('--user')]
  if (withUser && !isFixing) throw new UsageError('--user says what --fix may mend: add --fix, or leave it out.')
  let mended: readonly Mended[] = []
  if (isFixing)
    await withEngine(
      invocation,
      io,
      async engine => {
        mended = await mend(await findingsHere(engine, invocation, io), engine.skills, {
          withUser,
          outside: path => (withUser ? `${path} lies elsewhere.` : `${path} is not in the project: add --user.`),
          signal: io.signal,
        })
        return exitCodes.ok
      },
      asAgentsHave,
    )
  // What was mended is loaded anew, so that the findings are those of now.
  return withEngine(
    invocation,
    io,
    async engine => {
      const findings = await findingsHere(engine, invocation, io)
      if (invocation.json) writeJson(doctorJson(findings, mended), io.stdout)
      else printDoctor(findings, mended, invocation, io)
      return findings.some(({ diagnostic }) => diagnostic.severity !== 'info') ? exitCodes.failed : exitCodes.ok
    },
    asAgentsHave,
  )
}
