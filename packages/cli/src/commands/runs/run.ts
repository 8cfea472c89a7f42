import { SkillsError } from '@skills/core'
import { encodeValue, runStates, type FoundRun } from '@skills/runs/internal'
import { isEnded, openRuns, type RunRecord, type Runs } from '@skills/runs'
import { again } from '../../engine/again.js'
import { argumentProblems } from '../../arguments/argument-problems.js'
import { bodyText } from '../../output/body-text.js'
import { commandTable, type CommandName } from '../../arguments/command-table.js'
import { counted } from '../../output/problems.js'
import { exitCodes, type Io } from '../../io.js'
import { folderOf, hostOf } from '../../engine/engine.js'
import { limitOf } from '../../arguments/limit-option.js'
import { printableJson, printableLine } from '../../output/printable.js'
import { printRuns, runFacts, stateOf, timelineText, waits } from './text.js'
import { Timeline } from './timeline.js'
import { UsageError } from '../../arguments/usage-error.js'
import { writeJson } from '../../output/write-json.js'
import type { Invocation } from '../../arguments/parse-arguments.js'

type RunsCommand = (invocation: Invocation, io: Io) => Promise<number>

/** What a person reads at once; a program gets everything. */
const terminalLimit = 20
/** Milliseconds in what an age is given in. */
const unitMs = new Map(Object.entries({ s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }))
/** Milliseconds since they ended that `prune` keeps runs for where nothing else is said. */
const keptMs = 7 * 86_400_000

/** `skills runs …`. See docs/reference/runs.md, "At the command line". */
export const runsCommands = {
  runs: opening(list),
  'runs show': opening(show),
  'runs follow': opening(follow),
  'runs answer': opening(answer),
  'runs cancel': opening((runs, invocation, io) => changed(runs, invocation, io, id => runs.cancel(id))),
  'runs retry': opening((runs, invocation, io) =>
    changed(runs, invocation, io, id => runs.retry(id, { fresh: invocation.has('--fresh') })),
  ),
  'runs prune': opening(prune),
} as const satisfies Readonly<Record<Extract<CommandName, 'runs' | `runs ${string}`>, RunsCommand>>

/** A command over the runs of the queue that is named, else over those of the state folder. */
function opening(work: (runs: Runs, invocation: Invocation, io: Io) => Promise<number>): RunsCommand {
  return async (invocation, io) => {
    const isQueue = (invocation.text('--queue') ?? io.env['SKILLS_QUEUE']) !== undefined && !invocation.has('--dir')
    const queue = isQueue ? (await import('../worker/run.js')).openedQueue(invocation, io) : undefined
    try {
      const dir = folderOf('--dir', invocation.text('--dir'), io)
      return await work(queue ?? openRuns(hostOf(invocation, io), { dir }), invocation, io)
    } finally {
      await queue?.close()
    }
  }
}

async function list(runs: Runs, invocation: Invocation, io: Io): Promise<number> {
  const [word = 'list'] = invocation.args
  if (word !== 'list') throw new UsageError(argumentProblems.unknownCommand(commandTable, ['runs', word], []))
  const { stdout, stderr } = io
  const limit =
    limitOf(invocation.text('--limit')) ?? (stdout.isTerminal && !invocation.json ? terminalLimit : Infinity)
  const states = statesOf(invocation, runStates)
  const found: FoundRun[] = []
  // Its result and the text of its skill may be long, and there may be many.
  for await (const run of runs.each({ states }))
    found.push('problem' in run ? run : { ...run, skill: { ...run.skill, text: undefined }, result: undefined })
  const rank = (run: FoundRun): number =>
    (waits.has(stateOf(run)) ? 1e15 : 0) + ('problem' in run ? 1e15 : run.queuedAt)
  const shown = found.toSorted((one, other) => rank(other) - rank(one)).slice(0, limit)
  if (invocation.json) writeJson(shown, stdout)
  else if (shown.length > 0) printRuns(shown, hostOf(invocation, io).clock.now(), invocation, io)
  else if (stderr.isTerminal) stderr.write('There are no runs.\n')
  if (found.length > shown.length)
    stderr.write(
      `${counted(found.length, 'run')}, ${found.length - shown.length} not shown: --limit ${found.length} shows all.\n`,
    )
  return exitCodes.ok
}

async function show(runs: Runs, invocation: Invocation, io: Io): Promise<number> {
  const id = await idOf(runs, invocation)
  const journal = await runs.journal(id)
  const run = await runs.get(id)
  if (invocation.json) writeJson(JSON.parse(encodeValue({ ...run, journal })), io.stdout)
  else {
    const timeline = new Timeline()
    const lines = journal.flatMap(entry => timeline.add(entry) ?? [])
    const text = [
      runFacts(run),
      '\n',
      ...lines.map(line => timelineText(line, run.queuedAt, io)),
      ...timeline.begun().map(line => timelineText(line, run.queuedAt, io, true)),
      run.result === undefined ? '' : `\n${bodyText({ template: run.result }).text}`,
    ]
    io.stdout.write(text.join(''))
    sayHowToAnswer(run, invocation, io)
  }
  return exitCodes.ok
}

