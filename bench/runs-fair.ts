import { defineProvider, processHost, type Skills } from '@skills/core'
import { openQueuedRuns, queuedRuns, startWorker, type OpenedRuns, type WorkerOptions } from '@skills/runs-queue'
import { specOf } from '../packages/runs/test/spec-of.js'
import { realPostgres } from '../plugins/runs-queue/test/real-postgres.mjs'
import { realRedis } from '../plugins/runs-queue/test/real-redis.mjs'
import { forkingEngine } from './forking-engine.js'
import type { RunSpec } from '@skills/runs'

// Measures whether limits leave workers idle and whether runs wait for others, on PostgreSQL and Redis, with runs that
// take a fixed time: how long many runs of a tenant take within its limit, compared with the ideal time, and how long
// runs of other tenants wait meanwhile: with more places than the limit, and with as many. Ends with 1 if one is longer
// than its limit. It is built as bench/runs.ts says, with the name of this file:
//   node $out/runs-fair.mjs 1000 500 [postgresql|redis]
const count = Number(process.argv[2] ?? 1_000)
/** Milliseconds that a run takes. */
const runMs = Number(process.argv[3] ?? 500)
const only = process.argv[4]
/** Runs of the tenant at the same time. */
const most = 8
const host = processHost({ home: '/nonexistent', env: {} })
const key = 'k'.repeat(32)

const spec = (id: string): RunSpec => ({
  ...specOf(id),
  skill: { name: 'work', source: 'user', digest: 'd' },
  limits: { maxSteps: 5, ms: 60_000 },
})

/** Workers of one queue, and when their runs were submitted and begun. */
class Yard {
  readonly runs: OpenedRuns
  readonly begun = new Map<string, number>()
  readonly submitted = new Map<string, number>()
  readonly #running = new Map<string, number>()
  /** Most runs of each tenant at the same time. */
  readonly most = new Map<string, number>()
  readonly #workers: { close(): Promise<void> }[] = []

  constructor(private readonly options: { readonly url: string; readonly name: string }) {
    this.runs = openQueuedRuns(host, { ...options, key })
  }

  async submit(id: string, job: RunSpec['job']): Promise<void> {
    this.submitted.set(id, performance.now())
    await this.runs.submit({ ...spec(id), ...(job !== undefined && { job }) })
  }

  async start(options: WorkerOptions): Promise<void> {
    this.#workers.push(await startWorker(this.#engine(), options))
  }

  async close(): Promise<void> {
    for (const worker of this.#workers) await worker.close()
    await this.runs.close()
  }

  /** Milliseconds for which a run waited. */
  waited(id: string): number {
    return (this.begun.get(id) ?? Infinity) - (this.submitted.get(id) ?? 0)
  }

  #engine(): Skills {
    const fork = defineProvider({
      kind: 'executor',
      id: 'fork',
      wants: ['runs'],
      setup: ctx => ({
        execute: async ({ run = '' }) => {
          const held = await (await ctx.use('runs').first(one => one))?.take(run)
          const tenant = held?.record.job?.tenant ?? ''
          const running = (this.#running.get(tenant) ?? 0) + 1
          this.#running.set(tenant, running)
          this.most.set(tenant, Math.max(running, this.most.get(tenant) ?? 0))
          this.begun.set(run, performance.now())
          await new Promise(resolve => setTimeout(resolve, runMs))
          this.#running.set(tenant, (this.#running.get(tenant) ?? 0) - 1)
          await held?.end({ state: 'done', result: 'Done.' })
          return { data: { success: true, commandName: '', status: 'forked' }, newMessages: [] }
        },
      }),
    })
    return forkingEngine(host, [fork, queuedRuns({ ...this.options, key })])
  }
}

let isMissed = false
const shown = (value: number, limit: number, digits = 2): string => {
  isMissed ||= !(value <= limit)
  return `${value.toFixed(digits)}${value <= limit ? '' : ` (limit ${limit})`}`
}

/** Submits runs, of which 16 at the same time. */
async function submitAll(yard: Yard, ids: readonly string[], job: RunSpec['job']): Promise<void> {
  const left = [...ids]
  const next = async (): Promise<void> => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) await yard.submit(id, job)
  }
  await Promise.all(Array.from({ length: 16 }, next))
}

const named = (prefix: string, many: number): readonly string[] =>
  Array.from({ length: many }, (_none, at) => `${prefix}-${at}`)
const ended = (yard: Yard, ids: readonly string[]): Promise<unknown> =>
  Promise.all(ids.map(id => yard.runs.settled(id)))

/** Many runs of a tenant with a limit, beside a run of another tenant now and then. */
async function tenants(title: string, url: string, places: number): Promise<void> {
  const yard = new Yard({ url, name: `fair${places}` })
  const ids = named('acme', count)
  await submitAll(yard, ids, { tenant: 'acme' })
  const start = performance.now()
  const used = process.cpuUsage()
  for (let worker = 0; worker < 2; worker++) await yard.start({ concurrency: places / 2, tenants: { acme: most } })
  let isOver = false
  const others: string[] = []
  const visiting = (async () => {
    for (let at = 0; !isOver; at++) {
      others.push(`other-${at}`)
      await yard.submit(`other-${at}`, { tenant: `other ${at}` })
      await new Promise(resolve => setTimeout(resolve, 2.3 * runMs))
    }
  })()
  await ended(yard, ids)
  isOver = true
  const ms = performance.now() - start
  const { user, system } = process.cpuUsage(used)
  await visiting
  await ended(yard, others)
  // Without a place of its own, a run of another tenant takes a place from those of the tenant.
  const work = places > most ? count : count + others.length
  const waits = others.map(id => yard.waited(id) / runMs).toSorted((one, other) => one - other)
  const inOrder = ids.map(id => yard.begun.get(id) ?? Infinity)
  const late = inOrder.map((at, place) => inOrder.slice(place + 1).filter(later => later < at).length)
  console.log(
    `${title}, ${places} places: ${count} runs of a tenant, ${most} at a time, take ${shown((ms * most) / work / runMs, 1.2)} of the ideal time (${yard.most.get('acme')} at the same time, ${((user + system) / 1000 / work).toFixed(1)} ms of processor time each, at most ${Math.max(...late)} were overtaken by); ${others.length} runs of other tenants wait for ${shown(waits.at(-1) ?? 0, places > most ? 1 : Infinity)} of a run at most, ${waits[waits.length >> 1]?.toFixed(2)} in the middle`,
  )
  await yard.close()
}

for (const [title, start] of [
  ['PostgreSQL', realPostgres],
  ['Redis', realRedis],
] as const) {
  if (only !== undefined && only !== title.toLowerCase()) continue
  const server = await start()
  if (server.missing !== undefined) console.log(`${title}${server.missing}`)
  else
    try {
      await tenants(title, server.url, 2 * most)
      await tenants(title, server.url, most)
    } finally {
      await server.dispose()
    }
}
process.exitCode = isMissed ? 1 : 0
