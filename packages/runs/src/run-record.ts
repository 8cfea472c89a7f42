import { createHash } from 'node:crypto'
import { runError } from './run-error.js'
import { isEnded, runStates, runVersion, type RunEntry, type RunRecord } from './run.js'
import type { RunFilter } from './runs.js'

/**
 * Returns the record of a run after an entry; the same object if the entry does not count, because it comes after the
 * end, is of an earlier holder, or answers another question. Throws `E_RUN_JOURNAL` for a later version.
 */
export function recordAfter(record: RunRecord | undefined, entry: RunEntry): RunRecord | undefined {
  if (entry.type === 'queued') return record ?? queuedRecord(entry)
  if (record === undefined) return undefined
  // Any other entry after the end is from a process that did not know of it.
  if (isEnded(record) && entry.type !== 'retried' && entry.type !== 'delivered') return record
  if ('epoch' in entry && entry.type !== 'taken' && entry.epoch !== record.epoch) return record
  if (entry.type === 'answered' && record.question?.id !== entry.question) return record
  return { ...record, ...changed(record, entry) }
}

function queuedRecord({ version, spec, at }: RunEntry & { readonly type: 'queued' }): RunRecord {
  if (version !== runVersion)
    throw runError(
      'E_RUN_JOURNAL',
      `A run was written by a later version of this program (its version is ${version}), so this version leaves the run unchanged.`,
      'Update this program.',
    )
  return {
    ...spec,
    version,
    state: 'queued',
    epoch: 0,
    isCancelling: false,
    progress: { steps: 0, calls: 0 },
    queuedAt: at,
    entries: 0,
  }
}

function changed(record: RunRecord, entry: RunEntry): Partial<RunRecord> {
  const { progress } = record
  switch (entry.type) {
    case 'taken':
      return { state: 'running', epoch: entry.epoch, holder: entry.holder, startedAt: record.startedAt ?? entry.at }
    case 'begun':
      return { progress: { ...progress, last: entry.title ?? entry.key } }
    case 'finished': {
      const [steps, calls] = [entry.kind === 'model' ? 1 : 0, entry.kind === 'tool' ? 1 : 0]
      return { progress: { ...progress, steps: progress.steps + steps, calls: progress.calls + calls } }
    }
    case 'asked':
      return { question: entry.question, state: entry.question.kind === 'permission' ? 'waiting' : 'indeterminate' }
    case 'parked':
      return { holder: undefined }
    case 'released':
      return {
        holder: undefined,
        state: record.question === undefined ? 'queued' : record.state,
        ...(entry.isFailure === true && { failures: (record.failures ?? 0) + 1 }),
      }
    case 'restarted':
      return { progress: { steps: 0, calls: 0 } }
    case 'answered':
      return { question: undefined, state: record.holder === undefined ? 'queued' : 'running' }
    case 'cancelling':
      return { isCancelling: true }
    case 'retried': {
      const gone = { holder: undefined, question: undefined, error: undefined, result: undefined, usage: undefined }
      return {
        ...gone,
        state: 'queued',
        isCancelling: false,
        delivered: undefined,
        endedAt: undefined,
        failures: undefined,
      }
    }
    case 'delivered':
      return { delivered: entry.session }
    case 'ended': {
      const { state, result, usage, error, at } = entry
      return { state, result, usage, error, endedAt: at, holder: undefined, question: undefined }
    }
    case 'queued':
      return {}
  }
}

/** Facts of a run by which a storage of journals finds it. `session` and `tenant` are made by {@link indexKey}. */
export interface RunFacts extends Pick<RunRecord, 'state' | 'session' | 'queuedAt' | 'endedAt'> {
  readonly tenant: string | undefined
  readonly isDelivered: boolean
}

/** Returns the facts of a run. */
export function factsOf({ state, session, queuedAt, endedAt, job, delivered }: RunRecord): RunFacts {
  const tenant = job?.tenant === undefined ? undefined : indexKey(job.tenant)
  return { state, session: indexKey(session), queuedAt, endedAt, tenant, isDelivered: delivered !== undefined }
}

/** Returns a text as an index stores it: itself, or its digest if it is long or has other characters. */
export const indexKey = (text: string): string =>
  /^[\w.:-]{1,128}$/.test(text) ? text : createHash('sha256').update(text).digest('hex')

/** True if a run with these facts matches the conditions of a filter, whose texts are made by {@link indexKey}. */
export function isAmong(
  facts: RunFacts,
  { states, session = facts.session, tenant = facts.tenant, isDelivered = facts.isDelivered, endedBefore }: RunFilter,
): boolean {
  if (session !== facts.session || tenant !== facts.tenant || isDelivered !== facts.isDelivered) return false
  if (states !== undefined && !states.includes(facts.state)) return false
  return endedBefore === undefined || (isEnded(facts) && (facts.endedAt ?? Infinity) < endedBefore)
}

/** Encodes facts as one line without tabs. */
export function encodeFacts({ state, queuedAt, endedAt, isDelivered, session, tenant }: RunFacts): string {
  return [state, queuedAt, endedAt ?? '', isDelivered ? 1 : 0, session, tenant ?? ''].join(' ')
}

/** Decodes facts. Returns undefined for any other text. */
export function decodeFacts(text: string): RunFacts | undefined {
  const [state, queuedAt = '', endedAt, isDelivered = '', session, tenant, ...more] = text.split(' ')
  const known = runStates.find(one => one === state)
  if (known === undefined || tenant === undefined || session === undefined || more.length > 0) return undefined
  if (![queuedAt, endedAt || '0'].every(time => Number.isFinite(Number(time) || NaN) || time === '0')) return undefined
  return {
    state: known,
    queuedAt: Number(queuedAt),
    endedAt: endedAt === '' ? undefined : Number(endedAt),
    isDelivered: isDelivered === '1',
    session,
    tenant: tenant === '' ? undefined : tenant,
  }
}
