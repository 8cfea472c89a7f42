import { runStates, type FoundRun } from '@skills/runs/internal'
import { exitCodes, type Io } from '../../io.js'
import { argumentProblems } from '../../arguments/argument-problems.js'
import { limitOf } from '../../arguments/limit-option.js'
import { UsageError } from '../../arguments/usage-error.js'
import { hostOf } from '../../engine/engine.js'
import { counted } from '../../output/problems.js'
import { writeJson } from '../../output/write-json.js'
import { printRuns, stateOf, waits } from '../../runs/text.js'
import { statesOf, withRuns } from '../../runs/with-runs.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'
import type { Commands } from '../../arguments/commands.js'

/** Most runs that a terminal shows by default; a program gets all. */
const terminalLimit = 20

/** `skills runs`, `skills runs list`. See docs/reference/runs.md, "At the command line". */
export async function run(invocation: InvocationOf<typeof command>, io: Io, commands: Commands): Promise<number> {
  const [word = 'list'] = invocation.args
  if (word !== 'list') throw new UsageError(argumentProblems.unknownCommand(commands, ['runs', word], []))
  return withRuns(invocation, io, async runs => {
    const { stdout, stderr } = io
    const limit =
      limitOf(invocation.text('--limit')) ?? (stdout.isTerminal && !invocation.json ? terminalLimit : Infinity)
    const states = statesOf(invocation, runStates)
    const found = new Map<string, FoundRun>()
    // One more tells whether some are not shown.
    const most = limit === Infinity ? undefined : limit + 1
    const waiting = (['waiting', 'indeterminate'] as const).filter(state => states?.includes(state) !== false)
    // Results and texts of skills may be long, and there may be many runs.
    for (const filter of most === undefined ? [{ states }] : [{ states: waiting }, { states }])
      for await (const record of runs.each({ ...filter, limit: most }))
        found.set(
          record.id,
          'problem' in record ? record : { ...record, skill: { ...record.skill, text: undefined }, result: undefined },
        )
    const rank = (record: FoundRun): number =>
      (waits.has(stateOf(record)) ? 1e15 : 0) + ('problem' in record ? 1e15 : record.queuedAt)
    const shown = [...found.values()].toSorted((one, other) => rank(other) - rank(one)).slice(0, limit)
    if (invocation.json) writeJson(shown, stdout)
    else if (shown.length > 0) printRuns(shown, hostOf(invocation, io).clock.now(), invocation, io)
    else if (stderr.isTerminal) stderr.write('There are no runs.\n')
    if (found.size > shown.length)
      stderr.write(`Only ${counted(shown.length, 'run')} shown: --limit ${limit * 2} shows more.\n`)
    return exitCodes.ok
  })
}
