import { columnOf, cut, pad, widthOf } from '../output/width.js'
import { printableLine } from '../output/printable.js'
import { styleOf } from '../output/style.js'
import { type FoundRun, spanText, type TimelineLine } from '@skills/runs/internal'
import type { RunRecord, Runs } from '@skills/runs'
import type { Io } from '../io.js'
import type { Invocation } from '../arguments/invocation.js'

/** Most characters of an id in a table. If another run begins with the same ones, the whole id is shown. */
const shortestId = 8

/** Prints runs: a table for people, lines for programs with id, state, submission time, skill, and details. */
export function printRuns(found: readonly FoundRun[], now: number, { isColorless }: Invocation, io: Io): void {
  const { stdout, env } = io
  if (!stdout.isTerminal) {
    stdout.write(
      found
        .map(run => {
          const since = 'problem' in run ? '' : new Date(run.queuedAt).toISOString()
          return `${[printableLine(run.id), stateOf(run), since, skillOf(run), aboutOf(run)].join('\t')}\n`
        })
        .join(''),
    )
    return
  }
  const style = styleOf(stdout, env, isColorless)
  const short = (id: string): string => printableLine(id).slice(0, shortestId)
  const times = new Map<string, number>()
  for (const { id } of found) times.set(short(id), (times.get(short(id)) ?? 0) + 1)
  const rows = found.map(run => [
    times.get(short(run.id)) === 1 ? short(run.id) : printableLine(run.id),
    stateOf(run),
    'problem' in run
      ? ''
      : spanText(now - run.queuedAt)
          .split(' ', 2)
          .join(' '),
    cut(skillOf(run), 20),
    aboutOf(run),
  ])
  const table = [['ID', 'STATE', 'AGE', 'SKILL', 'ABOUT'], ...rows]
  const cells = [0, 1, 2, 3].map(at => columnOf(table.map(row => row[at] ?? '')))
  const lines = table.map(([id = '', state = '', age = '', skill = '', about = ''], at) => {
    const left = [id, state, age, skill].map((text, column) => pad(text, cells[column] ?? 0)).join('  ')
    const rest = cut(about, stdout.columns - widthOf(left) - 2)
    const paint = at === 0 ? style.dim : waits.has(state) ? style.yellow : state === 'failed' ? style.red : String
    return paint(`${left}  ${rest}`.trimEnd())
  })
  stdout.write(`${lines.join('\n')}\n`)
}

/** States that need an action by a person. */
export const waits: ReadonlySet<string> = new Set(['waiting', 'indeterminate', 'unreadable', 'unsigned'])

export const stateOf = (run: FoundRun): string =>
  'problem' in run ? (run.problem.code === 'E_RUN_UNSIGNED' ? 'unsigned' : 'unreadable') : run.state

const skillOf = (run: FoundRun): string => ('problem' in run ? '' : printableLine(run.skill.name))

function aboutOf(run: FoundRun): string {
  // The run's folder is named after the id, which is in the row already.
  if ('problem' in run) return printableLine(run.problem.message.replace(/^\S*\/(?=journal )/, ''))
  const { args, question, error, progress, state } = run
  const more = question?.message ?? error?.message ?? (state === 'running' ? progress.last : undefined)
  return printableLine([args, more].filter(Boolean).join(': '))
}

/**
 * Returns what a queued run waits for, in words. Undefined for any other run.
 * @param limit limit that it waits for, as `tenant acme`
 */
export function waitOf(run: RunRecord, place: Runs['place'], now: number, limit?: string): string | undefined {
  const { state, queuedAt, epoch, failures = 0, job: { delayMs = 0 } = {} } = run
  if (state !== 'queued') return undefined
  if (limit !== undefined) return `a place: as many runs of the ${limit} as its limit allows are running`
  if (epoch === 0 && queuedAt + delayMs > now) return `its time, ${new Date(queuedAt + delayMs).toISOString()}`
  const taker = place === 'workers' ? 'a worker' : 'a process that resumes runs'
  return failures > 0 ? `its attempt ${failures + 1}, by ${taker}` : taker
}

/**
 * Returns the properties and state of a run, without its result.
 * @param wait what it waits for
 */
export function runFacts(run: RunRecord, wait?: string): string {
  const { id, skill, args, agent, model, effort, session, parentId, holder, question, error, usage, progress } = run
  const isSet = <Row extends readonly [string, string | undefined]>(row: Row): row is Row & [string, string] =>
    row[1] !== undefined && row[1] !== ''
  const rows = [
    ['id', id],
    ['state', run.isCancelling && run.state !== 'cancelled' ? `${run.state}, to be cancelled` : run.state],
    ['waits for', wait],
    ['submitted', new Date(run.queuedAt).toISOString()],
    ['skill', `${skill.name} (${skill.source}${skill.path === undefined ? '' : `, ${skill.path}`})`],
    ['digest', skill.digest],
    ['arguments', args],
    ['agent', [agent, model, effort].filter(Boolean).join(', ')],
    ['session', session],
    ['made in', parentId],
    ['held by', holder?.name],
    ['did', `${progress.steps} answers of the model, ${progress.calls} calls of tools`],
    ['tokens', usage && `${usage.inputTokens ?? '?'} in, ${usage.outputTokens ?? '?'} out`],
    ['asks', question?.message],
    ['about', question && `${question.tool} ${question.content}`],
    ['error', error && [error.code, error.message].filter(Boolean).join(': ')],
  ] as const
  const lines = rows.filter(isSet).map(([title, text]) => `  ${title.padEnd(10)} ${printableLine(text)}\n`)
  return `${printableLine(skill.name)}\n${lines.join('')}`
}

/**
 * Returns a line of a timeline: the time since submission, what happened, and how long it took.
 * @param isUnderWay true if it has started and not ended
 */
export function timelineText(
  { at, text, ms }: TimelineLine,
  since: number,
  { stdout }: Io,
  isUnderWay = false,
): string {
  const left = `${`+${spanText(at - since)}`.padStart(11)}  `
  const right = isUnderWay ? ' …' : ms === undefined ? '' : `  ${spanText(ms)}`
  const what = printableLine(text)
  return `${left}${stdout.isTerminal ? cut(what, stdout.columns - widthOf(left) - widthOf(right)) : what}${right}\n`
}
