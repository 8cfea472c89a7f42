import { encodeFacts, type IndexedRuns, type RunFacts, type RunFilter } from '@skills/runs/internal'
import type { RunLogs } from '@skills/runs'
import { redisProblems, type RedisSettings } from './durability.js'
import { installed, queueError, tooNew } from './queue-error.js'
import { indexedRuns, indexing, learnFacts, textsOf } from './redis-index.js'
import {
  deadlineIn,
  givenOf,
  isOpenAfter,
  isQueueing,
  needsJob,
  patiently,
  repeated,
  wakingMs,
  Watchers,
  type BullmqJobs,
  type BullmqServer,
  type BullmqWorker,
  type JobData,
  type Place,
  type ServerOptions,
} from './bullmq-server.js'
import type { ConnectionOptions } from 'bullmq'
import type { Redis, RedisOptions } from 'ioredis'

/** Version of the keys below. */
const version = 1

/** Returns ids and lines of those lists that are short enough to be read together. */
const journals = `
local found = {}
for _, id in ipairs(ARGV) do
  local lines, bytes = redis.call('lrange', KEYS[1] .. id, 0, -1), 0
  for _, line in ipairs(lines) do bytes = bytes + #line end
  if #lines > 0 and bytes < 100000 then table.insert(found, { id, lines }) end
end
return found`

/** Appends lines to a list if it has exactly this many. */
const append = `${indexing}
if redis.call('llen', KEYS[1]) ~= tonumber(ARGV[1]) then return 0 end
redis.call('rpush', KEYS[1], unpack(ARGV, 9))
local open = redis.call('zscore', KEYS[3], ARGV[2])
if ARGV[3] == '0' then redis.call('zrem', KEYS[3], ARGV[2])
elseif not open or ARGV[4] == '1' then
  local now = redis.call('time')
  redis.call('zadd', KEYS[3], now[1] * 1000 + math.floor(now[2] / 1000), ARGV[2])
end
local time = redis.call('time')
time = time[1] * 1000 + math.floor(time[2] / 1000)
if ARGV[6] == '1' then redis.call('zadd', KEYS[5], time, ARGV[2])
elseif ARGV[3] == '0' or ARGV[4] == '1' then redis.call('zrem', KEYS[5], ARGV[2]) end
if ARGV[7] == 'end' then redis.call('zrem', KEYS[6], ARGV[2])
elseif ARGV[7] ~= '' then redis.call('zadd', KEYS[6], time + ARGV[7], ARGV[2]) end
redis.call('sadd', KEYS[2], ARGV[2])
if ARGV[8] == '' then forget({ ARGV[2] }) else learn(ARGV[2], redis.call('llen', KEYS[1]), ARGV[8]) end
redis.call('publish', KEYS[4], ARGV[5] .. ARGV[2])
return 1`

/** Removes lists that have exactly as many lines as follow their ids, and returns the ids. */
const remove = `${indexing}
local gone, lists = {}, {}
for at = 2, #ARGV, 2 do
  local list = KEYS[1] .. ARGV[at]
  if redis.call('llen', list) == tonumber(ARGV[at + 1]) then
    table.insert(gone, ARGV[at])
    table.insert(lists, list)
  end
end
if #gone > 0 then
  redis.call('del', unpack(lists))
  redis.call('srem', KEYS[2], unpack(gone))
  for key = 3, 5 do redis.call('zrem', KEYS[key], unpack(gone)) end
  forget(gone)
  redis.call('publish', KEYS[6], ARGV[1])
end
return gone`

/** Returns the runs that were queued before this many milliseconds, and marks them as queued now. */
const left = `
local now = redis.call('time')
now = now[1] * 1000 + math.floor(now[2] / 1000)
local ids = redis.call('zrange', KEYS[1], '-inf', now - ARGV[1], 'byscore', 'limit', 0, ARGV[2])
for _, id in ipairs(ids) do redis.call('zadd', KEYS[1], now, id) end
return ids`

/** Adds a job to the first of these lines in which others wait, and returns its key. */
const waitBehind = `
for at = 3, #ARGV do
  local line = KEYS[1] .. ARGV[at]
  if redis.call('exists', line) == 1 then
    redis.call('zadd', line, 'lt', ARGV[2], ARGV[1])
    return ARGV[at]
  end
end`

