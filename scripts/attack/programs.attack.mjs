// @ts-check
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { judge } from './judge.mjs'
import { Random } from './random.mjs'
import { callsOf, optionsOf, tried } from './programs/calls.mjs'
import { harms } from './programs/harms.mjs'
import { canTrace, Tracer } from './programs/trace.mjs'

const recording = path.join(import.meta.dirname, 'programs/recorded.json')

/** @typedef {ReturnType<typeof tried>[number]} Tried */

/**
 * The options that the help of installed programs names, and the refused calls that were seen to start or write
 * something else.
 * @typedef {Record<string, { options: string[], harmful: string[] }>} Recorded
 */

/** @type {import('./attack.d.ts').Attack} */
export const attack = {
  name: 'programs',
  title: 'every option of programs, with programs and files as values: a prefix rule lets none start or write another',
  // This many allowed calls are watched. Of each program at least 30 calls are judged, and a tenth of the count.
  counts: { short: 30, long: 1_000_000 },
  async run({ count, seed, folder, progress }) {
    const recorded = /** @type {Recorded} */ (existsSync(recording) ? JSON.parse(readFileSync(recording, 'utf8')) : {})
    const isRecording = process.env['ATTACK_RECORD'] === '1'
    const random = new Random(seed)
    const failures = /** @type {string[]} */ ([])
    const allowed = /** @type {{ call: string, one: Tried }[][]} */ ([])
    const refused = /** @type {{ call: string, one: Tried }[]} */ ([])
    let judged = 0
    for (const one of tried()) {
      if (isRecording) {
        const options = optionsOf(one.words)
        // A program that is not installed keeps what was recorded of it elsewhere.
        if (options.length > 53) recorded[one.words] = { options, harmful: recorded[one.words]?.harmful ?? [] }
      }
      const { options, harmful } = recorded[one.words] ?? { options: [], harmful: [] }
      if (options.length === 0) continue
      const allows = await judge({ allow: [`Bash(${one.words}:*)`] })
      for (const call of harmful)
        if (await allows(call)) failures.push(`Allowed, though it was seen to do more: ${call}`)
      const own = []
      for (const call of shuffled(callsOf(one, options), random).slice(0, Math.max(30, count / 10))) {
        judged += 1
        if (await allows(call)) own.push({ call, one })
        else refused.push({ call, one })
      }
      allowed.push(own)
    }
    const known = /** @type {string[]} */ ([])
    for (const call of harms) {
      judged += 1
      const allows = await judge({ allow: [`Bash(${programOf(call)}:*)`] })
      if (await allows(call)) failures.push(`Allowed, though manual pages tell of its harm: ${call}`)
      else known.push(call)
    }
    const watched = canTrace()
      ? watch(new Tracer(folder), { allowed, refused, known, count, random, progress })
      : undefined
    failures.push(...(watched?.failures ?? []))
    if (isRecording) {
      for (const { call, one } of watched?.harmful ?? []) {
        const of = recorded[one.words]
        if (of !== undefined) of.harmful = [...new Set([...of.harmful, call])].toSorted()
      }
      writeFileSync(recording, `${JSON.stringify(recorded)}\n`)
    }
    return {
      tried: judged,
      failures,
      figures: {
        'programs and subcommands': allowed.length,
        'allowed by a prefix rule': allowed.flat().length,
        ...(watched?.figures ?? { 'of these run and watched': 'none: strace, unshare and setpriv need root' }),
      },
    }
  },
}

/**
 * Runs allowed calls, taking the programs in turn, and refused ones, to show that there was something to refuse.
 * @param {Tracer} tracer
 * @param {{
 *   allowed: { call: string, one: Tried }[][]
 *   refused: { call: string, one: Tried }[]
 *   known: string[]
 *   count: number
 *   random: Random
 *   progress: (done: number) => void
 * }} calls
 */
function watch(tracer, { allowed, refused, known, count, random, progress }) {
  const failures = /** @type {string[]} */ ([])
  const harmful = /** @type {{ call: string, one: Tried }[]} */ ([])
  const programs = new Set(/** @type {string[]} */ ([]))
  const isHere = new Map(/** @type {[string, boolean][]} */ ([]))
  const has = (/** @type {string} */ name) => {
    const found = isHere.get(name) ?? isInstalled(name)
    isHere.set(name, found)
    return found
  }
  const here = shuffled(allowed, random).map(own => own.filter(({ one }) => has(programOf(one.words))))
  let [run, refusedRun] = [0, 0]
  for (let turn = 0; run < count && here.some(own => own.length > turn); turn += 1) {
    for (const own of here) {
      const at = own[turn]
      if (at === undefined || run >= count) continue
      programs.add(programOf(at.one.words))
      const told = harmOf(tracer, at.call, at.one)
      if (told !== undefined) failures.push(`Allowed ${at.call}, which ${told}`)
      progress((run += 1))
    }
  }
  for (const at of shuffled(refused, random)) {
    if (refusedRun >= count / 4) break
    if (!has(programOf(at.one.words))) continue
    refusedRun += 1
    if (harmOf(tracer, at.call, at.one) !== undefined) harmful.push(at)
  }
  const runKnown = shuffled(known, random)
    .filter(call => has(programOf(call)))
    .slice(0, Math.ceil(count / 4))
  const unseen = runKnown.filter(
    call => harmOf(tracer, call, { words: programOf(call), operands: '', isChanging: false }) === undefined,
  )
  // A few depend on the version of a program. If it were many, the watching would prove nothing.
  if (unseen.length > runKnown.length / 4) failures.push(`The watcher saw no harm in: ${unseen.join(' · ')}`)
  return {
    failures,
    harmful,
    figures: {
      'of these run and watched': `${run} of ${programs.size} programs`,
      'refused calls run, and of these started or wrote more': `${refusedRun}, ${harmful.length}`,
      'calls of known harm run, and of these seen to do it': `${runKnown.length}, ${runKnown.length - unseen.length}`,
      ...(unseen.length > 0 && { 'not seen': unseen.join(' · ') }),
    },
  }
}

/** @param {string} name */
function isInstalled(name) {
  return spawnSync('sh', ['-c', 'command -v -- "$1"', 'sh', name]).status === 0
}

/**
 * Returns the program of a call, behind assignments.
 * @param {string} call
 */
function programOf(call) {
  return call.split(' ').find(word => !/^\w+=/.test(word)) ?? ''
}

/**
 * @template T
 * @param {readonly T[]} list
 * @param {Random} random
 */
function shuffled(list, random) {
  const all = [...list]
  for (let at = all.length - 1; at > 0; at -= 1) {
    const other = random.below(at + 1)
    ;[all[at], all[other]] = [/** @type {T} */ (all[other]), /** @type {T} */ (all[at])]
  }
  return all
}

/**
 * @param {Tracer} tracer
 * @param {string} call
 * @param {Tried} one
 */
function harmOf(tracer, call, { words, operands, isChanging }) {
  const { started, wrote } = tracer.run(call, `${words} ${operands}`.trim())
  if (started.length > 0) return `started ${started.join(', ')}`
  return isChanging || wrote.length === 0 ? undefined : `wrote ${wrote.join(', ')}`
}
