// @ts-check
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { processHost } from '@skills/core'
import { openQueuedRuns } from '@skills/runs-queue'
import { Proxy } from './faults/proxy.mjs'
import { attackedPostgres, attackedRedis } from './faults/servers.mjs'
import { Random } from './random.mjs'

const here = (/** @type {string} */ file) => fileURLToPath(new URL(file, import.meta.url))
const child = here('queue/child.mjs')
/** Program of another version that works on the same queue, `child.mjs` built from an earlier commit. */
const earlier = process.env['ATTACK_EARLIER_CHILD']
/** Milliseconds by which the clocks of workers are ahead. */
const clocks = [0, 120_000, -120_000, 0]
const perWorker = 4
/** Milliseconds that everything may take to end after the last fault. */
const patienceMs = 240_000

/** @type {import('./attack.d.ts').Attack} */
export const attack = {
  name: 'faults',
  title:
    'servers of queues are killed, frozen, cut off, full and read-only, and workers and clocks fail with them; no run is lost, ended by a fault, or done twice',
  counts: { short: 10, long: 1_000 },
  async run({ count, seed, folder, progress }) {
    const servers = await Promise.all([attackedPostgres(), attackedRedis(`${folder}/redis`)])
    /** @type {Record<string, string>} */
    const figures = {}
    const fields = servers.flatMap((server, at) => {
      if (typeof server !== 'string') return new Field(server, `${folder}/field-${at}`, new Random(seed + at))
      figures[`left out ${at}`] = server
      return []
    })
    let done = 0
    try {
      await Promise.all(
        fields.map(field => field.attack(Math.ceil(count / fields.length), () => progress((done += 1)))),
      )
    } finally {
      await Promise.all(fields.map(field => field.end()))
    }
    for (const { title, said } of fields)
      for (const [name, value] of Object.entries(said)) figures[`${title}, ${name}`] = value
    return { tried: done || 1, failures: fields.flatMap(({ failures }) => failures), figures }
  },
}

class Field {
  /** @type {string[]} */
  failures = []
  /** @type {Record<string, string>} */
  said = {}
  /** @type {import('node:child_process').ChildProcess[]} */
  #workers = []
  /** Ids of the submitted runs, by the number of the run. */
  #ids = new Map()
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #submitter
  #isOver = false
  #answered = 0
  #restarted = 0
  #proxy

  /**
   * @param {import('./faults/servers.mjs').AttackedServer} server
   * @param {string} folder
   * @param {Random} random
   */
  constructor(server, folder, random) {
    this.title = server.title
    this.server = server
    this.folder = folder
    this.random = random
    this.#proxy = new Proxy(server.port)
    mkdirSync(`${folder}/home/.claude/skills/work`, { recursive: true })
    writeFileSync(
      `${folder}/home/.claude/skills/work/SKILL.md`,
      '---\nname: work\ndescription: Does a job.\ncontext: fork\nbackground: true\n---\nDo $ARGUMENTS.\n',
    )
    writeFileSync(`${folder}/ledger`, '')
  }

  /**
   * @param {number} count number of faults; there are five runs for each
   * @param {() => void} progress
   */
  async attack(count, progress) {
    await this.#proxy.open()
    const url = this.server.urlAt(this.#proxy.port)
    const host = processHost({ home: `${this.folder}/home`, env: {} })
    this.runs = openQueuedRuns(host, { url, lookMs: 2_000 })
    // It makes the tables.
    await this.runs.find()
    for (const at of clocks.keys()) this.#work(url, at)
    const total = count * 5
    const submitting = this.#submit(url, total)
    const faults = this.#faults(url)
    const names = Object.keys(faults)
    /** @type {Record<string, number>} */
    const made = {}
    const start = performance.now()
    for (let at = 0; at < count; at++, progress()) {
      const name = this.random.pick(names)
      made[name] = (made[name] ?? 0) + 1
      const over = await faults[name]?.()
      await pause(100 + this.random.below(this.random.below(8) === 0 ? 4_000 : 900))
      await over?.()
      await pause(this.random.below(500))
      if (at % 10 === 9) void this.#answer().catch(() => {})
    }
    this.said['faults'] = Object.entries(made)
      .map(([name, times]) => `${times} ${name}`)
      .join(', ')
    const quiet = performance.now()
    const late = pause(patienceMs * (count > 100 ? 3 : 1), 'late', { ref: false })
    if ((await Promise.race([submitting, late])) === 'late')
      this.failures.push(`${this.title}: ${total - this.#ids.size} runs could not be submitted`)
    await this.#settled(total, count > 100 ? patienceMs * 3 : patienceMs)
    const seconds = (/** @type {number} */ ms) => `${Math.round(ms / 1000)} s`
    this.said['runs'] =
      `${total}, ${this.#answered} questions about calls that were under way, ${this.#restarted} workers started again; faults for ${seconds(quiet - start)}, all ended ${seconds(performance.now() - quiet)} later`
  }

  /**
   * @param {string} url
   * @returns {Record<string, () => Promise<() => unknown>>}
   */
  #faults(url) {
    const proxy = this.#proxy
    /** @param {import('./faults/proxy.mjs').Dropped} what */
    const dropping = what => async () => {
      proxy.drop(what)
      // Half of them never get better: their processes have to notice it by themselves.
      return () => (this.random.below(2) === 0 ? proxy.cut() : undefined)
    }
    return {
      ...this.server.faults,
      async cut() {
        proxy.cut()
        return () => proxy.cut()
      },
      stalled: dropping('both'),
      'requests dropped': dropping('requests'),
      'answers dropped': dropping('answers'),
      'worker killed': async () => {
        const at = this.random.below(clocks.length)
        this.#workers[at]?.kill('SIGKILL')
        return () => this.#work(url, at)
      },
      'worker frozen': async () => {
        const worker = this.#workers[this.random.below(clocks.length)]
        worker?.kill('SIGSTOP')
        return () => worker?.kill('SIGCONT')
      },
      'submitter killed': async () => {
        this.#submitter?.kill('SIGKILL')
        return () => {}
      },
    }
  }