/**
 * Claims the first place of a line, and returns its job and the claim. A claimed place is behind all others: its number
 * is the time of the claim plus one that no order reaches and to which milliseconds can be added exactly.
 */
const claimPlace = `
local claimed = 8e15
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local first = redis.call('zrange', KEYS[1], 0, 0, 'withscores')
if first[1] == nil or tonumber(first[2]) > claimed + now - ARGV[1] then return {} end
redis.call('zadd', KEYS[1], claimed + now, first[1])
return { first[1], redis.call('zscore', KEYS[1], first[1]) }`

/** Removes a claimed place, unless its number has changed. */
const leavePlace = `
if redis.call('zscore', KEYS[1], ARGV[1]) == ARGV[2] then redis.call('zrem', KEYS[1], ARGV[1]) end`

/** Returns the keys for which jobs wait, and forgets the others. */
const waited = `
local found = {}
for _, key in ipairs(redis.call('smembers', KEYS[1])) do
  if redis.call('exists', KEYS[2] .. key) == 1 then table.insert(found, key) else redis.call('srem', KEYS[1], key) end
end
return found`

/** Jobs of a list that are looked at in one request. */
const batch = 1_000

/**
 * Returns whether a list has more jobs, whether one so far is counted by one of these keys, and the jobs behind that one
 * that are not. The list of jobs without a priority is delivered from its end.
 */
const passing = `
local keys, found, passed, at = {}, {}, ARGV[3], tonumber(ARGV[2])
for key = 4, #ARGV do keys[ARGV[key]] = true end
local ids
if redis.call('type', KEYS[1]).ok == 'zset' then ids = redis.call('zrange', KEYS[1], at, at + ${batch} - 1)
else
  local list = redis.call('lrange', KEYS[1], -at - ${batch}, -at - 1)
  ids = {}
  for place = #list, 1, -1 do table.insert(ids, list[place]) end
end
for _, id in ipairs(ids) do
  local isRead, data = pcall(cjson.decode, redis.call('hget', ARGV[1] .. id, 'data') or '')
  if isRead and type(data) == 'table' then
    if keys['model ' .. tostring(data.model or '')] or (data.tenant and keys['tenant ' .. tostring(data.tenant)]) then passed = '1'
    elseif passed == '1' then table.insert(found, id) end
  end
end
return { #ids == ${batch} and 1 or 0, passed, found }`

/**
 * Limits of a connection, in milliseconds. A socket without an answer for this long is closed and opened again; BullMQ
 * asks a worker's socket more often than that.
 */
const limits = { connectTimeout: 5_000, socketTimeout: 30_000, keepAlive: 10_000 }

/** Journals as lists of Redis. Their keys have the same prefix as those of BullMQ. */
export class RedisServer implements BullmqServer, RunLogs {
  readonly logs = this
  readonly #watchers = new Watchers()
  #redis: Redis | undefined
  #listening: Promise<Redis | undefined> | undefined
  #isClosed = false
  #stopLooking: (() => void) | undefined
  /** Milliseconds by which the server's clock is ahead of this host's. */
  #offset = 0

  constructor(
    private readonly url: string | undefined,
    private readonly given: RedisOptions,
    private readonly options: ServerOptions,
  ) {}

