import { explanationJson } from '@skills/ui/internal'
import { nestedNotes } from '@skills/inspect/internal'
import { explainedUnder } from '@skills/host/internal'
import { agentsJson, agentsOf } from './agents.js'
import { exitCodes, type Io } from '../../io.js'
import { fileToExplain, nameOfFile, whyNotLoaded } from './file-to-explain.js'
import { invokedName } from '../../arguments/invoked-name.js'
import { printExplanation } from './text.js'
import { readingOnce } from '@skills/files/internal'
import { asAgentsHave, withEngine } from '../../engine/engine.js'
import { shownAnswers, typingNotes } from './typing-notes.js'
import { tokensOf } from '../../arguments/tokens.js'
import { writeJson } from '../../output/write-json.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** `skills explain NAME`. See docs/reference/output.md, "Explain output". */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  const file = fileToExplain(invocation, io)
  const contextWindow = tokensOf(invocation)
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
      // Before notes report a file as used.
      const catalog = await skills.catalog({ signal })
      const explained = await explainedUnder(engine, shown, { contextWindow, signal })
      const explanation = {
        ...explained,
        notes: [
          ...explained.notes,
          ...(explained.answers.length === 0
            ? [
                ...(await nestedNotes(name, skills, signal)).map(note => ({ ...note, provider: 'nested' })),
                ...(await (await import('../../engine/elsewhere.js')).elsewhereNotes(name, engine, invocation, io)),
              ]
            : await typingNotes(engine, explained, invocation, io)),
        ],
      }
      const agents = await agentsOf(explanation, engine, {
        contextWindow,
        signal,
        looksForAgents: io.stdout.isTerminal,
      })
      if (invocation.json)
        writeJson(
          { ...explanationJson(explanation, engine.distribution, catalog), agents: agentsJson(agents) },
          io.stdout,
        )
      else printExplanation(explanation, known.answers.length, { ...engine, catalog, seenBy: agents }, invocation, io)
      return explanation.answers.length > 0 ? exitCodes.ok : exitCodes.failed
    },
    // Providers and notes ask for the same text in turn.
    async (host, configured) => ({
      ...(await asAgentsHave(host, configured)),
      sharedReads: { ...readingOnce, keepsBodies: true },
    }),
  )
}