async function follow(runs: Runs, invocation: Invocation, io: Io): Promise<number> {
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
    // What it rejects with is thrown once the run has settled.
    printing.catch(() => {})
  })
  try {
    await printing
    if (runs.mayTake(await runs.get(id)))
      stderr.write('skills: No process works on it now. It goes on when one resumes it.\n')
    const run = await runs.settled(id, { signal })
    await (printing = printing.then(print))
    if (run.state === 'done' && !invocation.json) stdout.write(`\n${bodyText({ template: run.result ?? '' }).text}`)
    sayHowToAnswer(run, invocation, io)
    return run.state === 'done' ? exitCodes.ok : exitCodes.failed
  } finally {
    stop()
  }
}

async function answer(runs: Runs, invocation: Invocation, io: Io): Promise<number> {
  const { args } = invocation
  const given = args.at(-1)
  if (given !== 'allow' && given !== 'deny')
    throw new UsageError(`An answer is allow or deny, but was given "${printableLine(given ?? '')}".`)
  return changed(runs, invocation, io, async id => {
    const question = args.length === 3 ? args[1] : (await runs.get(id)).question?.id
    if (question !== undefined) return runs.answer(id, question, given)
    throw new SkillsError('E_RUN_STATE', `The run ${id} asks nothing.`, { hint: `Look at it: skills runs show ${id}` })
  })
}

/** Changes one run, and says how it stands then. */
async function changed(
  runs: Runs,
  invocation: Invocation,
  io: Io,
  change: (id: string) => Promise<RunRecord>,
): Promise<number> {
  const run = await change(await idOf(runs, invocation))
  const taker = runs.place === 'here' ? 'the next process that resumes runs goes on with it' : 'a worker takes it'
  const what = run.state === 'queued' ? `queued: ${taker}` : run.isCancelling ? 'cancelled' : run.state
  const by = isEnded(run) || run.holder === undefined ? '' : ` as soon as ${run.holder.name} hears of it`
  if (invocation.json) writeJson(JSON.parse(encodeValue(run)), io.stdout)
  else io.stdout.write(printableLine(`${run.id} is ${what}${by}.`) + '\n')
  return exitCodes.ok
}

async function prune(runs: Runs, invocation: Invocation, io: Io): Promise<number> {
  const { json } = invocation
  const age = invocation.text('--older-than')
  const olderMs = age === undefined ? keptMs : ageOf(age)
  const ended = ['done', 'failed', 'cancelled'] as const
  const states: readonly string[] = statesOf(invocation, [...ended, 'unsigned']) ?? ended
  const before = hostOf(invocation, io).clock.now() - olderMs
  const removed: string[] = []
  let kept = 0
  for await (const run of runs.each()) {
    if (!states.includes(stateOf(run))) continue
    // When that ended is not known.
    const unsigned = 'problem' in run
    if (!unsigned && (run.endedAt ?? Infinity) > before) {
      kept += 1
      continue
    }
    const isGone = invocation.has('--dry-run') || (await isRemoved(runs, run.id, unsigned))
    if (isGone) removed.push(run.id)
    else kept += 1
  }
  if (json) writeJson({ removed, kept }, io.stdout)
  else {
    const rest = kept === 0 ? '' : ` ${counted(kept, 'run')} ended later and stay${kept === 1 ? 's' : ''}.`
    io.stdout.write(
      `${counted(removed.length, 'run')} ${invocation.has('--dry-run') ? 'would be ' : ''}removed.${rest}\n`,
    )
  }
  return exitCodes.ok
}

/** False for one that was queued again meanwhile, or that another process removed. */
async function isRemoved(runs: Runs, id: string, unsigned: boolean): Promise<boolean> {
  try {
    await runs.remove(id, { unsigned })
    return true
  } catch (error) {
    if (SkillsError.is(error) && (error.code === 'E_RUN_STATE' || error.code === 'E_RUN_UNKNOWN')) return false
    throw error
  }
}

/** The one run whose id begins with what was given. */
async function idOf(runs: Runs, { args: [given = ''] }: Invocation): Promise<string> {
  const ids: string[] = []
  for await (const { id } of runs.each({ id: given })) ids.push(id)
  const [first, ...others] = ids.includes(given) ? [given] : ids
  if (first === undefined)
    throw new SkillsError('E_RUN_UNKNOWN', `There is no run "${given}".`, { hint: 'skills runs lists all of them.' })
  if (others.length === 0) return first
  throw new SkillsError(
    'E_AMBIGUOUS_NAME',
    `${ids.length} runs begin with "${given}": ${ids.slice(0, 3).join(', ')}.`,
    { hint: 'Write more of the id.' },
  )
}

function sayHowToAnswer({ id, question, holder }: RunRecord, invocation: Invocation, io: Io): void {
  if (question === undefined || holder !== undefined) return
  io.stderr.write(`Answer with allow or deny: ${printableLine(again(`runs answer ${id} allow`, invocation, io))}\n`)
}

function statesOf<State extends string>({ texts }: Invocation, known: readonly State[]): readonly State[] | undefined {
  const given = texts('--state').map(text => {
    const state = known.find(one => one === text)
    if (state === undefined)
      throw new UsageError(`The option --state takes ${known.join(', ')}, but was given "${printableLine(text)}".`)
    return state
  })
  return given.length === 0 ? undefined : given
}

function ageOf(text: string): number {
  const [, count, unit = ''] = /^(\d{1,9})([smhdw])$/.exec(text) ?? []
  const ms = Number(count) * (unitMs.get(unit) ?? NaN)
  if (Number.isNaN(ms))
    throw new UsageError(`The option --older-than needs an age such as 90m, 12h, 7d or 0s, but was given "${text}".`)
  return ms
}
