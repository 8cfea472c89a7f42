import { defineProvider, type Host, type Provider } from '@skills/core'
import { openRunKeys, type RunEntry, type RunLogs } from '@skills/runs'
import {
  isSettling,
  WorkerRuns,
  type DeliveredJob,
  type JobEnd,
  type JobQueue,
  type JobTerms,
  type JobWorkerOptions,
  type OpenedRuns,
  type QueuedJob,
} from '@skills/runs/internal'

interface StoredJob extends QueuedJob {
  priority: number
  readonly addedAt: number
  /** Orders jobs of the same priority. */
  at: number
  /** Time before which it is not delivered. */
  dueAt: number
  waits?: { readonly key: string; readonly order: number } | undefined
  deliveries: number
  delivered?: DeliveredJob | undefined
}

/** Server in memory, for the engines and workers of one test. It loses nothing, because its workers never die. */
export class MemoryServer {
  readonly #lines = new Map<string, readonly string[]>()
  readonly #open = new Map<string, number>()
  readonly #watchers = new Map<string, Map<(isSettled?: boolean) => void, RunLogs>>()
  readonly jobs = new Map<string, StoredJob>()
  readonly workers = new Set<() => void>()
  /** Number of jobs that were put in order so far. */
  ordered = 0
  /** Milliseconds by which the clock of this server is ahead. */
  ahead = 0
  /** Makes a request fail. */
  failing: (entries: readonly RunEntry[]) => void = () => {}

  /** Returns the journals as one process has them. It is told of what other processes append. */
  logs(): RunLogs {
    const own: RunLogs = {
      append: (...given) => this.#append(own, ...given),
      read: (...given) => this.read(...given),
      ids: () => this.ids(),
      remove: (...given) => this.remove(...given),
      now: () => Date.now() + this.ahead,
      watch: (id, changed) => {
        const watchers = this.#watchers.get(id) ?? new Map<(isSettled?: boolean) => void, RunLogs>()
        this.#watchers.set(id, watchers.set(changed, own))
        return () => void watchers.delete(changed)
      },
    }
    return own
  }

