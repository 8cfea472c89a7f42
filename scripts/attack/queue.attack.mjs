// @ts-check
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { processHost } from '@skills/core'
import { openQueuedRuns } from '@skills/runs-queue'
import { realPostgres } from '../../plugins/runs-queue/test/real-postgres.mjs'
import { Random } from './random.mjs'

const child = fileURLToPath(new URL('queue/child.mjs', import.meta.url))
const workers = 4
/** Runs that a worker has at one time, and the duration of its lock in milliseconds, as in child.mjs. */
const [perWorker, lockMs] = [4, 1_000]

/** @type {import('./attack.d.ts').Attack} */
export const attack = {
  name: 'queue',
  title:
    'workers and submitters of runs are killed, frozen and cut off from their server; nothing is lost or done twice',
  counts: { short: 4, long: 300 },
  async run({ count, seed, folder, progress }) {
    const server = await realPostgres()
    if (server.missing !== undefined) return { tried: 1, failures: [], figures: { 'left out': server.missing } }
    const yard = new Yard(folder, server.url)
    try {
      yard.begin()
      await yard.kills(count, new Random(seed), progress)
      await yard.away(server, count >= 100 ? 5_000 : 1_500)
      await yard.frozen()
      await yard.takenOver()
      await yard.parked(count >= 100 ? 200 : 10)
      await yard.closed()
      return { tried: yard.submitted, failures: yard.failures, figures: yard.figures }
    } finally {
      await yard.end()
      await server.dispose()
    }
  },
}

/** @typedef {{ process: import('node:child_process').ChildProcess, ended: Promise<number | null>, ids: string[] }} Started */

class Yard {
  /** @type {string[]} */
  failures = []
  /** @type {Record<string, string>} */
  figures = {}
  submitted = 0
  /** @type {Started[]} */
  #workers = []
  #answered = 0

  /**
   * @param {string} folder
   * @param {string} url
   */
  constructor(folder, url) {
    this.folder = folder
    this.url = url
    this.runs = openQueuedRuns(processHost({ home: `${folder}/home`, env: {} }), { url })
    for (const [name, verb] of [
      ['work', 'Do'],
      ['push', 'Push'],
      ['slow', 'Wait for'],
    ]) {
      mkdirSync(`${folder}/home/.claude/skills/${name}`, { recursive: true })
      const head = `---\nname: ${name}\ndescription: Does a job.\ncontext: fork\nbackground: true\n---\n`
      writeFileSync(`${folder}/home/.claude/skills/${name}/SKILL.md`, `${head}${verb} $ARGUMENTS.\n`)
    }
    writeFileSync(`${folder}/ledger`, '')
  }

  /**
   * @param {string} mode
   * @param {number} count
   * @param {string} name
   * @returns {Started}
   */
  #start(mode, count, name = 'work') {
    const started = spawn(process.execPath, [child, mode, this.folder, this.url, String(count), name], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    /** @type {string[]} */
    const ids = []
    let rest = ''
    started.stdout.setEncoding('utf8').on('data', text => {
      const lines = `${rest}${text}`.split('\n')
      rest = lines.pop() ?? ''
      ids.push(...lines.filter(line => line !== 'ready'))
    })
    /** @type {Promise<number | null>} */
    const ended = new Promise(resolve => started.on('close', code => resolve(code)))
    return { process: started, ended, ids }
  }

  begin() {
    for (let at = 0; at < workers; at++) this.#workers.push(this.#start('work', perWorker))
  }

  /**
   * Submits this many runs, in a new process whenever one is killed.
   * @param {number} count
   * @param {string} name
   * @param {(parent: Started) => void} heard
   */
  async submit(count, name = 'work', heard = () => {}) {
    let left = count
    while (left > 0) {
      const parent = this.#start('submit', left, name)
      heard(parent)
      await parent.ended
      left -= parent.ids.length
      this.#known.push(...parent.ids)
    }
    this.submitted += count
  }

  /** @type {string[]} */
  #known = []

  /**
   * Kills this many processes while runs are submitted: about 3.3 runs for each kill.
   * @param {number} count
   * @param {Random} random
   * @param {(done: number) => void} progress
   */
  async kills(count, random, progress) {
    /** @type {Started | undefined} */
    let parent
    let isSubmitting = true
    const submitting = this.submit(Math.ceil((count * 10) / 3), 'work', started => (parent = started)).finally(
      () => (isSubmitting = false),
    )
    const start = performance.now()
    let killed = 0
    for (; killed < count; progress(++killed)) {
      await pause(60 + random.next() * 400)
      const at = random.below(isSubmitting ? workers + 1 : workers)
      const victim = this.#workers[at] ?? parent
      victim?.process.kill('SIGKILL')
      await victim?.ended
      if (at < workers) this.#workers[at] = this.#start('work', perWorker)
      if (killed % 20 === 19) await this.#answer()
    }
    await submitting
    await this.#settled('kills')
    this.figures['kills'] =
      `${killed} of workers and submitters, ${this.#answered} questions about what was under way, ${Math.round((performance.now() - start) / 1000)} s`
  }

