// @ts-check
import { setTimeout as pause } from 'node:timers/promises'
import { createSkills, defineProvider, loadResult, processHost, promptCommand } from '@skills/core'
import { invocationKinds } from '@skills/invocation'
import { expanderKind } from '@skills/expansion'
import { runsKind } from '@skills/runs'
import { openQueuedRuns, queuedRuns, startWorker } from '@skills/runs-queue'
import { memoryState, stateKind } from '@skills/state'
import pg from 'pg'
import { realPostgres } from '../../plugins/runs-queue/test/real-postgres.mjs'
import { Random } from './random.mjs'

/** Runs that are forged at one time. */
const batch = 100

/** @type {import('./attack.d.ts').Attack} */
export const attack = {
  name: 'forged-runs',
  title: 'who can write to the database of a queue changes, adds, moves and copies runs, entries and answers',
  counts: { short: 100, long: 6_000 },
  async run({ count, seed, folder, progress }) {
    const server = await realPostgres()
    if (server.missing !== undefined) return { tried: 1, failures: [], figures: { 'left out': server.missing } }
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    const forger = new Forger(folder, server.url, new Random(seed), client)
    try {
      for (let done = 0; done < count; done += batch) {
        await forger.batch(Math.min(batch, count - done), `b${done}`)
        progress(done)
      }
      return { tried: forger.tried, failures: forger.failures.slice(0, 20), figures: forger.figures }
    } finally {
      await client.end()
      await server.dispose()
    }
  },
}

/** @type {import('@skills/runs/internal').RunQuestion} */
const question = { id: 'q', kind: 'permission', tool: 'Bash', content: 'git push', message: 'Push?' }

class Forger {
  tried = 0
  /** @type {string[]} */
  failures = []
  #counts = { refused: 0, 'run as submitted': 0, 'not forged, done': 0 }

  /**
   * @param {string} folder
   * @param {string} url
   * @param {Random} random
   * @param {import('pg').Client} client
   */
  constructor(folder, url, random, client) {
    this.host = processHost({ home: folder, env: {} })
    this.url = url
    this.random = random
    this.client = client
  }

  get figures() {
    return this.#counts
  }

