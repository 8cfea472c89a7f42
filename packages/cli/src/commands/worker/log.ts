import { SkillsError, type Clock, type Diagnostic } from '@skills/core'
import { spanText, type WorkerEvent } from '@skills/runs/internal'
import { findingLines } from '../../output/findings.js'
import { printableJson, printableLine } from '../../output/printable.js'
import { counted } from '../../output/problems.js'
import { styleOf } from '../../output/style.js'
import type { Invocation } from '../../arguments/invocation.js'
import type { Io } from '../../io.js'

/** Event of the log of a worker. */
export type LogEvent =
  | WorkerEvent
  | { readonly type: 'started'; readonly skills: number; readonly health: string | undefined }
  | { readonly type: 'problem'; readonly problem: Diagnostic }
  | { readonly type: 'error'; readonly error: Error }

/** Milliseconds in which an error is told once, as while a server is away and asked again and again. */
const sameMs = 60_000

/**
 * Returns a function that prints events of a worker: for people on standard error, or as JSON objects on standard
 * output, one a line, each with the time and the name of the event. An error with the same message is printed once a
 * minute, with how often it came meanwhile.
 */
export function workerLog(
  setting: { readonly hasJson: boolean } & Pick<Invocation, 'isColorless'>,
  io: Pick<Io, 'stdout' | 'stderr' | 'cwd' | 'env'>,
  clock: Pick<Clock, 'now'>,
): (event: LogEvent) => void {
  const print = printer(setting, io, clock)
  const errors = new Map<string, { readonly at: number; more: number }>()
  return event => {
    if (event.type !== 'error') return print(event)
    const known = errors.get(event.error.message)
    const now = clock.now()
    if (known !== undefined && now >= known.at && now < known.at + sameMs) return void (known.more += 1)
    for (const [message, { at }] of errors) if (now >= at + 2 * sameMs) errors.delete(message)
    errors.set(event.error.message, { at: now, more: 0 })
    print(event, known?.more)
  }
}

function printer(
  { hasJson, isColorless }: { readonly hasJson: boolean } & Pick<Invocation, 'isColorless'>,
  { stdout, stderr, cwd, env }: Pick<Io, 'stdout' | 'stderr' | 'cwd' | 'env'>,
  clock: Pick<Clock, 'now'>,
): (event: LogEvent, more?: number) => void {
  const style = styleOf(stderr, env, isColorless)
  if (!hasJson)
    return (event, more = 0) => {
      const lines = event.type === 'problem' ? findingLines(event.problem, cwd, style) : [textOf(event, more)]
      const begin = event.type === 'problem' || event.type === 'error' ? 'skills: ' : ''
      for (const line of lines) stderr.write(`${begin}${line}\n`)
    }
  return ({ type, ...event }, more = 0) => {
    const told = 'error' in event && event.error instanceof Error ? errorJson(event.error, more) : event
    const line = JSON.stringify({ at: new Date(clock.now()).toISOString(), event: type, ...told })
    stdout.write(`${printableJson(line)}\n`)
  }
}

const errorJson = (error: Error, more: number): object => ({
  code: SkillsError.is(error) ? error.code : null,
  message: error.message,
  ...(more > 0 && { timesBefore: more }),
})

function textOf(event: Exclude<LogEvent, { readonly type: 'problem' }>, more: number): string {
  switch (event.type) {
    case 'started': {
      const health = event.health === undefined ? '' : ` Health: ${event.health}/ready`
      return `Works on runs with ${event.skills} skills. Ctrl-C or SIGTERM lets runs end first; the second time it stops at once.${health}`
    }
    case 'error':
      return `${event.error.message}${more === 0 ? '' : ` (${counted(more, 'time')} more since the last line of it)`}`
    case 'run-begun': {
      const { run, skill, tenant, takenBefore, waitedMs } = event
      const of = tenant === undefined ? '' : ` for ${printableLine(tenant)}`
      const again = takenBefore === 0 ? '' : `, taken ${takenBefore === 1 ? 'once' : `${takenBefore} times`} before`
      return `Begins run ${printableLine(run)} of ${printableLine(skill)}${of}, submitted ${spanText(waitedMs)} ago${again}.`
    }
    case 'run-left': {
      const { run, state, ms, error } = event
      const why = error === undefined || state === 'done' ? '' : `: ${printableLine(error)}`
      return `Leaves run ${printableLine(run)} as ${state} after ${spanText(ms)}${why}`
    }
    case 'draining': {
      const { runs, drainMs } = event
      if (runs.length === 0) return 'Takes no more runs. None is left to end.'
      return `Takes no more runs, and gives ${spanText(drainMs)} to ${runs.map(printableLine).join(', ')}.`
    }
    case 'closed':
      return 'Stopped.'
  }
}
