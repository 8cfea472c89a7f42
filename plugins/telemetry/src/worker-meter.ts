import type { Attributes, MeterProvider } from '@opentelemetry/api'
import type { MeasuredQueue, MeasuredRun } from '@skills/invocation/internal'

/** Bucket boundaries, in seconds: a run takes seconds to minutes, and may wait for hours. */
const boundaries = [0.01, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 14_400]
/** States of runs that wait for a person. */
const asks: ReadonlySet<string> = new Set(['waiting', 'indeterminate'])

/**
 * Measures a worker by the messaging conventions, and with `skills.` what they do not name. The queue is asked whenever
 * the SDK collects metrics.
 */
export function measureWorker(
  provider: MeterProvider,
  library: string,
  { system, name, ask }: MeasuredQueue,
): { tell(run: MeasuredRun): void; end(): void } {
  const meter = provider.getMeter(library)
  const queue: Attributes = { 'messaging.system': system, 'messaging.destination.name': name }
  const operation: Attributes = {
    ...queue,
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
  }
  const seconds = { unit: 's', advice: { explicitBucketBoundaries: boundaries } }
  const begun = meter.createCounter('messaging.client.consumed.messages', { unit: '{message}' })
  const duration = meter.createHistogram('messaging.process.duration', seconds)
  const wait = meter.createHistogram('skills.queue.wait.duration', seconds)
  const retries = meter.createCounter('skills.queue.retries', { unit: '{run}' })
  const questions = meter.createCounter('skills.queue.questions', { unit: '{question}' })
  const depth = meter.createObservableGauge('skills.queue.depth', { unit: '{run}' })
  const age = meter.createObservableGauge('skills.queue.oldest.age', { unit: 's' })
  const observed = [depth, age]

  const observe: Parameters<typeof meter.addBatchObservableCallback>[0] = async result => {
    // While the server cannot be reached, these two have no value.
    const found = await ask().catch(() => undefined)
    if (found === undefined) return
    for (const [state, count] of Object.entries(found.runs))
      result.observe(depth, count, { ...queue, 'skills.queue.job.state': state })
    result.observe(age, found.oldestMs / 1000, queue)
  }
  meter.addBatchObservableCallback(observe, observed)

  return {
    tell(run) {
      const { skill, model } = run
      const labels = {
        ...operation,
        'gen_ai.skill.name': skill,
        ...(model !== undefined && { 'gen_ai.request.model': model }),
      }
      if (run.type === 'run-begun') {
        begun.add(1, labels)
        if (run.takenBefore === 0) wait.record(run.waitedMs / 1000, labels)
        return
      }
      const { state, ms, error } = run
      duration.record(ms / 1000, {
        ...labels,
        'skills.run.state': state,
        // A message may contain anything, and each value makes a separate series.
        ...(state === 'failed' && { 'error.type': /^E_[A-Z_]+$/.test(error ?? '') ? error : '_OTHER' }),
      })
      if (state === 'queued') retries.add(1, labels)
      if (asks.has(state)) questions.add(1, labels)
    },
    end: () => meter.removeBatchObservableCallback(observe, observed),
  }
}
