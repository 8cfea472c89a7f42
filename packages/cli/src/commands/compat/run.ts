import { setFlagsFromString } from 'node:v8'
import { compatDiagnostics, compatMarkdown, OneMoment } from '@skills/inspect/compat'
import { isLost } from '@skills/inspect/internal'
import { compatFor } from './agents.js'
import { printCompat, printCompatOf, printNotRead } from './text.js'
import { exitCodes, type Io } from '../../io.js'
import { safeText } from '../../output/printable.js'
import { findingFormats, formatOf, writeFindings } from '../../output/report-format.js'
import { tokensOf } from '../../arguments/tokens.js'
import { withEngine } from '../../engine/engine.js'
import { writeCompatJson } from './json.js'
import type { Engine } from '../../engine/engine-parts.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** `skills compat`. See docs/reference/compat.md. */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  // This command runs much code for a few seconds. V8 would optimize it early and spend a third of the processor time
  // on compiling. Other versions of V8 may not know the flag, and would complain on standard error.
  if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=2000000')
  const contextWindow = tokensOf(invocation)
  const format = formatOf(invocation, [...findingFormats, 'markdown'])
  const only = invocation.args.length === 0 ? undefined : invocation.args
  const reads = new OneMoment(only === undefined ? 'files' : 'heads')
  const work = async (engine: Engine): Promise<number> => {
    const { compat: found, wanted } = await compatFor(engine, { only, contextWindow, reads }, invocation, io)
    if (invocation.json) writeCompatJson(found, io.stdout)
    else if (format === 'markdown') io.stdout.write(safeText(compatMarkdown(found)))
    else if (format !== undefined)
      writeFindings(format, await compatDiagnostics(found, { wanted }), engine.skills.host, io.stdout)
    else if (only === undefined) {
      printCompat(found, invocation, io)
      printNotRead(await engine.skills.catalog({ signal: io.signal }), invocation, io)
    } else printCompatOf(found, invocation, io)
    const isMissing = found.skills.some(({ agents }) => agents.some(one => wanted.includes(one.agent) && isLost(one)))
    return isMissing ? exitCodes.failed : exitCodes.ok
  }
  return withEngine(invocation, io, work, () => ({ sharedReads: reads }))
}
