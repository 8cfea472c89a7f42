// @ts-check
import path from 'node:path'
import { measure, oddities, places, plant } from './growth/places.mjs'
import { readersIn } from './growth/readers.mjs'
import { grown, heads, units } from './growth/texts.mjs'
import { structures } from './growth/structures.mjs'
import { readStructure } from './growth/structure-reader.mjs'
import { Random } from './random.mjs'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'

/** @typedef {import('./growth/readers.mjs').Reader} Reader */

const smallest = 16 * 1024
const largest = 8 * 1024 * 1024
/**
 * Milliseconds of processor time: below `floor` a time is noise, and `limit` is the most for the largest text; and the
 * steepest slope.
 */
const floor = 30
const limit = 1000
const steepest = 1.3
/** MiB of peak memory below which a difference is noise, and bytes of memory that each byte of a text may take. */
const memoryFloor = 80
const memoryEach = 100
/** Every so many cases, one is run through the program, and one is an archive. */
const programEvery = 5
const structureEvery = 3
/**
 * The numbers of entries of a small and a large archive, and the limits of the large one: milliseconds of processor
 * time, milliseconds without a turn for the rest of the process, and MiB.
 */
const [fewEntries, manyEntries] = [2500, 40_000]
const structureLimit = 6000
const turnLimit = 150
const structureMemory = 500

/** @type {import('./attack.d.ts').Attack} */
export const attack = {
  name: 'growth',
  title:
    'files of others grown by size, depth, width and repetition, and archives by entries, folders and links: every ' +
    'reader takes time and memory in proportion, ' +
    'and what is no file holds no command up',
  counts: { short: 44, long: 4000 },
  async run({ count, seed, folder, progress }) {
    const random = new Random(seed)
    const readers = Object.entries(readersIn(folder))
    const program = new Program(path.join(folder, 'p'), random)
    await program.odd(count)
    const { failures } = program
    /** @type {Record<string, number>} */
    const worst = {}
    const kinds = Object.entries(structures)
    let archives = 0
    for (let at = 0; at < count; at++) {
      const head = random.pick(heads)
      const repeated = Array.from({ length: 1 + random.below(2) }, () => random.pick(units))
      const what = `${JSON.stringify(head)} and then ${JSON.stringify(repeated)} over and over`
      try {
        if (at % programEvery === programEvery - 1) await program.grow(head, repeated, what)
        else {
          const [name, reader] = readers[(at + seed) % readers.length] ?? ['', String]
          const { slope, failure } = await slopeOf(reader, bytes => grown(head, repeated, bytes))
          worst[name] = Math.max(worst[name] ?? 0, slope)
          if (failure !== undefined) failures.push(`${name} of ${what}: ${failure}`)
        }
      } catch (error) {
        failures.push(`${what}: ${error instanceof Error ? error.stack : String(error)}`)
      }
      if (at % structureEvery === 0) {
        const [name = '', make] = kinds[(Math.floor(at / structureEvery) + seed) % kinds.length] ?? []
        if (make !== undefined) for (const failure of await costOf(name, make, seed)) failures.push(failure)
        archives += 1
      }
      progress(at + 1)
    }
    const slopes = Object.entries(worst).filter(([, slope]) => slope > 0)
    return {
      tried: count + archives + program.tried,
      failures,
      figures: {
        ...Object.fromEntries(slopes.map(([name, slope]) => [`steepest slope of ${name}`, slope.toFixed(2)])),
        'most memory of the program, more than without the file': `${program.mostMiB} MiB`,
        'most time of the program, more than without the file': `${program.mostMs} ms`,
      },
    }
  },
}

/**
 * @param {Reader} reader
 * @param {(bytes: number) => string} textOf
 * @returns {Promise<{ slope: number, failure: string | undefined }>}
 */
async function slopeOf(reader, textOf) {
  let slope = 0
  let before = { bytes: smallest, ms: floor / 8 }
  for (let bytes = smallest; bytes <= largest; bytes *= 8) {
    const text = textOf(bytes)
    let ms = Infinity
    let now = Infinity
    // Other work on the machine takes processor time too: a bad measurement is repeated.
    for (let times = 0; times < 2 || (times < 8 && isBad()); times++) {
      ms = Math.min(ms, await timeOf(reader, text))
      now = bytes === smallest ? 0 : Math.log(ms / Math.max(before.ms, floor / 8)) / Math.log(bytes / before.bytes)
      if (ms < floor) break
    }
    function isBad() {
      return ms > limit || (ms > 4 * floor && now > steepest)
    }
    if (ms > floor) slope = Math.max(slope, now)
    if (isBad()) {
      const than = `${before.bytes} took ${before.ms.toFixed(0)} ms (slope ${now.toFixed(2)})`
      return { slope, failure: `${bytes} bytes took ${ms.toFixed(0)} ms, ${than}.` }
    }
    before = { bytes, ms }
  }
  return { slope, failure: undefined }
}