  /**
   * @param {{ stop(): Promise<void>, start(): Promise<void> }} server
   * @param {number} ms
   */
  async away(server, ms) {
    const submitting = this.submit(60)
    await pause(2_000)
    await server.stop()
    await pause(ms)
    await server.start()
    const start = performance.now()
    await submitting
    await this.#settled('server away')
    this.figures['server away'] =
      `for ${ms} ms; all ended ${Math.round(performance.now() - start)} ms after it was back`
  }

  async frozen() {
    await this.submit(20)
    const [first] = this.#workers
    first?.process.kill('SIGSTOP')
    await pause(3_000)
    first?.process.kill('SIGCONT')
    await this.#settled('frozen')
  }

  /** Measures how long the runs of a killed worker wait for another one that has room. */
  async takenOver() {
    const spare = this.#start('work', perWorker)
    const runs = workers * perWorker
    await this.submit(runs, 'slow')
    const ids = [...this.#known]
    // The spare worker may have taken some runs: it has room for another's as long as there are no more than that.
    const working = async () => (await this.runs.find({ states: ['running'] })).length
    for (const end = performance.now() + 20_000; (await working()) < runs && performance.now() < end;) await pause(50)
    const killed = Date.now()
    this.#workers[0]?.process.kill('SIGKILL')
    await this.#workers[0]?.ended
    this.#workers[0] = spare
    await this.#settled('taken over')
    const journals = await Promise.all(ids.map(id => this.runs.journal(id)))
    const after = journals.flatMap(entries =>
      entries.flatMap(({ type, at }) => (type === 'taken' && at > killed ? [at - killed] : [])),
    )
    const longest = Math.max(0, ...after)
    this.figures['taken over'] = `${after.length} runs, the last after ${longest} ms, with a lock of ${lockMs} ms`
    if (after.length === 0) this.failures.push('no run of the worker that was killed was taken over')
    if (longest > lockMs + 2_000) this.failures.push(`a run was taken over ${longest} ms after its worker was killed`)
  }

  /** @param {number} count */
  async parked(count) {
    await this.submit(count, 'push')
    const find = async () => (await this.runs.find({ states: ['waiting'] })).length
    for (const end = performance.now() + 60_000; (await find()) < count && performance.now() < end;) await pause(200)
    if ((await find()) !== count) this.failures.push(`${await find()} of ${count} runs are parked`)
    const active = await this.runs.atWork()
    if (active.length > 0) this.failures.push(`${active.length} workers are held by parked runs`)
    const start = performance.now()
    await this.submit(1)
    this.figures['parked'] = `${count}; a further run was submitted in ${Math.round(performance.now() - start)} ms`
    await this.#settled('parked', 'allow')
  }

  /** Checks that workers which are told to end leave nothing behind. */
  async closed() {
    for (const { process: worker } of this.#workers) worker.kill('SIGTERM')
    const codes = await Promise.all(this.#workers.map(({ ended }) => ended))
    if (codes.some(code => code !== 0)) this.failures.push(`workers ended with ${codes.join(', ')}`)
    const active = await this.runs.atWork()
    if (active.length > 0) this.failures.push(`${active.length} jobs are locked after all workers were closed`)
  }

  async end() {
    for (const { process: worker } of this.#workers) worker.kill('SIGKILL')
    await this.runs.close()
  }

  /** Answers the waiting runs; a call that was under way when its process ended is not to be repeated. */
  async #answer(answer = /** @type {'allow' | 'deny'} */ ('deny')) {
    for (const run of await this.runs.find({ states: ['waiting', 'indeterminate'] })) {
      if ('problem' in run || run.question === undefined || run.holder !== undefined) continue
      this.#answered += 1
      await this.runs.answer(run.id, run.question.id, run.question.kind === 'repeat' ? 'deny' : answer).catch(() => {})
    }
  }

  /**
   * Waits until every run has ended, and checks each.
   * @param {string} what
   * @param {'allow' | 'deny'} answer
   */
  async #settled(what, answer = 'deny') {
    const end = performance.now() + 180_000
    const open = async () =>
      (await this.runs.find({ states: ['queued', 'running', 'waiting', 'indeterminate'] })).map(({ id }) => id)
    let left = await open()
    for (; left.length > 0 && performance.now() < end; left = await open()) {
      await this.#answer(answer)
      await pause(200)
    }
    if (left.length > 0) this.failures.push(`${what}: ${left.length} runs have not ended, as ${left[0]}`)
    for (const id of this.#known.splice(0)) {
      const entries = await this.runs.journal(id).catch(() => [])
      const ends = entries.filter(({ type }) => type === 'ended')
      if (entries.length === 0) this.failures.push(`${what}: the run ${id} is lost`)
      else if (ends.length > 1) this.failures.push(`${what}: the run ${id} ended ${ends.length} times`)
      else if (ends[0]?.type === 'ended' && ends[0].state !== 'done')
        this.failures.push(`${what}: the run ${id} is ${ends[0].state}: ${ends[0].error?.message}`)
    }
    const lines = readFileSync(`${this.folder}/ledger`, 'utf8').split('\n').filter(Boolean)
    const twice = lines.length - new Set(lines).size
    if (twice > 0) this.failures.push(`${what}: ${twice} effects were made twice`)
  }
}
