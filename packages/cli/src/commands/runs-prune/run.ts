import { SkillsError } from '@skills/core'
import { exitCodes, type Io } from '../../io.js'
import { UsageError } from '../../arguments/usage-error.js'
import { hostOf } from '../../engine/engine.js'
import { counted } from '../../output/problems.js'
import { writeJson } from '../../output/write-json.js'
import { stateOf } from '../../runs/text.js'
import { statesOf, withRuns } from '../../runs/with-runs.js'
import type { Runs } from '@skills/runs'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** Milliseconds in each unit of an age. */
const unitMs = new Map(Object.entries({ s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }))
/** Milliseconds after its end that a run is kept by default. */
const keptMs = 7 * 86_400_000

/** `skills runs prune`. See docs/reference/runs.md, "At the command line". */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  return withRuns(invocation, io, async runs => {
    const { json } = invocation
    const age = invocation.text('--older-than')
    const olderMs = age === undefined ? keptMs : ageOf(age)
    const ended = ['done', 'failed', 'cancelled'] as const
    const states: readonly string[] = statesOf(invocation, [...ended, 'unsigned']) ?? ended
    const before = hostOf(invocation, io).clock.now() - olderMs
    const removed: string[] = []
    let kept = 0
    for await (const record of runs.each()) {
      if (!states.includes(stateOf(record))) continue
      // An unreadable record has no known end, so its age does not count.
      const unsigned = 'problem' in record
      if (!unsigned && (record.endedAt ?? Infinity) > before) {
        kept += 1
        continue
      }
      const isGone = invocation.has('--dry-run') || (await isRemoved(runs, record.id, unsigned))
      if (isGone) removed.push(record.id)
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
  })
}

/** Removes a run. Returns false if it was queued again in the meantime, or if another process removed it. */
async function isRemoved(runs: Runs, id: string, unsigned: boolean): Promise<boolean> {
  try {
    await runs.remove(id, { unsigned })
    return true
  } catch (error) {
    if (SkillsError.is(error) && (error.code === 'E_RUN_STATE' || error.code === 'E_RUN_UNKNOWN')) return false
    throw error
  }
}

function ageOf(text: string): number {
  const [, count, unit = ''] = /^(\d{1,9})([smhdw])$/.exec(text) ?? []
  const ms = Number(count) * (unitMs.get(unit) ?? NaN)
  if (Number.isNaN(ms))
    throw new UsageError(`The option --older-than needs an age such as 90m, 12h, 7d or 0s, but was given "${text}".`)
  return ms
}
