import { exitCodes, type Io } from '../io.js'
import { explanationJson } from '../explain-json.js'
import { invokedName } from '../invoked-name.js'
import { printExplanation } from '../explain-text.js'
import { asAgentsHave, withEngine } from '../engine.js'
import { writeJson } from '../write-json.js'
import type { Invocation } from '../parse-arguments.js'

/** `skills explain NAME`. See docs/reference.md, "Explain output". */
export async function explain(invocation: Invocation, io: Io): Promise<number> {
  const name = invokedName(invocation)
  return withEngine(invocation, io, async ({ skills }) => {
    const explanation = await skills.explain(name, { signal: io.signal })
    if (invocation.json) writeJson(explanationJson(explanation), io.stdout)
    else printExplanation(explanation, invocation, io)
    return explanation.answers.length > 0 ? exitCodes.ok : exitCodes.failed
  }, asAgentsHave)
}