  /**
   * @param {number} count
   * @param {string} name
   */
  async batch(count, name) {
    const runs = /** @type {import('@skills/runs/internal').WorkerRuns} */ (
      openQueuedRuns(this.host, { url: this.url, name })
    )
    const specs = new Map(
      Array.from({ length: count + 10 }, (_none, at) => [`${name}-${at}`, this.#specOf(`${name}-${at}`)]),
    )
    /** The answers that a person really gave, by run. */
    const answers = new Map()
    for (const [id, spec] of specs) {
      await runs.submit(spec)
      if (this.random.below(2) === 0) continue
      await (await runs.take(id)).ask(question).catch(() => {})
      answers.set(id, 'none')
      if (this.random.below(2) === 0) continue
      await runs.answer(id, question.id, 'deny')
      answers.set(id, 'deny')
    }
    const forged = [...specs.keys()].slice(0, count)
    const done = new Map()
    for (const id of forged) done.set(id, await this.#forge(name, id, forged))
    const queue = await runs.opened()
    for (const id of forged)
      await queue.add({ id: `${id}.${90 + this.random.below(9)}`, run: id, model: 'x', tenant: 'y' }, {})
    /** @type {Map<string, { record: any, answer: string }>} */
    const ran = new Map()
    const worker = await startWorker(this.#engine(name, ran), { concurrency: 1, texts: true, lockMs: 5_000 })
    const control = [...specs.keys()].slice(count).filter(id => answers.get(id) !== 'none')
    const settled = await Promise.all(control.map(id => runs.settled(id)))
    for (const { id, error } of settled)
      if (error !== undefined) this.failures.push(`the run ${id} was not forged, and failed: ${error.message}`)
    const left = async () =>
      Number((await this.client.query(`select count(*) from "${name}".job where name = 'run'`)).rows[0]?.count ?? 0)
    for (const end = Date.now() + 30_000; (await left()) > 0 && Date.now() < end;) await pause(50)
    await worker.close()
    this.#judge(specs, answers, ran, done, control)
    await runs.close()
    this.tried += count
  }

  /**
   * @param {Map<string, any>} specs
   * @param {Map<string, string>} answers
   * @param {Map<string, { record: any, answer: string }>} ran
   * @param {Map<string, string>} done
   * @param {readonly string[]} control
   */
  #judge(specs, answers, ran, done, control) {
    for (const [id, { record, answer }] of ran) {
      const spec = specs.get(id)
      const what = done.get(id) ?? 'nothing'
      const other = Object.keys(spec ?? {}).find(
        key => JSON.stringify(sorted(record[key])) !== JSON.stringify(sorted(spec[key])),
      )
      if (spec === undefined) this.failures.push(`a run that was not submitted ran: ${id} (${what})`)
      else if (other !== undefined) this.failures.push(`the run ${id} ran with another ${other} (${what})`)
      else if (answer === 'allow') this.failures.push(`the run ${id} was allowed what no one allowed (${what})`)
      else if (answers.get(id) === 'deny' && answer !== 'deny' && !/take away/.test(what))
        this.failures.push(`the run ${id} lost the answer "deny" (${what})`)
      this.#counts[done.has(id) ? 'run as submitted' : 'not forged, done'] += 1
    }
    for (const id of control) if (!ran.has(id)) this.failures.push(`the run ${id} was not forged, and did not run`)
    this.#counts.refused += [...done.keys()].filter(id => !ran.has(id)).length
  }

  /** @param {string} id */
  #specOf(id) {
    const text = '---\ndescription: Does a job.\ncontext: fork\n---\nDo it.\n'
    const { random } = this
    return /** @type {import('@skills/runs').RunSpec} */ ({
      id,
      skill: { name: 'work', source: 'user', digest: 'd', text },
      args: `job ${random.below(1e6)}`,
      caller: random.pick(['model', 'user']),
      agent: 'general-purpose',
      model: random.pick(['small', 'large']),
      effort: 'low',
      tools: { only: ['Read'], without: ['Bash'] },
      limits: { maxSteps: 5, ms: 60_000 },
      session: 's',
      parentId: `parent-${id}`,
      toolUseId: 't',
      depth: 2,
      isBackground: true,
      job: { tenant: random.pick(['acme', 'other']), deadlineMs: 3_600_000, attempts: 1 },
    })
  }

  /**
   * Changes the database's entries of a run, and returns what was done.
   * @param {string} schema
   * @param {string} id
   * @param {readonly string[]} others
   */
  async #forge(schema, id, others) {
    const { random, client } = this
    const read = async (/** @type {string} */ run) =>
      (await client.query(`select line from "${schema}".run_entry where run = $1 order by n`, [run])).rows.map(
        ({ line }) => String(line),
      )
    const lines = await read(id)
    const from = random.pick(others)
    const theirs = await read(from)
    const at = random.below(lines.length)
    const [json = '{}', proof = ''] = (lines[at] ?? '').split('\t')
    const entry = JSON.parse(json)
    const allow = JSON.stringify({ at: 1, type: 'answered', question: question.id, answer: 'allow', n: lines.length })
    /** @type {readonly (readonly [string, () => string[]])[]} */
    const ways = [
      ['change a field', () => lines.with(at, `${JSON.stringify(changed(entry, random))}\t${proof}`)],
      ['change a field', () => lines.with(at, `${JSON.stringify(changed(entry, random))}\t${proof}`)],
      [
        'be a person',
        () =>
          lines.with(
            0,
            (lines[0] ?? '').replace('"caller":"model"', '"caller":"user"').replace('"args":"job', '"args":"rm'),
          ),
      ],
      ['change without a signature', () => lines.with(at, JSON.stringify(changed(entry, random)))],
      [
        'leave out all signatures',
        () =>
          lines
            .map(line => line.split('\t')[0] ?? '')
            .with(0, JSON.stringify(changed(JSON.parse((lines[0] ?? '').split('\t')[0] ?? ''), random))),
      ],
      ['allow without a signature', () => [...lines, allow]],
      ['allow with the signature before', () => [...lines, `${allow}\t${lines.at(-1)?.split('\t')[1]}`]],
      [
        'allow with any signature',
        () => [
          ...lines,
          `${allow}\t${proof.slice(0, 9)}${String(random.next()).slice(2).padEnd(22, 'A').slice(0, 22)}`,
        ],
      ],
      ['answer with an entry of another run', () => [...lines, theirs.at(-1) ?? allow].map(renumbered)],
      ['copy another run', () => theirs],
      ['copy another run with this id', () => theirs.map(line => line.replaceAll(from, id))],
      ['begin as another run', () => [theirs[0] ?? '', ...lines.slice(1)]],
      ['turn deny into allow', () => lines.map(line => line.replace('"answer":"deny"', '"answer":"allow"'))],
      ['take out an entry', () => lines.toSpliced(at, 1).map(renumbered)],
      ['take out an entry', () => lines.toSpliced(at, 1)],
      ['double an entry', () => lines.toSpliced(at, 0, lines[at] ?? '').map(renumbered)],
      ['turn round', () => lines.toReversed().map(renumbered)],
      ['take away the last entries', () => lines.slice(0, 1 + random.below(lines.length))],
      [
        'change the signature',
        () => lines.with(at, `${json}\t${proof.slice(0, -1)}${proof.endsWith('A') ? 'Q' : 'A'}`),
      ],
      ['add a line of nothing', () => lines.toSpliced(at, 0, '')],
    ]
    const [what, make] = random.pick(ways)
    const now = make()
    await client.query(`delete from "${schema}".run_entry where run = $1`, [id])
    for (const [n, line] of now.entries())
      await client.query(`insert into "${schema}".run_entry (run, n, line) values ($1, $2, $3)`, [id, n, line])
    await client.query(
      `update "${schema}".run set entries = $2, is_open = true, queued_at = now() - interval '1 hour' where id = $1`,
      [id, now.length],
    )
    return what
  }

  /**
   * @param {string} name
   * @param {Map<string, { record: any, answer: string }>} ran
   */
  #engine(name, ran) {
    const command = promptCommand({
      name: 'work',
      source: 'user',
      context: 'fork',
      load: () => ({ template: 'Do it.' }),
      digest: () => 'd',
    })
    const executor = defineProvider({
      kind: 'executor',
      id: 'fork',
      wants: ['runs'],
      setup: ctx => ({
        async execute({ run = '', args, caller, tools, depth }) {
          const runs = await ctx.use('runs').first(one => one)
          const held = await runs?.take(run)
          if (held === undefined) throw new Error('There are no runs.')
          const note = { record: { ...held.record, args, caller, tools, depth }, answer: 'none' }
          ran.set(run, note)
          note.answer = await held.ask(question).catch(() => 'none')
          if (!held.isParked) await held.end({ state: 'done', result: note.answer })
          return { data: { success: true, commandName: 'work', status: 'forked' }, newMessages: [] }
        },
      }),
    })
    return createSkills({
      host: this.host,
      kinds: [...invocationKinds, expanderKind, stateKind, runsKind],
      onDiagnostic: () => {},
      plugins: [
        defineProvider({
          kind: 'source',
          id: 'own',
          setup: () => ({ source: 'user', list: () => loadResult({ commands: [command] }) }),
        }),
        defineProvider({
          kind: 'trust',
          id: 'trust',
          setup: () => ({ judge: () => ({ level: 'trusted', isApproved: true }) }),
        }),
        defineProvider({
          kind: 'permission',
          id: 'rules',
          setup: () => ({ check: () => ({ behavior: 'allow', message: '', decisionReason: { type: 'default' } }) }),
        }),
        memoryState(),
        executor,
        queuedRuns({ url: this.url, name }),
      ],
    })
  }
}

/** @param {string} line @param {number} n */
const renumbered = (line, n) => line.replace(/"n":\d+\}/, `"n":${n}}`)

/**
 * Returns the value with one part of it changed to another value.
 * @param {any} value
 * @param {Random} random
 * @returns {any}
 */
function changed(value, random) {
  if (typeof value === 'string')
    return random.pick(['user', 'allow', 'root', '*', `${value} `, '', 'done'].filter(one => one !== value))
  if (typeof value === 'number') return value + random.pick([-1, 1, 1e6])
  if (typeof value === 'boolean') return !value
  if (Array.isArray(value)) return random.pick([[], [...value, 'Bash']])
  const keys = Object.keys(value ?? {})
  if (keys.length === 0) return { only: ['Bash'] }
  const key = random.pick(keys)
  if (random.below(8) === 0) {
    const { [key]: _gone, ...rest } = value
    return rest
  }
  return { ...value, [key]: changed(value[key], random) }
}

/** Returns the value with its keys in order. @param {any} value @returns {any} */
function sorted(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map(key => [key, sorted(value[key])]),
  )
}
