import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { processHost, systemClock } from '@skills/core'
import { LoggedRuns, openRunKeys, openRuns, type RunEntry, type RunLogs, type Runs } from '@skills/runs'
import { openQueuedRuns } from '@skills/runs-queue'
import { PostgresServer } from '../plugins/runs-queue/src/postgres-server.js'
import { RedisServer } from '../plugins/runs-queue/src/redis-server.js'
import { realPostgres } from '../plugins/runs-queue/test/real-postgres.mjs'
import { realRedis } from '../plugins/runs-queue/test/real-redis.mjs'
import pg from 'pg'

// Measures how long it takes to open a conversation, to list the latest runs, to see whether a run has changed, and to
// remove old runs, among many that have ended, on PostgreSQL, Redis and in a folder. Ends with 1 if one takes longer than
// its limit. It is built as bench/runs.ts says, with the name of this file:
//   node $out/runs-index.mjs 100000 [postgresql|redis|folder]
const count = Number(process.argv[2] ?? 100_000)
const only = process.argv[3]
/** Milliseconds. Removing has its limit for 100,000 runs. */
const limits = { conversation: 50, list: 50, prune: (10_000 * count) / 100_000 }
/** Runs of a conversation, and those of them whose report it does not have. */
const [ofSession, undelivered] = [100, 2]

const root = mkdtempSync(`${tmpdir()}/skills-bench-`)
const host = processHost({ home: root, env: {} })
const key = 'k'.repeat(32)
const name = 'bench'

interface Place {
  readonly title: string
  readonly logs: RunLogs
  readonly keys: ReturnType<typeof openRunKeys>
  readonly open: () => Runs & { readonly close?: () => Promise<void> }
  readonly where?: string
  readonly filled?: () => Promise<void>
}

/** Collects the entries of a run and appends them at once, because only the result of filling is measured. */
function collecting(logs: RunLogs): RunLogs {
  const collected = new Map<string, { readonly lines: string[]; readonly entries: RunEntry[] }>()
  return {
    read: (id, from = 0) => collected.get(id)?.lines.slice(from) ?? [],
    ids: () => [...collected.keys()],
    remove: () => false,
    async append(id, at, lines, entries, facts) {
      const run = collected.get(id) ?? { lines: [], entries: [] }
      if (run.lines.length !== at) return false
      run.lines.push(...lines)
      run.entries.push(...entries)
      const isLast = run.entries.some(({ type }) => type === 'ended')
      if (isLast) await logs.append(id, 0, run.lines, run.entries, facts)
      if (isLast) collected.delete(id)
      else collected.set(id, run)
      return true
    },
  }
}

