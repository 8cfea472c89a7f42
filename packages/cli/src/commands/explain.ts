import { exitCodes, type Io } from '../io.js'
import { explanationJson } from '../explain-json.js'
import { printableJson } from '../printable.js'
import { printExplanation } from '../explain-text.js'
import { withEngine } from '../engine.js'
import type { Invocation } from '../parse-arguments.js'

/** `skills explain NAME`. See docs/reference.md, "Explain output". */
export async function explain(invocation: Invocation, io: Io): Promise<number> {
  // People type the name as they would invoke it.
  const name = (invocation.args[0] ?? '').replace(/^\/+/, '')
  return withEngine(invocation, io, async ({ skills }) => {
    const explanation = await skills.explain(name, { signal: io.signal })
    if (invocation.json) {
      const json = `${JSON.stringify(explanationJson(explanation), undefined, 2)}\n`
      io.stdout.write(io.stdout.isTerminal ? printableJson(json) : json)
    } else printExplanation(explanation, invocation, io)
    return explanation.answers.length > 0 ? exitCodes.ok : exitCodes.failed
  })
}
