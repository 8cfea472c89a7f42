import { SkillsError } from '@skills/core'
import { isEnded, openRuns, type RunRecord, type Runs } from '@skills/runs'
import { encodeValue } from '@skills/runs/internal'
import { again } from '../engine/again.js'
import { exitCodes, type Io } from '../io.js'
import { folderOf, hostOf } from '../engine/engine.js'
import { printableLine } from '../output/printable.js'
import { UsageError } from '../arguments/usage-error.js'
import { writeJson } from '../output/write-json.js'
import type { Invocation } from '../arguments/invocation.js'
import type { ofRuns } from '../arguments/shared-options.js'

type RunsInvocation = Invocation<keyof typeof ofRuns>

/** Opens the runs of the named queue, or of the state folder if no queue is named, and calls `work` with them. */
export async function withRuns(
  invocation: RunsInvocation,
  io: Io,
  work: (runs: Runs) => Promise<number>,
): Promise<number> {
  const isQueue = (invocation.text('--queue') ?? io.env['SKILLS_QUEUE']) !== undefined && !invocation.has('--dir')
  const queue = isQueue ? (await import('./opened-queue.js')).openedQueue(invocation, io) : undefined
  try {
    const dir = folderOf('--dir', invocation.text('--dir'), io)
    return await work(queue ?? openRuns(hostOf(invocation, io), { dir }))
  } finally {
    await queue?.close()
  }
}

/** Changes one run, and prints its new state. */
export async function changeRun(
  invocation: RunsInvocation,
  io: Io,
  change: (runs: Runs, id: string) => Promise<RunRecord>,
): Promise<number> {
  return withRuns(invocation, io, async runs => {
    const run = await change(runs, await idOf(runs, invocation))
    const taker = runs.place === 'here' ? 'the next process that resumes runs continues it' : 'a worker takes it'
    const what = run.state === 'queued' ? `queued: ${taker}` : run.isCancelling ? 'cancelled' : run.state
    const by = isEnded(run) || run.holder === undefined ? '' : ` as soon as ${run.holder.name} is told`
    if (invocation.json) writeJson(JSON.parse(encodeValue(run)), io.stdout)
    else io.stdout.write(printableLine(`${run.id} is ${what}${by}.`) + '\n')
    return exitCodes.ok
  })
}

/** Returns the only run id that begins with the argument. */
export async function idOf(runs: Runs, { args: [given = ''] }: Invocation): Promise<string> {
  // The whole id needs no list.
  const isWhole = await runs.get(given).then(
    () => true,
    (error: unknown) => SkillsError.is(error) && error.code !== 'E_RUN_UNKNOWN',
  )
  if (isWhole) return given
  const ids: string[] = []
  for await (const { id } of runs.each({ id: given })) ids.push(id)
  const [first, ...others] = ids
  if (first === undefined)
    throw new SkillsError('E_RUN_UNKNOWN', `There is no run "${given}".`, { hint: 'skills runs lists all of them.' })
  if (others.length === 0) return first
  throw new SkillsError(
    'E_AMBIGUOUS_NAME',
    `${ids.length} runs begin with "${given}": ${ids.slice(0, 3).join(', ')}.`,
    { hint: 'Write more of the id.' },
  )
}

/** Prints to standard error how to answer a run that has a question. */
export function sayHowToAnswer({ id, question, holder }: RunRecord, invocation: Invocation, io: Io): void {
  if (question === undefined || holder !== undefined) return
  io.stderr.write(`Answer with allow or deny: ${printableLine(again(`runs answer ${id} allow`, invocation, io))}\n`)
}

/** Returns the states that `--state` names. Throws a UsageError for an unknown one. */
export function statesOf<State extends string>(
  { texts }: Pick<Invocation<'--state <state>...'>, 'texts'>,
  known: readonly State[],
): readonly State[] | undefined {
  const given = texts('--state').map(text => {
    const state = known.find(one => one === text)
    if (state === undefined)
      throw new UsageError(`The option --state takes ${known.join(', ')}, but was given "${printableLine(text)}".`)
    return state
  })
  return given.length === 0 ? undefined : given
}