  /**
   * @param {string} url
   * @param {number} at
   */
  #work(url, at) {
    const isEarlier = earlier !== undefined && at === clocks.length - 1
    const words = ['work', this.folder, url, String(perWorker)]
    const worker = this.#start(isEarlier ? earlier : child, words, clocks[at] ?? 0)
    this.#workers[at] = worker
    let said = ''
    worker.stderr?.setEncoding('utf8').on('data', text => (said = `${said}${text}`.slice(-4_000)))
    // As under a supervisor, a worker that found no server is started again. It ends by itself for no other reason.
    worker.once('close', (_code, signal) => {
      if (signal !== null || this.#isOver) return
      this.#restarted += 1
      if (!/code: '(?:E_QUEUE|E_STATE)'/.test(said)) this.failures.push(`${this.title}: a worker ended: ${said}`)
      this.#work(url, at)
    })
  }

  /**
   * @param {string} program
   * @param {readonly string[]} words
   * @param {number} aheadMs
   */
  #start(program, words, aheadMs) {
    return spawn(process.execPath, ['--import', pathToFileURL(here('faults/clock.mjs')).href, program, ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ATTACK_AHEAD_MS: String(aheadMs) },
    })
  }

  /**
   * Submits runs, in a new process whenever one ends. A run whose submission was not confirmed is submitted again with
   * its key.
   * @param {string} url
   * @param {number} total
   */
  async #submit(url, total) {
    while (this.#ids.size < total && !this.#isOver) {
      const words = ['submit', this.folder, url, String(total), 'work', `${process.pid}`, String(this.#ids.size)]
      const submitter = this.#start(child, words, 60_000)
      this.#submitter = submitter
      submitter.stderr?.resume()
      let rest = ''
      submitter.stdout?.setEncoding('utf8').on('data', text => {
        const lines = `${rest}${text}`.split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) this.#ids.set(this.#ids.size, line)
      })
      await new Promise(resolve => submitter.on('close', resolve))
    }
    return 'submitted'
  }

  /** Answers each question that no process waits for with `deny`: a call whose process ended in it is not repeated. */
  async #answer() {
    for (const run of (await this.runs?.find({ states: ['waiting', 'indeterminate'] })) ?? []) {
      if ('problem' in run || run.question === undefined || run.holder !== undefined) continue
      this.#answered += 1
      await this.runs?.answer(run.id, run.question.id, 'deny').catch(() => {})
    }
  }

  /**
   * Waits until every run has ended, and checks each.
   * @param {number} total
   * @param {number} ms
   */
  async #settled(total, ms) {
    const { runs, title } = this
    if (runs === undefined) return
    const ids = [...this.#ids.values()]
    if (new Set(ids).size !== ids.length) this.failures.push(`${title}: a run was submitted twice`)
    let isAnswering = true
    const answering = (async () => {
      for (; isAnswering; await pause(500)) await this.#answer().catch(() => {})
    })()
    const waits = new Set(ids)
    const until = performance.now() + ms
    const ended = async (/** @type {string} */ id) => {
      // A wait ends when its run asks; it is then answered, and the run is waited for again.
      while (!this.#isOver) {
        const run = await runs.settled(id).catch(() => undefined)
        if (run !== undefined && ['done', 'failed', 'cancelled'].includes(run.state)) break
        await pause(200)
      }
      waits.delete(id)
    }
    const all = Promise.all(ids.map(ended))
    while (waits.size > 0 && performance.now() < until) await Promise.race([all, pause(500)])
    for (const id of [...waits].slice(0, 5)) {
      const run = await runs.get(id).catch(String)
      this.failures.push(`${title}: ${waits.size} waits have not ended, as that for ${JSON.stringify(run)}`)
    }
    isAnswering = false
    await answering
    const found = await runs.find()
    if (found.length !== total) this.failures.push(`${title}: there are ${found.length} runs of ${total}`)
    let taken = 0
    for (const run of found) {
      if ('problem' in run) this.failures.push(`${title}: ${run.id}: ${run.problem}`)
      else if (run.state !== 'done')
        this.failures.push(`${title}: the run ${run.id} is ${run.state}: ${run.error?.code} ${run.error?.message}`)
      else taken += run.epoch
    }
    this.said['taken'] = `${taken} times`
    const lines = readFileSync(`${this.folder}/ledger`, 'utf8').split('\n').filter(Boolean)
    const twice = lines.length - new Set(lines).size
    this.said['effects'] = `${lines.length} of at most ${total * 2}, ${twice} twice`
    if (twice > 0) this.failures.push(`${title}: ${twice} effects were made twice`)
  }

  async end() {
    this.#isOver = true
    for (const one of [...this.#workers, this.#submitter]) one?.kill('SIGKILL')
    await this.runs?.close().catch(() => {})
    this.#proxy.close()
    await this.server.dispose()
  }
}