/** Fills a place with runs of 8 entries and 3 KB, an hour old. */
async function fill({ logs, keys, where }: Place): Promise<void> {
  let left = count
  const old = { ...systemClock, now: () => systemClock.now() - 3_600_000 }
  const one = async (): Promise<void> => {
    const collected = collecting(logs)
    const runs = new LoggedRuns({
      logs: collected,
      keys,
      name: where,
      place: 'workers',
      clock: old,
      holder: () => ({ name: 'bench' }),
      isGone: () => false,
    })
    while (left > 0) {
      const at = (left -= 1)
      const id = `run-${at.toString(36).padStart(6, '0')}`
      const held = await runs.begin({
        id,
        skill: { name: 'work', source: 'user', digest: 'd'.repeat(64) },
        args: 'some arguments',
        caller: 'user',
        agent: 'general-purpose',
        tools: { without: [] },
        limits: { maxSteps: 5, ms: 60_000 },
        session: `conversation-${Math.floor(at / ofSession)}`,
        depth: 0,
        isBackground: true,
      })
      for (const step of ['model', 'tool'] as const)
        await held?.journal.step({ kind: step, key: step, input: { at }, idempotent: true }, async () =>
          'x'.repeat(700),
        )
      await held?.end({ state: at % 50 === 7 ? 'failed' : 'done', result: 'r'.repeat(500) })
    }
  }
  await Promise.all(Array.from({ length: 8 }, one))
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Milliseconds of processor time of this process so far. */
function cpuNow(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Returns the median of several times, and the processor time of one, in milliseconds. */
async function median(work: (at: number) => Promise<unknown>): Promise<{ readonly ms: number; readonly cpu: number }> {
  const times: number[] = []
  const before = cpuNow()
  for (let at = 0; at < 15; at++) times.push(await timed(() => work(at)))
  return { ms: times.toSorted((one, other) => one - other)[7] ?? NaN, cpu: (cpuNow() - before) / 15 }
}

/** Does what `skills runs --limit 20` does. */
async function list(runs: Runs): Promise<number> {
  const found = new Set<string>()
  for (const filter of [{ states: ['waiting', 'indeterminate'] as const }, {}])
    for await (const { id } of runs.each({ ...filter, limit: 21 })) found.add(id)
  return found.size
}

/** Switches off that PostgreSQL waits for the disk, while it is filled. */
async function flushing(title: string, url: string, isOn: boolean): Promise<void> {
  if (title !== 'PostgreSQL') return
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`alter system set fsync = ${isOn ? 'on' : 'off'}`)
  await client.query(`select pg_reload_conf()`)
  await client.end()
}

let isMissed = false
const shown = (ms: number, limit = Infinity): string => {
  isMissed ||= ms > limit
  return `${ms.toFixed(ms < 100 ? 1 : 0)} ms${ms > limit ? ` (limit ${limit})` : ''}`
}
const shownWith = ({ ms, cpu }: { readonly ms: number; readonly cpu: number }, limit?: number): string =>
  `${shown(ms, limit)} [${cpu.toFixed(1)}]`

async function measure(place: Place): Promise<void> {
  const filled = await timed(() => fill(place))
  await place.filled?.()
  const first = await timed(async () => {
    const opened = place.open()
    await list(opened)
    await opened.close?.()
  })
  const runs = place.open()
  for (let at = 0; at < count; at += ofSession)
    if (at < 20 * ofSession)
      for (let run = undelivered; run < ofSession; run++)
        await runs.delivered(`run-${(at + run).toString(36).padStart(6, '0')}`, `conversation-${at / ofSession}`)
  const listed = await median(() => list(runs))
  const conversation = await median(async at => {
    const found = await runs.find({
      session: `conversation-${at % Math.min(20, count / ofSession)}`,
      isDelivered: false,
    })
    if (found.length !== undelivered) throw new Error(`${found.length} reports were found.`)
  })
  const mark = await median(() => runs.mark())
  const before = cpuNow()
  let removed = 0
  const pruned = await timed(async () => {
    removed = (await runs.prune({ endedBefore: Date.now() - 60_000 })).removed.length
  })
  const cpu = cpuNow() - before
  if (removed !== count) throw new Error(`${removed} of ${count} runs were removed.`)
  await runs.close?.()
  console.log(
    `${place.title}, ${count} ended runs (made in ${(filled / 1000).toFixed(0)} s): a conversation opens in ${shownWith(conversation, limits.conversation)}, the latest 20 are listed in ${shownWith(listed, limits.list)} (the first time ${shown(first)}), a change is noticed in ${shownWith(mark)}, all are removed in ${shownWith({ ms: pruned, cpu }, limits.prune)}; in brackets the milliseconds of processor time of this process`,
  )
}

const options = { name, clock: systemClock, patienceMs: 5_000, lookMs: 60_000, onDiagnostic: () => {} }
try {
  for (const [title, start, serverOf] of [
    ['PostgreSQL', realPostgres, (url: string) => new PostgresServer({ connectionString: url }, options)],
    ['Redis', realRedis, (url: string) => new RedisServer(url, {}, options)],
  ] as const) {
    if (only !== undefined && only !== title.toLowerCase()) continue
    const server = await start()
    if (server.missing !== undefined && server.missing !== '') {
      console.log(`${title}${server.missing}`)
      continue
    }
    const logs = serverOf(server.url)
    await logs.open()
    await flushing(title, server.url, false)
    const keys = openRunKeys(host, { keys: [key] })
    const open = (): ReturnType<Place['open']> => openQueuedRuns(host, { url: server.url, name, key })
    const filled = (): Promise<void> => flushing(title, server.url, true)
    await measure({ title, logs, keys, open, where: name, filled })
    await logs.close()
    await server.dispose()
  }
  if (only === undefined || only === 'folder') {
    const folder = `${root}/runs`
    const open = (): Runs => openRuns(host, { dir: folder })
    // The disk is not waited for, and the index is made with the first question.
    const unflushed: RunLogs = {
      read: () => [],
      ids: () => [],
      remove: () => false,
      append(id, _at, lines) {
        mkdirSync(`${folder}/${id}`, { recursive: true, mode: 0o700 })
        writeFileSync(`${folder}/${id}/journal`, lines.map(line => `${line}\n`).join(''), { mode: 0o600 })
        return true
      },
    }
    await measure({ title: 'A folder', logs: unflushed, keys: openRunKeys(host, { folder }), open })
  }
} finally {
  rmSync(root, { recursive: true, force: true })
}
process.exitCode = isMissed ? 1 : 0
