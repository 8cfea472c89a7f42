import { SkillsError, type Clock, type Diagnostic } from '@skills/core'
import { spanText, type WorkerEvent } from '@skills/runs/internal'
import { findingLines } from '../../output/findings.js'
import { printableJson, printableLine } from '../../output/printable.js'
import { styleOf } from '../../output/style.js'
import type { Invocation } from '../../arguments/invocation.js'
import type { Io } from '../../io.js'

/** Event of the log of a worker. */
export type LogEvent =
  | WorkerEvent
  | { readonly type: 'started'; readonly skills: number; readonly health: string | undefined }
  | { readonly type: 'problem'; readonly problem: Diagnostic }
  | { readonly type: 'error'; readonly error: Error }

/**
 * Returns a function that prints events of a worker: for people on standard error, or as JSON objects on standard
 * output, one a line, each with the time and the name of the event.
 */
export function workerLog(
  { hasJson, isColorless }: { readonly hasJson: boolean } & Pick<Invocation, 'isColorless'>,
  { stdout, stderr, cwd, env }: Pick<Io, 'stdout' | 'stderr' | 'cwd' | 'env'>,
  clock: Pick<Clock, 'now'>,
): (event: LogEvent) => void {
  const style = styleOf(stderr, env, isColorless)
  if (!hasJson)
    return event => {
      const lines = event.type === 'problem' ? findingLines(event.problem, cwd, style) : [textOf(event)]
      const begin = event.type === 'problem' || event.type === 'error' ? 'skills: ' : ''
      for (const line of lines) stderr.write(`${begin}${line}\n`)
    }
  return ({ type, ...event }) => {
    const told = 'error' in event && event.error instanceof Error ? errorJson(event.error) : event
    const line = JSON.stringify({ at: new Date(clock.now()).toISOString(), event: type, ...told })
    stdout.write(`${printableJson(line)}\n`)
  }
}

const errorJson = (error: Error): object => ({
  code: SkillsError.is(error) ? error.code : null,
  message: error.message,
})

function textOf(event: Exclude<LogEvent, { readonly type: 'problem' }>): string {
  switch (event.type) {
    case 'started': {
      const health = event.health === undefined ? '' : ` Health: ${event.health}/ready`
      return `Works on runs with ${event.skills} skills. Ctrl-C or SIGTERM lets runs end first; the second time it stops at once.${health}`
    }
    case 'error':
      return event.error.message
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
