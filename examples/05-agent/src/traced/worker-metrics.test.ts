import { metrics } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  type DataPoint,
  type ExponentialHistogram,
  type Histogram,
} from '@opentelemetry/sdk-metrics'
import { promptCommand, SkillsError } from '@skills/core'
import { telemetry } from '@skills/telemetry'
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { MemoryQueue, MemoryServer } from '../../../../plugins/runs-queue/test/memory-queue.js'
import { realPostgres } from '../../../../plugins/runs-queue/test/real-postgres.mjs'
import { realRedis } from '../../../../plugins/runs-queue/test/real-redis.mjs'
import { workersOf } from '../../../../plugins/runs-queue/test/workers.js'

const postgres = await realPostgres()
const redis = await realRedis()
afterAll(() => postgres.dispose())
afterAll(() => redis.dispose())

let figures: InMemoryMetricExporter
let meters: MeterProvider
beforeEach(() => {
  figures = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  meters = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter: figures })] })
  metrics.setGlobalMeterProvider(meters)
})
afterEach(async () => {
  await meters.shutdown()
  metrics.disable()
})

interface Point {
  readonly attributes: Readonly<Record<string, unknown>>
  /** Value of a counter or gauge, or the count of a histogram. */
  readonly value: number
  /** Sum of a histogram. */
  readonly sum?: number | undefined
}

/** Collects, and returns the points of a metric. */
async function points(name: string): Promise<readonly Point[]> {
  figures.reset()
  await meters.forceFlush()
  const found = figures.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(scope => scope.metrics))
  return found
    .filter(({ descriptor }) => descriptor.name === name)
    .flatMap(({ dataPoints }): readonly DataPoint<number | Histogram | ExponentialHistogram>[] => dataPoints)
    .map(({ attributes, value }) =>
      typeof value === 'number' ? { attributes, value } : { attributes, value: value.count, sum: value.sum },
    )
}

const byState = async (): Promise<Readonly<Record<string, number>>> =>
  Object.fromEntries(
    (await points('skills.queue.depth')).map(({ attributes, value }) => [attributes['skills.queue.job.state'], value]),
  )

const work = promptCommand({ name: 'work', source: 'user', context: 'fork', load: () => ({ template: 'Do it.' }) })
const question = { id: 'q', kind: 'permission', tool: 'Bash', content: 'git push', message: 'Push it?' } as const

describe.each([
  ['memory', 'memory', () => new MemoryServer(), ''],
  ['PostgreSQL', 'bullmq', () => postgres.url, postgres.missing ?? ''],
  ['Redis', 'bullmq', () => redis.url, redis.missing ?? ''],
])('a worker on %s', (_title, system, open, missing) => {
  describe.skipIf(missing !== '')(`of a queue${missing}`, () => {
    test('measures its queue, and what became of its runs', async () => {
      const yard = workersOf(open())
      let release = (): void => {}
      const released = new Promise<void>(resolve => (release = resolve))
      let isBegun = (): void => {}
      const begun = new Promise<void>(resolve => (isBegun = resolve))
      await yard.submit('one')
      const skills = await yard.start({
        commands: [work],
        concurrency: 1,
        more: [telemetry()],
        async does({ invocation: { run }, held }) {
          if (run === 'one') {
            isBegun()
            await released
          }
          if (run === 'asks' && held.record.epoch === 1) await held.ask(question)
          if (run === 'fails') throw new SkillsError('E_PROVIDER_FAILED', 'It fails.')
          return 'Done.'
        },
      })
      await begun
      for (const id of ['asks', 'fails']) await yard.submit(id, { attempts: 2, backoffMs: 1, priority: 1 })
      await yard.submit('later', { delayMs: 3_600_000 })
      expect(await byState()).toEqual({ waiting: 2, delayed: 1, active: 1 })
      const [age, ...others] = await points('skills.queue.oldest.age')
      expect([age?.attributes, others]).toEqual([
        { 'messaging.system': system, 'messaging.destination.name': expect.stringMatching(/^workers_/) },
        [],
      ])
      expect(age?.value).toBeGreaterThan(0)
      release()
      expect((await yard.runs.settled('asks')).state).toBe('waiting')
      expect((await yard.runs.settled('fails')).state).toBe('failed')
      await skills.close()

      const ofQueue = age?.attributes
      const labels = {
        ...ofQueue,
        'messaging.operation.name': 'process',
        'messaging.operation.type': 'process',
        'gen_ai.skill.name': 'work',
      }
      expect(await points('messaging.client.consumed.messages')).toEqual([{ attributes: labels, value: 4 }])
      expect(await points('skills.queue.retries')).toEqual([{ attributes: labels, value: 1 }])
      expect(await points('skills.queue.questions')).toEqual([{ attributes: labels, value: 1 }])
      const [wait] = await points('skills.queue.wait.duration')
      expect([wait?.attributes, wait?.value]).toEqual([labels, 3])
      expect(wait?.sum).toBeGreaterThan(0)
      const states = (await points('messaging.process.duration')).map(({ attributes, value }) => [
        attributes['skills.run.state'],
        attributes['error.type'],
        value,
      ])
      expect(states.toSorted()).toEqual([
        ['done', undefined, 1],
        ['failed', '_OTHER', 1],
        ['queued', undefined, 1],
        ['waiting', undefined, 1],
      ])
    })
  })
})

test('a queue whose server cannot be reached has no depth, and everything else is collected', async () => {
  const server = new MemoryServer()
  const yard = workersOf(server)
  const depth = vi.spyOn(MemoryQueue.prototype, 'depth').mockRejectedValue(new Error('The server is away.'))
  onTestFinished(() => depth.mockRestore())
  await yard.submit('one')
  const skills = await yard.start({ commands: [work], more: [telemetry()] })
  await yard.runs.settled('one')
  expect([await points('skills.queue.depth'), await points('skills.queue.oldest.age')]).toEqual([[], []])
  expect(depth).toHaveBeenCalled()
  expect((await points('messaging.client.consumed.messages')).map(({ value }) => value)).toEqual([1])
  await skills.close()
  depth.mockClear()
  await meters.forceFlush()
  // A closed worker asks its server no more.
  expect(depth).not.toHaveBeenCalled()
})