/**
 * Measures an archive that is read as `skills add` reads it, and returns the problems.
 * @param {string} name @param {import('./growth/structures.mjs').Structure} make @param {number} seed
 * @returns {Promise<readonly string[]>}
 */
async function costOf(name, make, seed) {
  const small = make(fewEntries, new Random(seed))
  const large = make(manyEntries, new Random(seed))
  // Other work on the machine takes time too: a bad measurement is repeated.
  /** @type {string[]} */
  let problems = []
  for (let times = 0; times < 3; times++) {
    const before = await readStructure(small)
    const { ms, turnMs, mib, odd } = await readStructure(large)
    const slope = Math.log(ms / Math.max(before.ms, 2 * floor)) / Math.log(manyEntries / fewEntries)
    const which = `an archive of ${large.length} bytes, ${name} (seed ${seed}),`
    problems = [
      ...(odd === undefined ? [] : [`${which} failed without a code: ${odd}`]),
      ...(ms > structureLimit ? [`${which} took ${Math.round(ms)} ms`] : []),
      ...(ms > 500 && slope > steepest + 0.2
        ? [`${which} took ${Math.round(ms)} ms, a smaller one ${Math.round(before.ms)} (slope ${slope.toFixed(2)})`]
        : []),
      ...(turnMs > turnLimit ? [`${which} took ${Math.round(turnMs)} ms without a turn for a signal`] : []),
      ...(mib > structureMemory ? [`${which} took ${mib} MiB`] : []),
    ]
    if (problems.length === 0) break
  }
  return problems
}

/** Returns milliseconds of processor time of this process. @param {Reader} reader @param {string} text */
async function timeOf(reader, text) {
  const before = process.cpuUsage()
  try {
    await reader(text)
  } catch (error) {
    if (error instanceof RangeError || !(error instanceof Error) || !('code' in error)) throw error
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Runs the program itself, in a new process each time. */
class Program {
  /** @type {string[]} */
  failures = []
  tried = 0
  mostMiB = 0
  mostMs = 0
  #root
  #random
  #turn = 0
  /** @type {Map<string, { ms: number, mib: number }>} */
  #base = new Map()

  /** @param {string} root @param {Random} random */
  constructor(root, random) {
    this.#root = root
    this.#random = random
  }

  /** Puts each kind of thing that is no file at every place, and runs the program. @param {number} count */
  async odd(count) {
    const commands = [
      ...new Set(Object.values(places).flatMap(place => place.commands.map(command => command.join(' ')))),
    ]
    for (const [kind, make] of Object.entries(oddities)) {
      plant(this.#root)
      for (const { file } of Object.values(places)) {
        rmSync(path.join(this.#root, file), { recursive: true, force: true })
        await make(path.join(this.#root, file), this.#root)
      }
      const chosen = count < 100 ? [this.#random.pick(commands), this.#random.pick(commands)] : commands
      for (const command of chosen) {
        const { mib, problem } = await measure(this.#root, command.split(' '))
        this.tried += 1
        if (problem !== undefined) this.failures.push(`${kind} in place of every file: skills ${command} ${problem}`)
        if (mib > 400) this.failures.push(`${kind} in place of every file: skills ${command} took ${mib} MiB`)
      }
    }
  }

  /** @param {string} head @param {readonly string[]} repeated @param {string} what */
  async grow(head, repeated, what) {
    const names = Object.keys(places)
    const name = names[this.#turn++ % names.length] ?? ''
    const { file, commands, begin = '' } = places[name] ?? { file: '', commands: [] }
    const command = this.#random.pick(commands)
    plant(this.#root)
    const before = this.#base.get(command.join(' ')) ?? (await measure(this.#root, command))
    this.#base.set(command.join(' '), before)
    // The largest text that is read, and one that is too large.
    for (const bytes of [1024 * 1024 - 1, largest]) {
      const text = begin + grown(head, repeated, bytes)
      mkdirSync(path.dirname(path.join(this.#root, file)), { recursive: true })
      writeFileSync(path.join(this.#root, file), Buffer.from(text).subarray(0, bytes))
      let { ms, mib, problem } = await measure(this.#root, command)
      if (ms - before.ms > limit) ({ ms, mib, problem } = await measure(this.#root, command))
      this.tried += 1
      const [more, moreMiB] = [ms - before.ms, mib - before.mib]
      this.mostMs = Math.max(this.mostMs, more || 0)
      this.mostMiB = Math.max(this.mostMiB, moreMiB || 0)
      const which = `${name} of ${bytes} bytes, ${what}: skills ${command.join(' ')}`
      if (problem !== undefined) this.failures.push(`${which} ${problem}`)
      if (more > limit) this.failures.push(`${which} took ${more} ms more than without it`)
      const most = memoryFloor + (memoryEach * Math.min(bytes, 1024 ** 2)) / 1024 ** 2
      if (moreMiB > most) this.failures.push(`${which} took ${moreMiB} MiB more than without it`)
    }
  }
}
