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
const ended = ['done', 'failed', 'cancelled'] as const

/** `skills runs prune`. See docs/reference/runs.md, "At the command line". */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  return withRuns(invocation, io, async runs => {
    const { json } = invocation
    const age = invocation.text('--older-than')
    const olderMs = age === undefined ? keptMs : ageOf(age)
    const states = statesOf(invocation, [...ended, 'unsigned'])
    const isTrial = invocation.has('--dry-run')
    // A run that ended at this very moment is old enough for an age of 0 s.
    const endedBefore = hostOf(invocation, io).clock.now() - olderMs + 1
    const own = ended.filter(state => states?.includes(state) !== false)
    const pruned = own.length === 0 ? undefined : await runs.prune({ endedBefore, states: own, isTrial })
    const removed = [...(pruned?.removed ?? [])]
    const kept = pruned?.kept ?? 0
    if (states?.includes('unsigned') === true)
      for await (const record of runs.each())
        if (stateOf(record) === 'unsigned' && (isTrial || (await isRemoved(runs, record.id)))) removed.push(record.id)
    if (json) writeJson({ removed, kept }, io.stdout)
    else {
      const rest = kept === 0 ? '' : ` ${counted(kept, 'run')} ended later and stay${kept === 1 ? 's' : ''}.`
      io.stdout.write(`${counted(removed.length, 'run')} ${isTrial ? 'would be ' : ''}removed.${rest}\n`)
    }
    return exitCodes.ok
  })
}

/** Removes a run that no key signed, of any age. Returns false if another process removed it. */
async function isRemoved(runs: Runs, id: string): Promise<boolean> {
  try {
    await runs.remove(id, { unsigned: true })
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
