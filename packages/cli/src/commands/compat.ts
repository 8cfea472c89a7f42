import { compatDiagnostics, compatMarkdown, isLost } from '@skills/inspect/compat'
import { compatFor } from '../compat-agents.js'
import { printCompat, printCompatOf } from '../compat-text.js'
import { exitCodes, type Io } from '../io.js'
import { findingFormats, formatOf, writeFindings } from '../report-format.js'
import { tokensOf } from '../tokens.js'
import { withEngine } from '../engine.js'
import { writeCompatJson } from '../compat-json.js'
import type { Invocation } from '../parse-arguments.js'

/** `skills compat`. See docs/reference/compat.md. */
export async function compat(invocation: Invocation, io: Io): Promise<number> {
  const contextWindow = tokensOf(invocation)
  const format = formatOf(invocation, [...findingFormats, 'markdown'])
  const only = invocation.args.length === 0 ? undefined : invocation.args
  return withEngine(invocation, io, async engine => {
    const { compat: found, wanted } = await compatFor(engine, { only, contextWindow }, invocation, io)
    if (invocation.json) writeCompatJson(found, io.stdout)
    else if (format === 'markdown') io.stdout.write(compatMarkdown(found))
    else if (format !== undefined)
      writeFindings(format, await compatDiagnostics(found, { wanted }), engine.skills.host, io.stdout)
    else if (only === undefined) printCompat(found, invocation, io)
    else printCompatOf(found, invocation, io)
    const isMissing = found.skills.some(({ agents }) => agents.some(one => wanted.includes(one.agent) && isLost(one)))
    return isMissing ? exitCodes.failed : exitCodes.ok
  })
}
