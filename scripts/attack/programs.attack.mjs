// @ts-check
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { judge } from './judge.mjs'
import { Random } from './random.mjs'
import { callsOf, optionsOf, tried } from './programs/calls.mjs'
import { canTrace, Tracer } from './programs/trace.mjs'

const recording = path.join(import.meta.dirname, 'programs/recorded.json')
/** Of so many calls that rules refuse one is run too: it shows that there was something to refuse. */
const samples = 60

/**
 * Calls by program, options and harm: what the calls of installed programs really started and wrote. A call that is
 * not in here did nothing of the kind.
 * @typedef {Record<string, { options: string[], harmful: string[] }>} Recorded
 */

/** @type {import('./attack.d.ts').Attack} */
export const attack = {
  name: 'programs',
  title: 'every option of programs, with programs and files as values: a prefix rule lets none start or write another',
  counts: { short: 150, long: 1_000_000 },
  async run({ count, seed, folder, progress }) {
    const recorded = /** @type {Recorded} */ (existsSync(recording) ? JSON.parse(readFileSync(recording, 'utf8')) : {})
    const isRecording = process.env['ATTACK_RECORD'] === '1'
    const tracer = canTrace() ? new Tracer(folder) : undefined
    const random = new Random(seed)
    const failures = /** @type {string[]} */ ([])
    let [judged, allowedCalls, run, refusedHarm, refusedRun] = [0, 0, 0, 0, 0]
    const allowed = /** @type {{ call: string, one: ReturnType<typeof tried>[number] }[]} */ ([])
    const refused = /** @type {typeof allowed} */ ([])
    const programs = tried()
    for (const one of programs) {
      if (isRecording) {
        const options = optionsOf(one.words)
        // What is not installed keeps what was recorded of it elsewhere.
        if (options.length > 53) recorded[one.words] = { options, harmful: recorded[one.words]?.harmful ?? [] }
      }
      const { options = [], harmful = [] } = recorded[one.words] ?? {}
      const known = new Set(harmful)
      const allows = await judge({ allow: [`Bash(${one.words}:*)`] })
      const calls = callsOf(one, options)
      const some = count > calls.length ? calls : Array.from({ length: 60 }, () => random.pick(calls))
      for (const call of calls.length === 0 ? [] : [...some, ...harmful]) {
        judged += 1
        const isAllowed = await allows(call)
        if (isAllowed) allowedCalls += 1
        if (isAllowed && known.has(call)) failures.push(`Allowed, though it was seen to do more: ${call}`)
        ;(isAllowed ? allowed : refused).push({ call, one })
      }
    }
    if (isRecording) writeFileSync(recording, `${JSON.stringify(recorded)}\n`)
    if (tracer !== undefined) {
      const wanted =
        isRecording || count > allowed.length ? allowed : Array.from({ length: count }, () => random.pick(allowed))
      for (const { call, one } of wanted) {
        const told = harmOf(tracer, call, one)
        if (told !== undefined) failures.push(`Allowed ${call}, which ${told}`)
        progress((run += 1))
      }
      for (let at = 0; at < Math.min(samples, count); at += 1) {
        const { call, one } = random.pick(refused)
        refusedRun += 1
        if (harmOf(tracer, call, one) === undefined) continue
        refusedHarm += 1
        const of = recorded[one.words]
        if (isRecording && of !== undefined) of.harmful = [...new Set([...of.harmful, call])].toSorted()
        if (isRecording) writeFileSync(recording, `${JSON.stringify(recorded)}\n`)
      }
    }
    if (isRecording) writeFileSync(recording, `${JSON.stringify(recorded)}\n`)
    return {
      tried: judged,
      failures,
      figures: {
        programs: programs.length,
        'allowed by a prefix rule': allowedCalls,
        'of these run and watched': tracer === undefined ? 'none: strace, unshare and setpriv need root' : run,
        'refused calls run, and of these started or wrote more': `${refusedRun}, ${refusedHarm}`,
      },
    }
  },
}

/**
 * @param {Tracer} tracer
 * @param {string} call
 * @param {ReturnType<typeof tried>[number]} one
 */
function harmOf(tracer, call, { words, operands, isChanging }) {
  const { started, wrote } = tracer.run(call, `${words} ${operands}`.trim())
  if (started.length > 0) return `started ${started.join(', ')}`
  return isChanging || wrote.length === 0 ? undefined : `wrote ${wrote.join(', ')}`
}
