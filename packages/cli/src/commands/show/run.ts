import { readShown } from '@skills/inspect/internal'
import { toldRows } from '@skills/host/internal'
import { shownJson, toldJson } from '@skills/ui/internal'
import { again, quoted } from '../../engine/again.js'
import { exitCodes, type Io } from '../../io.js'
import { invokedName } from '../../arguments/invoked-name.js'
import { printableLine } from '../../output/printable.js'
import { printShown } from './text.js'
import { stateWords } from '../../output/state-words.js'
import { unknownSentence } from '../../output/unknown-name.js'
import { asAgentsHave, withEngine } from '../../engine/engine.js'
import { tokensOf } from '../../arguments/tokens.js'
import { withShownPaths } from '../../output/shown-path.js'
import { writeJson } from '../../output/write-json.js'
import type { Explanation } from '@skills/core'
import type { Invocation, InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** `skills show NAME`. See docs/reference/output.md, "Show output". */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  const name = invokedName(invocation)
  const { signal } = io
  const contextWindow = tokensOf(invocation)
  return withEngine(
    invocation,
    io,
    async engine => {
      const { skills } = engine
      const catalog = await skills.catalog({ signal, names: [name] })
      const entry = catalog.lookup(name)
      if (entry === undefined) {
        printAbsence(await skills.explain(name, { signal }), invocation, io)
        return exitCodes.failed
      }
      const shown = await readShown(catalog, entry, invocation.has('--deps'), signal)
      const told = (await toldRows(engine, { contextWindow, signal }))(shown.listed)
      if (invocation.json) writeJson({ ...shownJson(shown), told: toldJson(told) }, io.stdout)
      else printShown({ ...shown, told }, invocation, io)
      return shown.tree === undefined || shown.tree.cycles.length === 0 ? exitCodes.ok : exitCodes.failed
    },
    asAgentsHave,
  )
}

/**
 * Prints why there is nothing to show: no skill has the name, or the one that has it failed to load or is switched off.
 */
function printAbsence(explanation: Explanation, invocation: Invocation, io: Io): void {
  const {
    query,
    answers: [answer],
    notes,
  } = explanation
  const { stderr, cwd } = io
  const clean = (sentence: string): string => printableLine(withShownPaths(sentence, cwd))
  if (answer === undefined) {
    stderr.write(`skills: ${unknownSentence(explanation)}\n`)
    for (const { text } of notes) stderr.write(`note: ${clean(text)}\n`)
    return
  }
  const why = answer.notListedBecause.find(({ cause }) => cause !== 'flag')?.text ?? answer.chosenBy
  const more = again(`explain ${quoted(query)}`, invocation, io)
  stderr.write(
    `skills: "${printableLine(query)}" cannot be shown (${stateWords[answer.status]}): ${clean(why)} To see everything about it: ${printableLine(more)}\n`,
  )
}
