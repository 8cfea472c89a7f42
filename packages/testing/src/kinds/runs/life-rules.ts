import type { PruneOptions, RunFilter } from '@skills/runs/internal'
import { specOf, toolStep, type RunsRule } from './runs-trial.js'

/** Rules for a run from submission to report. */
export const lifeRules: readonly RunsRule[] = [
  {
    name: 'submit',
    rule: 'a run that is submitted is queued with all that it is asked for, for every process, and once',
    async check(trial) {
      const { runs, other } = await trial.runs()
      const spec = specOf({ model: 'large', effort: 'high', parentId: 'run-0', toolUseId: 'call-1' })
      const record = await trial.answer('submit()', () => runs.submit(spec))
      const { state, epoch, version } = record
      trial.expectSame('state, epoch and version', [state, epoch, version], ['queued', 0, 1])
      const read = await trial.answer('get()', () => other.get(spec.id))
      trial.expectSame('what another process reads', read, record)
      for (const [key, value] of Object.entries(spec)) trial.expectSame(key, Reflect.get(read, key), value)
      await trial.answer('submit() again', () => other.submit({ ...spec, args: 'other' }))
      trial.expectSame('its arguments', (await runs.get(spec.id)).args, spec.args)
    },
  },
  {
    name: 'take',
    rule: 'a run is taken by one process at a time, and again once it was released',
    async check(trial) {
      const { runs, other } = await trial.runs()
      const spec = specOf()
      await trial.answer('submit()', () => runs.submit(spec))
      const both = await Promise.allSettled([runs.take(spec.id), other.take(spec.id)])
      const [held, ...more] = both.flatMap(one => (one.status === 'fulfilled' ? one.value : []))
      if (held === undefined || more.length > 0) return trial.broken(`${both.length} took it at one moment.`)
      await trial.expectCode('take() of a run that is at work', 'E_RUN_STATE', () => runs.take(spec.id))
      await trial.answer('release()', () => held.release('closed'))
      trial.expectSame('its state', (await other.get(spec.id)).state, 'queued')
      await trial.answer('take()', () => other.take(spec.id))
    },
  },
  {
    name: 'end',
    rule: 'a run ends once, and its report is marked as delivered once',
    async check(trial) {
      const { runs, other } = await trial.runs()
      const spec = specOf()
      const held = await trial.answer('begin()', () => runs.begin(spec))
      if (held === undefined || (await other.begin(spec)) !== undefined)
        return trial.broken('begin() records and takes a run that there is not yet, and no other.')
      const { id } = held.record
      const settled = trial.answer('settled()', () => other.settled(id))
      await trial.expectCode('delivered() before the end', 'E_RUN_STATE', () => other.delivered(id, 'conversation-1'))
      await trial.answer('end()', () => held.end({ state: 'done', result: 'Done.', usage: { steps: 2 } }))
      const { state, result, usage } = await settled
      trial.expectSame('how it ended', [state, result, usage], ['done', 'Done.', { steps: 2 }])
      await trial.expectCode('take()', 'E_RUN_STATE', () => runs.take(id))
      await trial.answer('delivered()', () => runs.delivered(id, 'conversation-1'))
      const { delivered } = await trial.answer('delivered() again', () => other.delivered(id, 'conversation-2'))
      trial.expectSame('who has its report', delivered, 'conversation-1')
    },
  },
  {
    name: 'cancel',
    rule: 'a run is cancelled at once where no process works on it; else its process hears of it',
    async check(trial) {
      const { runs, other } = await trial.runs()
      const spec = specOf()
      await trial.answer('submit()', () => runs.submit(spec))
      trial.expectSame('its state', (await other.cancel(spec.id)).state, 'cancelled')
      const held = await trial.held(runs)
      const heard = new Promise<void>(resolve => held.signal.addEventListener('abort', () => resolve()))
      await trial.answer('cancel()', () => other.cancel(held.record.id))
      await trial.within('the signal of a run that was cancelled', heard)
      await trial.answer('end()', () => held.end({ state: 'cancelled' }))
      trial.expectSame('its state', (await other.get(held.record.id)).state, 'cancelled')
      await trial.expectCode('cancel() after the end', 'E_RUN_STATE', () => other.cancel(held.record.id))
    },
  },
  {
    name: 'retry',
    rule: 'a run that failed goes on after its last step, or, where that is asked for, from its beginning',
    async check(trial) {
      const { runs, other } = await trial.runs()
      const held = await trial.held(runs)
      const { id } = held.record
      await trial.expectCode('retry() of a run at work', 'E_RUN_STATE', () => other.retry(id))
      await trial.stepOf(held, toolStep())
      await trial.answer('end()', () => held.end({ state: 'failed', error: { code: 'E_TIMEOUT', message: 'Late.' } }))
      trial.expectSame('its error', (await other.get(id)).error, { code: 'E_TIMEOUT', message: 'Late.' })
      await trial.answer('retry()', () => other.retry(id))
      const second = await trial.answer('take()', () => runs.take(id))
      trial.expectSame('the step', await trial.stepOf(second, toolStep()), ['made', 0])
      await trial.answer('end()', () => second.end({ state: 'failed', error: { message: 'Late.' } }))
      await trial.answer('retry() anew', () => other.retry(id, { fresh: true }))
      const third = await trial.answer('take()', () => runs.take(id))
      trial.expectSame('the step', await trial.stepOf(third, toolStep({ input: 'another' })), ['made', 1])
    },
  },
  {
    name: 'find',
    rule: 'runs are found by their conversation and their state, the oldest first, and no more once they were removed',
    async check(trial) {
      const { runs, other } = await trial.runs()
      const session = `conversation-${crypto.randomUUID()}`
      const [first, second] = [specOf({ session }), specOf({ session })]
      await trial.answer('submit()', () => runs.submit(first))
      await trial.answer('submit()', () => runs.submit(second))
      await trial.answer('submit()', () => runs.submit(specOf()))
      const ids = async (): Promise<readonly string[]> => (await other.find({ session })).map(({ id }) => id)
      trial.expectSame('the runs of a conversation', (await ids()).toSorted(), [first.id, second.id].toSorted())
      await trial.expectCode('remove() before the end', 'E_RUN_STATE', () => runs.remove(first.id))
      await trial.answer('cancel()', () => runs.cancel(first.id))
      const byId: string[] = []
      for await (const { id } of other.each({ id: first.id, session })) byId.push(id)
      trial.expectSame('those whose ids begin so', byId, [first.id])
      const queued = await trial.answer('find()', () => other.find({ session, states: ['queued'] }))
      trial.expectSame(
        'those that are queued',
        queued.map(({ id }) => id),
        [second.id],
      )
      await trial.answer('remove()', () => runs.remove(first.id))
      trial.expectSame('what is left', await ids(), [second.id])
      for (const work of [() => runs.get(first.id), () => other.take(first.id), () => runs.cancel('../etc')])
        await trial.expectCode('a run that there is not', 'E_RUN_UNKNOWN', work)
    },
  },
  {
    name: 'latest',
    rule: 'the latest runs are found up to a limit, and by their tenant, their end and whether a conversation has their report',
    async check(trial) {
      const { runs, other } = await trial.runs()
      const session = `conversation ${crypto.randomUUID()} 😀`
      const specs = ['a', 'b', undefined].map(tenant => specOf({ session, job: { tenant } }))
      const [first, second, third] = specs.map(({ id }) => id)
      const times = new Map<string, number>()
      for (const spec of specs) times.set(spec.id, (await trial.answer('submit()', () => runs.submit(spec))).queuedAt)
      const ids = async (filter: RunFilter): Promise<readonly string[]> =>
        (await trial.answer('find()', () => other.find({ session, ...filter }))).map(({ id }) => id).toSorted()
      const [latest, ...more] = await ids({ limit: 1 })
      const newest = Math.max(...times.values())
      trial.expectSame('the latest one', [times.get(latest ?? ''), more.length], [newest, 0])
      trial.expectSame('how many of the latest two', (await ids({ limit: 2 })).length, 2)
      trial.expectSame('the runs of a tenant', await ids({ tenant: 'b' }), [second])
      const held = await trial.answer('take()', () => runs.take(first ?? ''))
      await trial.answer('end()', () => held.end({ state: 'done' }))
      await trial.answer('cancel()', () => runs.cancel(second ?? ''))
      const { endedAt = NaN } = await runs.get(first ?? '')
      trial.expectSame('those that ended', await ids({ states: ['done', 'failed'] }), [first])
      trial.expectSame('those that ended before', await ids({ endedBefore: endedAt }), [])
      const both = [first, second].toSorted()
      trial.expectSame('those that ended by then', await ids({ endedBefore: Number.MAX_SAFE_INTEGER }), both)
      await trial.answer('delivered()', () => other.delivered(first ?? '', session))
      trial.expectSame('those with a report', await ids({ isDelivered: true }), [first])
      trial.expectSame('those without', await ids({ isDelivered: false }), [second, third].toSorted())
      await trial.answer('retry()', () => other.retry(second ?? ''))
      trial.expectSame('those that are queued', await ids({ states: ['queued'] }), [second, third].toSorted())
      trial.expectSame('one of those', (await ids({ states: ['queued'], limit: 1 })).length, 1)
    },
  },
  {
    name: 'prune',
    rule: 'runs that ended before a time are removed together, and no others',
    async check(trial) {
      const { runs, other } = await trial.runs()
      const [open, done, cancelled, delivered] = [specOf(), specOf(), specOf(), specOf()]
      for (const spec of [open, done, cancelled, delivered]) await trial.answer('submit()', () => runs.submit(spec))
      for (const { id } of [done, delivered]) {
        const held = await trial.answer('take()', () => runs.take(id))
        await trial.answer('end()', () => held.end({ state: 'done' }))
      }
      await trial.answer('delivered()', () => runs.delivered(delivered.id, delivered.session))
      await trial.answer('cancel()', () => runs.cancel(cancelled.id))
      const later = Number.MAX_SAFE_INTEGER
      const changed = async (before: string): Promise<void> => {
        while ((await other.mark()) === before) await new Promise(resolve => setImmediate(resolve))
      }
      const before = await trial.answer('mark()', () => other.mark())
      const ids = async (options: PruneOptions): Promise<unknown> => {
        const { removed, kept } = await trial.answer('prune()', () => other.prune(options))
        return [removed.toSorted(), kept]
      }
      trial.expectSame('what ended long ago', await ids({ endedBefore: 0 }), [[], 3])
      const trialOf = { endedBefore: later, states: ['cancelled'], isTrial: true } as const
      trial.expectSame('what would be removed', await ids(trialOf), [[cancelled.id], 0])
      const dones = [delivered.id, done.id].toSorted()
      trial.expectSame('what is removed', await ids({ endedBefore: later, states: ['done'] }), [dones, 0])
      await trial.expectCode('get()', 'E_RUN_UNKNOWN', () => runs.get(done.id))
      trial.expectSame('the rest', await ids({ endedBefore: later }), [[cancelled.id], 0])
      trial.expectSame('its state', (await runs.get(open.id)).state, 'queued')
      await trial.within('another mark after runs were removed', changed(before))
      const after = await trial.answer('mark()', () => other.mark())
      await trial.answer('cancel()', () => runs.cancel(open.id))
      await trial.within('another mark after a change', changed(after))
    },
  },
  {
    name: 'remove-or-retry',
    rule: 'of two that remove a run and queue it again at one moment one is refused, and what the other did stands',
    async check(trial) {
      const { runs, other } = await trial.runs()
      for (let at = 0; at < 5; at++) {
        const { id } = await trial.answer('submit()', () => runs.submit(specOf()))
        await trial.answer('cancel()', () => runs.cancel(id))
        const [removed, retried] = await Promise.allSettled([runs.remove(id), other.retry(id)])
        trial.expectSame('how many were refused', [removed, retried].filter(one => one.status === 'rejected').length, 1)
        if (removed.status === 'rejected')
          trial.expectSame('its state', (await trial.answer('get()', () => runs.get(id))).state, 'queued')
        else await trial.expectCode('get()', 'E_RUN_UNKNOWN', () => other.get(id))
      }
    },
  },
]
