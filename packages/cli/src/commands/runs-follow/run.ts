import { encodeValue, Timeline } from '@skills/runs/internal'
import { exitCodes, type Io } from '../../io.js'
import { bodyText } from '../../output/body-text.js'
import { printableJson } from '../../output/printable.js'
import { timelineText } from '../../runs/text.js'
import { idOf, sayHowToAnswer, withRuns } from '../../runs/with-runs.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** `skills runs follow ID`. See docs/reference/runs.md, "At the command line". */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  return withRuns(invocation, io, async runs => {
    const { stdout, stderr, signal } = io
    const id = await idOf(runs, invocation)
    const timeline = new Timeline()
    let printed = 0
    const since = (await runs.get(id)).queuedAt
    const print = async (): Promise<void> => {
      const fresh = (await runs.journal(id)).slice(printed)
      printed += fresh.length
      for (const entry of fresh) {
        const line = timeline.add(entry)
        const json = `${encodeValue(entry)}\n`
        if (invocation.json) stdout.write(stdout.isTerminal ? printableJson(json) : json)
        else if (line !== undefined) stdout.write(timelineText(line, since, io))
      }
      if (!invocation.json) for (const line of timeline.begun()) stdout.write(timelineText(line, since, io, true))
    }
    let printing = print()
    const stop = runs.watch(id, () => {
      printing = printing.then(print)
      // A rejection is thrown below, after the record has settled.
      printing.catch(() => {})
    })
    try {
      await printing
      if (runs.mayTake(await runs.get(id)))
        stderr.write('skills: No process works on this run now. It continues when a process resumes it.\n')
      const record = await runs.settled(id, { signal })
      await (printing = printing.then(print))
      if (record.state === 'done' && !invocation.json)
        stdout.write(`\n${bodyText({ template: record.result ?? '' }).text}`)
      sayHowToAnswer(record, invocation, io)
      return record.state === 'done' ? exitCodes.ok : exitCodes.failed
    } finally {
      stop()
    }
  })
}