  #append(own: RunLogs, ...[id, count, lines, entries]: Parameters<RunLogs['append']>): boolean {
    this.failing(entries)
    const known = this.#lines.get(id) ?? []
    if (known.length !== count) return false
    this.#lines.set(id, [...known, ...lines])
    const isOver = ['ended', 'parked', 'delivered'].includes(entries.at(-1)?.type ?? '')
    if (isOver) this.#open.delete(id)
    else this.#open.set(id, Date.now())
    this.tellWaiting(id, isSettling(entries), own)
    return true
  }

  read = (id: string, from = 0): readonly string[] => (this.#lines.get(id) ?? []).slice(from)
  ids = (): readonly string[] => [...this.#lines.keys()]
  remove = (id: string, count: number): boolean => this.read(id).length === count && this.#lines.delete(id)

  /** Replaces the first line of a journal. */
  damage(id: string): void {
    this.#lines.set(id, this.read(id).with(0, '{}'))
  }

  left(ms: number): readonly string[] {
    const before = Date.now() - ms
    return [...this.#open].flatMap(([id, at]) => (at < before ? [id] : []))
  }

  tellWaiting(id: string, isSettled?: boolean, except?: RunLogs): void {
    for (const [changed, own] of this.#watchers.get(id) ?? []) if (own !== except) changed(isSettled)
  }

  /** Tells the workers that a job may have become deliverable. */
  tell(): void {
    for (const look of this.workers) look()
  }
}

/** The smallest queue of runs: what an engine over another queue has to implement. */
export class MemoryQueue implements JobQueue {
  readonly logs: RunLogs
  readonly system = 'memory'

  constructor(private readonly server: MemoryServer) {
    this.logs = server.logs()
  }

  async open(): Promise<void> {}
  async close(): Promise<void> {}
  left = (ms: number): readonly string[] => this.server.left(ms)
  has = async (id: string): Promise<boolean> => this.server.jobs.has(id)
  active = async (): Promise<readonly DeliveredJob[]> =>
    [...this.server.jobs.values()].flatMap(({ delivered }) => delivered ?? [])

  async add(job: QueuedJob, { priority = 0, delayMs = 0 }: JobTerms): Promise<void> {
    if (this.server.jobs.has(job.id)) return
    this.server.jobs.set(job.id, {
      ...job,
      priority,
      addedAt: Date.now(),
      at: (this.server.ordered += 1),
      dueAt: Date.now() + delayMs,
      deliveries: 0,
    })
    this.server.tell()
  }

  async depth(): ReturnType<JobQueue['depth']> {
    const free = [...this.server.jobs.values()].filter(({ delivered }) => delivered === undefined)
    const due = free
      .filter(({ dueAt }) => dueAt <= Date.now())
      .toSorted((a, b) => a.priority - b.priority || a.at - b.at)
    const [next] = due
    const jobs = { waiting: due.length, delayed: free.length - due.length, active: this.server.jobs.size - free.length }
    return { jobs, ...(next !== undefined && { since: next.addedAt }) }
  }

  async begun(id: string): Promise<void> {
    const job = this.server.jobs.get(id)
    if (job?.delivered !== undefined) job.delivered = { ...job.delivered, isBegun: true }
  }

  async wait(key: string, id: string, order: number): Promise<void> {
    Object.assign(this.server.jobs.get(id) ?? {}, { waits: { key, order } })
  }

  async waitBehind(keys: readonly string[], id: string, order: number): Promise<string | undefined> {
    const lines = await this.waited()
    const key = keys.find(one => lines.includes(one))
    if (key !== undefined) await this.wait(key, id, order)
    return key
  }

  async waited(): Promise<readonly string[]> {
    return [...new Set([...this.server.jobs.values()].flatMap(({ waits }) => waits?.key ?? []))]
  }

  async wake(key: string, isNext = false): Promise<boolean> {
    const line = [...this.server.jobs.values()].filter(({ waits }) => waits?.key === key)
    const [first] = line.toSorted((one, other) => (one.waits?.order ?? 0) - (other.waits?.order ?? 0))
    if (first === undefined) return false
    // One that is put back now looks for room then.
    if (first.delivered !== undefined) return true
    // It goes before or behind those that are due already.
    Object.assign(first, { waits: undefined, dueAt: 0, at: (isNext ? -1 : 1) * (this.server.ordered += 1) })
    this.server.tell()
    return true
  }

  async lineOf(ids: readonly string[]): Promise<string | undefined> {
    return ids.flatMap(id => this.server.jobs.get(id)?.waits?.key ?? [])[0]
  }

  async advance(keys: readonly string[], most: number): Promise<void> {
    const free = [...this.server.jobs.values()].filter(job => job.delivered === undefined && job.waits === undefined)
    const inOrder = free.toSorted((a, b) => a.priority - b.priority || a.at - b.at)
    const isCounted = ({ tenant = '', model = '' }: StoredJob): boolean =>
      keys.includes(`tenant ${tenant}`) || keys.includes(`model ${model}`)
    const first = inOrder.findIndex(isCounted)
    const behind = inOrder.filter((job, at) => first >= 0 && at > first && !isCounted(job))
    for (const job of behind.slice(0, most).toReversed()) job.at = -(this.server.ordered += 1)
  }

  async raise(id: string, priority: number): Promise<void> {
    const job = this.server.jobs.get(id)
    if (job === undefined || job.delivered !== undefined || job.priority <= priority) return
    Object.assign(job, { priority, at: (this.server.ordered += 1) })
  }

  async work(
    work: (job: DeliveredJob) => Promise<JobEnd>,
    { concurrency, onError }: JobWorkerOptions,
  ): Promise<{ close(): Promise<void> }> {
    const { jobs, workers } = this.server
    const now = new Set<Promise<void>>()
    let timer: NodeJS.Timeout | undefined
    const one = async (job: StoredJob, delivered: DeliveredJob): Promise<void> => {
      const end = await work(delivered).catch((error: unknown): JobEnd => {
        onError(error as Error)
        return { type: 'after', ms: 1_000 }
      })
      job.delivered = undefined
      if (end.type === 'done') {
        jobs.delete(job.id)
        await end.left?.().catch(onError)
        return
      }
      job.dueAt = end.type === 'after' ? Date.now() + end.ms : 0
      if (end.type === 'after') await end.left?.().catch(onError)
    }
    const look = (): void => {
      clearTimeout(timer)
      const free = [...jobs.values()].filter(({ delivered }) => delivered === undefined)
      const due = free
        .filter(({ dueAt }) => dueAt <= Date.now())
        .toSorted((a, b) => a.priority - b.priority || a.at - b.at)
      for (const job of due.slice(0, concurrency - now.size)) {
        const { id, run, model, tenant, after } = job
        const deliveries = (job.deliveries += 1)
        const since = performance.now() * 1000
        const own = { token: crypto.randomUUID(), deliveries, isBegun: false, lost: 0, since }
        const delivered = { id, run, model, tenant, after, ...own }
        Object.assign(job, { delivered, waits: undefined })
        const working = one(job, delivered).finally(() => {
          now.delete(working)
          this.server.tell()
        })
        now.add(working)
      }
      const next = Math.min(...free.map(({ dueAt }) => dueAt).filter(at => at > Date.now()))
      if (Number.isFinite(next)) timer = setTimeout(look, next - Date.now() + 1)
    }
    workers.add(look)
    look()
    return {
      async close() {
        workers.delete(look)
        clearTimeout(timer)
        await Promise.allSettled(now)
      },
    }
  }
}

/** Opens the runs of a server in memory, as `openQueuedRuns()` opens those of another. */
export function openMemoryRuns(server: MemoryServer, host: Host, name: string, key: string): OpenedRuns {
  return new WorkerRuns({
    queue: new MemoryQueue(server),
    keys: openRunKeys(host, { keys: [key] }),
    name,
    clock: host.clock,
  })
}

/** Makes a provider of runs over a server in memory. */
export function memoryRuns(server: MemoryServer, name: string, key: string): Provider<'runs'> {
  return defineProvider({
    kind: 'runs',
    id: 'queue',
    contract: 1,
    async setup({ host, effect }) {
      const runs = openMemoryRuns(server, host, name, key)
      await effect('connections', () => () => runs.close())
      return runs
    },
  })
}