  async open(): Promise<void> {
    await installed('bullmq', () => import('bullmq'))
    let isReached = false
    // A server that was never reached is told at once.
    const isToCome = (error: unknown): boolean => !this.#isClosed && isReached && isAway(error)
    try {
      await patiently(this.options, isToCome, async () => {
        const redis = await this.#connected()
        isReached = true
        try {
          await redis.setnx(this.#key('version'), version)
          const found = Number(await redis.get(this.#key('version')))
          if (found > version) throw tooNew(`its version of journals is ${found}.`)
          await this.#compareClocks(redis)
          redisProblems(await settingsOf(redis)).forEach(this.options.onDiagnostic)
          this.#redis = redis
        } catch (error) {
          redis.disconnect()
          throw error
        }
      })
    } catch (error) {
      throw queueError('The queue cannot be opened', error)
    }
  }

  async queue(name: string): Promise<BullmqJobs> {
    const { Queue } = await import('bullmq')
    // A request to an unreachable server fails at once.
    const connection = this.#connection(3)
    return new Queue<JobData, void, 'run'>(name, { connection, prefix: this.#prefix })
  }

  async worker(...[name, work, options]: Parameters<BullmqServer['worker']>): Promise<BullmqWorker> {
    const { Worker } = await import('bullmq')
    const connection = this.#connection(null)
    return new Worker<JobData, void, 'run'>(name, work, { ...options, connection, prefix: this.#prefix })
  }

  append(...[id, count, lines, entries, facts]: Parameters<RunLogs['append']>): Promise<boolean> {
    const names = [`journal:${id}`, 'ids', 'open', 'changes', 'unqueued', 'deadlines', 'index:']
    const keys = names.map(key => this.#key(key))
    const [isOpen, isQueued, isNew] = [isOpenAfter, isQueueing, needsJob].map(is => (is(entries) ? '1' : '0'))
    const deadline = entries.some(({ type }) => type === 'ended') ? 'end' : String(deadlineIn(entries) ?? '')
    const indexed = facts === undefined ? '' : encodeFacts(facts)
    return this.#ask(`The journal of the run ${id} could not be written`, async (redis, isAgain) => {
      const notice = this.#watchers.noticeOf(entries)
      const given = [count, id, isOpen ?? '', isQueued ?? '', notice, isNew ?? '', deadline, indexed, ...lines]
      if ((await redis.call('eval', append, keys.length, ...keys, ...given)) === 1) return true
      // The connection ended before the server confirmed that the entries were written.
      const written = isAgain ? await redis.lrange(this.#key(`journal:${id}`), count, count + lines.length - 1) : []
      return isAgain && written.join('\n') === lines.join('\n')
    })
  }

  read(id: string, from = 0): Promise<readonly string[]> {
    return this.#ask(`The journal of the run ${id} could not be read`, redis =>
      redis.lrange(this.#key(`journal:${id}`), from, -1),
    )
  }

  ids(): Promise<readonly string[]> {
    return this.#ask('The runs could not be listed', redis => redis.smembers(this.#key('ids')))
  }

  async remove(id: string, count: number): Promise<boolean> {
    const gone = await this.#ask(`The run ${id} could not be removed`, redis => this.#removed(redis, [id, count]))
    return gone.length > 0
  }

  indexed(filter: RunFilter): Promise<IndexedRuns> {
    return this.#ask('The runs could not be listed', redis => indexedRuns(redis, name => this.#key(name), filter))
  }

  async learn(id: string, count: number, facts: RunFacts): Promise<void> {
    await this.#ask(`The facts of the run ${id} could not be written`, redis =>
      learnFacts(redis, name => this.#key(name), id, count, facts),
    )
  }

  removeAll(...[ids, mayRemove]: Parameters<NonNullable<RunLogs['removeAll']>>): Promise<readonly string[]> {
    return this.#ask('The runs could not be removed', async redis => {
      const found: unknown = await redis.call('eval', journals, 1, this.#key('journal:'), ...ids)
      const given: (string | number)[] = []
      for (const [one, text] of Array.isArray(found) ? found : []) {
        const [id, lines] = [String(one), textsOf(text)]
        if (await mayRemove(id, lines)) given.push(id, lines.length)
      }
      return this.#removed(redis, given)
    })
  }

  async #removed(redis: Redis, given: readonly (string | number)[]): Promise<readonly string[]> {
    const names = ['journal:', 'ids', 'open', 'unqueued', 'deadlines', 'changes', 'index:']
    const keys = names.map(key => this.#key(key))
    return textsOf(await redis.call('eval', remove, keys.length, ...keys, this.#watchers.noticeOf([]), ...given))
  }

  async mark(): Promise<string> {
    // A change is told of by its notice, so that the server is not asked.
    this.#listening ??= this.#listen()
    await this.#listening
    return String(this.#watchers.notices)
  }

  watch(id: string, changed: (isSettled?: boolean) => void): () => void {
    const stop = this.#watchers.add(id, changed)
    this.#listening ??= this.#listen()
    return stop
  }

  now(): number {
    return this.options.clock.now() + this.#offset
  }

  left(ms: number, limit: number, isNew: boolean): Promise<readonly string[]> {
    return this.#ask('The runs could not be listed', async redis => {
      const found: unknown = await redis.call('eval', left, 1, this.#key(isNew ? 'unqueued' : 'open'), ms, limit)
      return Array.isArray(found) ? found.map(String) : []
    })
  }

  async added(runs: readonly string[]): Promise<void> {
    await this.#ask('The jobs could not be recorded', redis => redis.zrem(this.#key('unqueued'), ...runs))
  }

  late(most: number): Promise<readonly string[]> {
    return this.#ask('The runs could not be listed', redis =>
      redis.zrange(this.#key('deadlines'), '-inf', this.now(), 'BYSCORE', 'LIMIT', 0, most),
    )
  }

  async forgetDeadlines(runs: readonly string[]): Promise<void> {
    if (runs.length === 0) return
    await this.#ask('The deadlines could not be removed', redis => redis.zrem(this.#key('deadlines'), ...runs))
  }

  async wait(key: string, job: string, order: number): Promise<void> {
    await this.#ask(`The job ${job} could not be put back`, async redis => {
      const adding = redis.multi().zadd(this.#key(`waiting:${key}`), 'LT', order, job)
      for (const [error] of (await adding.sadd(this.#key('waiting'), key).exec()) ?? []) if (error !== null) throw error
    })
  }

  claim(key: string): Promise<Place | undefined> {
    return this.#ask('The waiting jobs could not be read', async redis => {
      const line = this.#key(`waiting:${key}`)
      const [job, claim] = textsOf(await redis.call('eval', claimPlace, 1, line, wakingMs))
      return job === undefined || claim === undefined ? undefined : { job, claim }
    })
  }

  async leave(key: string, { job, claim }: Place): Promise<void> {
    const line = this.#key(`waiting:${key}`)
    const text = `The job ${job} could not be taken out of its line`
    await this.#ask(text, redis => redis.call('eval', leavePlace, 1, line, job, claim))
  }

  waitBehind(keys: readonly string[], job: string, order: number): Promise<string | undefined> {
    return this.#ask(`The job ${job} could not be put back`, async redis => {
      const key: unknown = await redis.call('eval', waitBehind, 1, this.#key('waiting:'), job, order, ...keys)
      return typeof key === 'string' ? key : undefined
    })
  }

  waited(): Promise<readonly string[]> {
    const keys = ['waiting', 'waiting:'].map(key => this.#key(key))
    return this.#ask('The waiting jobs could not be read', async redis =>
      textsOf(await redis.call('eval', waited, keys.length, ...keys)),
    )
  }

  async lineOf(jobs: readonly string[]): Promise<string | undefined> {
    const keys = await this.waited()
    return this.#ask('The waiting jobs could not be read', async redis => {
      for (const key of keys)
        if ((await redis.zmscore(this.#key(`waiting:${key}`), ...jobs)).some(score => score !== null)) return key
      return undefined
    })
  }

  passing(queue: string, keys: readonly string[], most: number): Promise<readonly string[]> {
    return this.#ask('The waiting jobs could not be read', async redis => {
      const found: string[] = []
      for (const list of ['wait', 'prioritized']) {
        let [isMore, passed]: unknown[] = [1, '0']
        for (let at = 0; isMore === 1 && found.length < most; at += batch) {
          const given = [this.#key(`${queue}:`), at, String(passed), ...keys]
          const answer: unknown = await redis.call('eval', passing, 1, this.#key(`${queue}:${list}`), ...given)
          let ids: unknown
          ;[isMore, passed, ids] = Array.isArray(answer) ? answer : []
          found.push(...textsOf(ids))
        }
      }
      return found.slice(0, most)
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopLooking?.()
    const listening = await this.#listening
    listening?.disconnect()
    await this.#redis?.quit().catch(() => {})
  }

  /** Prefix with a hash tag, which puts all keys of a queue on one node of a cluster. */
  get #prefix(): string {
    return `{${this.options.name}}`
  }

  #key(name: string): string {
    return `${this.#prefix}:${name}`
  }

  /** Returns the connection options for BullMQ. */
  #connection(maxRetriesPerRequest: number | null): ConnectionOptions {
    return givenOf({ ...limits, ...this.given, url: this.url, maxRetriesPerRequest })
  }

  /** Connects. Rejects at once if the server cannot be reached now. */
  async #connected(): Promise<Redis> {
    const { Redis: Client } = await installed('ioredis', () => import('ioredis'))
    // If ioredis subscribed again by itself and the connection were lost meanwhile, it would reject a promise that no
    // one can handle, which ends the process.
    const own = { ...limits, ...this.given, lazyConnect: true, maxRetriesPerRequest: 0, autoResubscribe: false }
    const redis = this.url === undefined ? new Client(own) : new Client(this.url, own)
    let reason: unknown
    // Requests reject separately.
    redis.on('error', error => (reason ??= error))
    try {
      await redis.connect()
      return redis
    } catch (error) {
      redis.disconnect()
      throw reason ?? error
    }
  }

  async #ask<T>(what: string, ask: (redis: Redis, isAgain: boolean) => Promise<T>): Promise<T> {
    try {
      const redis = this.#redis
      if (redis === undefined) throw new Error('The queue is not open.')
      return await patiently(this.options, isAway, isAgain => ask(redis, isAgain))
    } catch (error) {
      throw queueError(what, error)
    }
  }

  /** Listens for notices. If the server cannot be reached, it is tried again. */
  async #listen(): Promise<Redis | undefined> {
    try {
      return await this.#subscribed()
    } catch {
      if (!this.#isClosed) this.options.clock.after(500, () => (this.#listening = this.#listen()))
      return undefined
    }
  }

  /** Asks whether the connection for notices is alive, and looks at the runs that are waited for. */
  async #look(): Promise<void> {
    const listening = await this.#listening
    // An answer resets the time limit of the socket.
    await listening?.ping()
    if (this.#redis !== undefined) await this.#compareClocks(this.#redis)
    await this.#watchers.compare(async ids => {
      const redis = this.#redis
      if (redis === undefined || ids.length === 0) return new Map()
      const counts = await Promise.all(ids.map(id => redis.llen(this.#key(`journal:${id}`))))
      return new Map(ids.map((id, at) => [id, counts[at] ?? 0]))
    })
  }

  async #compareClocks(redis: Redis): Promise<void> {
    const before = this.options.clock.now()
    const [seconds = 0, micros = 0] = (await redis.time()).map(Number)
    this.#offset = Math.round(seconds * 1000 + micros / 1000 - (before + this.options.clock.now()) / 2)
  }

  async #subscribed(): Promise<Redis | undefined> {
    if (this.#isClosed) return undefined
    const redis = await this.#connected()
    redis.on('message', (_channel, payload) => this.#watchers.tell(payload))
    const subscribe = async (): Promise<void> => {
      await redis.subscribe(this.#key('changes'))
      // Everything may have changed meanwhile.
      this.#watchers.tellAll()
    }
    // The next connection subscribes. A server that refuses is asked again over a new one.
    redis.on('ready', () => void subscribe().catch(() => redis.disconnect(true)))
    try {
      await subscribe()
    } catch (error) {
      redis.disconnect()
      throw error
    }
    this.#stopLooking ??= repeated(this.options, () => this.#look())
    return redis
  }
}

/** Asks a server for settings. A managed server may refuse to tell some. */
async function settingsOf(redis: Redis): Promise<RedisSettings> {
  const [info, config] = await Promise.all([
    redis.info().catch(() => ''),
    redis.config('GET', 'appendfsync').catch(() => []),
  ])
  const fact = (name: string): string | undefined => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]
  const flushes: unknown = Array.isArray(config) ? config[1] : undefined
  return {
    appends: fact('aof_enabled'),
    evicts: fact('maxmemory_policy'),
    ...(typeof flushes === 'string' && { flushes }),
  }
}

/** True if the server is temporarily unreachable, as while it starts. */
function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (
    error.name === 'MaxRetriesPerRequestError' ||
    /ECONN|EPIPE|ETIMEDOUT|^LOADING|Connection is closed|isn't writeable|Socket timeout|max number of clients/.test(
      error.message,
    )
  )
}
