import { encodeValue, Timeline } from '@skills/runs/internal'
import { exitCodes, type Io } from '../../io.js'
import { hostOf } from '../../engine/engine.js'
import { bodyText } from '../../output/body-text.js'
import { writeJson } from '../../output/write-json.js'
import { runFacts, timelineText, waitOf } from '../../runs/text.js'
import { idOf, sayHowToAnswer, withRuns } from '../../runs/with-runs.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** `skills runs show ID`. See docs/reference/runs.md, "At the command line". */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  return withRuns(invocation, io, async runs => {
    const id = await idOf(runs, invocation)
    const journal = await runs.journal(id)
    const record = await runs.get(id)
    if (invocation.json) writeJson(JSON.parse(encodeValue({ ...record, journal })), io.stdout)
    else {
      const now = hostOf(invocation, io).clock.now()
      const timeline = new Timeline()
      const lines = journal.flatMap(entry => timeline.add(entry) ?? [])
      const text = [
        runFacts(record, waitOf(record, runs.place, now, await runs.limitOf?.(record))),
        '\n',
        ...lines.map(line => timelineText(line, record.queuedAt, io)),
        ...timeline.begun().map(line => timelineText(line, record.queuedAt, io, true)),
        record.result === undefined ? '' : `\n${bodyText({ template: record.result }).text}`,
      ]
      io.stdout.write(text.join(''))
      sayHowToAnswer(record, invocation, io)
    }
    return exitCodes.ok
  })
}
