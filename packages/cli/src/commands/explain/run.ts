import { explanationJson } from '@skills/ui/internal'
import { explainedUnder } from '@skills/host/internal'
import { exitCodes, type Io } from '../../io.js'
import { fileToExplain, nameOfFile, whyNotLoaded } from './file-to-explain.js'
import { invokedName } from '../../arguments/invoked-name.js'
import { printExplanation } from './text.js'
import { asAgentsHave, withEngine } from '../../engine/engine.js'
import { engineFor } from '../../engine/engine-for.js'
import { shownAnswers, typingNotes } from './typing-notes.js'
import { writeJson } from '../../output/write-json.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** `skills explain NAME`. See docs/reference/output.md, "Explain output". */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  const file = fileToExplain(invocation, io)
  return withEngine(
    invocation,
    io,
    async engine => {
      const { skills } = engine
      const { signal } = io
      const named = file === undefined ? undefined : nameOfFile(file, await skills.catalog({ signal }))
      if (file !== undefined && named === undefined) {
        io.stderr.write(`skills: ${whyNotLoaded(file, await skills.catalog({ signal }), invocation, io)}\n`)
        if (!invocation.json) return exitCodes.failed
      }
      const name = named ?? invokedName(invocation)
      const known = await skills.explain(name, { signal })
      // Answers that are not shown are not decided: for a hundred thousand files of one name that would take half a
      // minute.
      const shown = invocation.json ? known : { ...known, answers: known.answers.slice(0, shownAnswers) }
      const explained = await explainedUnder(engine, shown, signal)
      const explanation = {
        ...explained,
        notes: [...explained.notes, ...(await typingNotes(engine, explained, invocation, io))],
      }
      const catalog = await skills.catalog({ signal })
      if (invocation.json) writeJson(explanationJson(explanation, engine.distribution, catalog), io.stdout)
      else printExplanation(explanation, known.answers.length, { catalog, ...engine }, invocation, io)
      return explanation.answers.length > 0 ? exitCodes.ok : exitCodes.failed
      // The places in JSON output have their number of skills, which only the full engine counts.
    },
    asAgentsHave,
    invocation.json || file !== undefined ? undefined : engineFor(invokedName(invocation), io),
  )
}
