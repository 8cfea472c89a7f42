// @ts-check
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { processHost } from '@skills/core'
import { openState } from '@skills/distributions/trust'
import { noWaitClock } from './no-wait-clock.mjs'
import { hostOf } from './places.mjs'

const call = { signal: new AbortController().signal }
const child = fileURLToPath(new URL('child.mjs', import.meta.url))

/**
 * Checks faults other than kills: stopped processes, locks from another time, and a disk without room.
 * @param {string} folder
 * @param {(folder: string, args: readonly string[]) => Promise<{ readonly code: number | null, readonly output: string
 *   }>} run
 */
export async function standingFaults(folder, run) {
  /** @type {string[]} */
  const failures = []
  /** @type {Record<string, string | number>} */
  const figures = {}
  for (const [name, attempt] of Object.entries({ stopped, stoppedElsewhere, otherTimes, fullDisk })) {
    const own = `${folder}/${name}`
    mkdirSync(`${own}/state`, { recursive: true, mode: 0o700 })
    for (const failure of await attempt(own, run, figures)) failures.push(`${name}: ${failure}`)
  }
  return { failures, figures }
}

/** @param {string} folder @param {ReturnType<typeof noWaitClock>} [clock] */
function stateIn(folder, clock = noWaitClock()) {
  return openState(processHost({ ...hostOf(folder), clock }), { dir: `${folder}/state`, report: () => {} })
}

/** @param {string} folder @param {ReturnType<typeof noWaitClock>} [clock] */
async function add(folder, clock) {
  return stateIn(folder, clock).update('usage', value => Number(value ?? 0) + 1, call)
}

/** Starts a process that stops while it holds the lock. @param {string} folder */
async function holding(folder) {
  const holder = spawn(process.execPath, [child, 'stop', folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  holder.stdout.on('data', data => (output += data))
  const ended = once(holder, 'close')
  while (!existsSync(`${folder}/held`)) await sleep(5)
  return {
    holder,
    goOn: async () => {
      holder.kill('SIGCONT')
      await ended
      return output
    },
  }
}

/** @param {string} folder */
async function stopped(folder) {
  const { holder, goOn } = await holding(folder)
  /** @type {string[]} */
  const failures = []
  const refusal = await add(folder).then(
    () => 'nothing',
    error => String(error),
  )
  if (!refusal.includes(`held by the process ${holder.pid}`))
    failures.push(`a lock that a stopped process holds was ` + `answered with ${refusal}`)
  const output = await goOn()
  if (output !== '') failures.push(`the process failed once it went on: ${output}`)
  const now = await add(folder)
  return now === 2 ? failures : [...failures, `two were counted, and the count is ${String(now)}`]
}

/** Checks the same for a process that cannot tell whether the holder still runs. @param {string} folder */
async function stoppedElsewhere(folder) {
  const { goOn } = await holding(folder)
  const lock = `${folder}/state/usage.lock`
  writeFileSync(lock, JSON.stringify({ ...JSON.parse(readFileSync(lock, 'utf8')), machine: 'elsewhere' }))
  const clock = noWaitClock()
  const first = await add(folder, clock).catch(error => String(error))
  const output = await goOn()
  const now = await stateIn(folder).read('usage', call)
  return first === 1 && output === 'E_STATE' && now === 1
    ? []
    : [
        `it was taken over with ${String(first)} after ${clock.waitedMs} ms, the other ended with "${output}", and the ` +
          `count is ${String(now)}`,
      ]
}

/**
 * Checks locks of a dead process, and of one that ended before it wrote its id, with any date and time of day.
 * @param {string} folder
 */
async function otherTimes(folder) {
  /** @type {string[]} */
  const failures = []
  const dead = JSON.stringify({
    pid: spawnSync(process.execPath, ['-e', '']).pid,
    machine: 'elsewhere',
    token: crypto.randomUUID(),
  })
  let count = 0
  for (const text of ['', dead]) {
    for (const dateSeconds of [-86_400, -30, 3_500, 86_400]) {
      for (const aheadMs of [0, -3_600_000, 3_600_000]) {
        writeFileSync(`${folder}/state/usage.lock`, text)
        const at = Date.now() / 1000 + dateSeconds
        utimesSync(`${folder}/state/usage.lock`, at, at)
        const clock = noWaitClock(aheadMs)
        const now = await add(folder, clock).catch(error => String(error))
        const whose = text === '' ? 'that says nothing' : 'of another machine'
        const lock = `a lock ${whose}, dated ${dateSeconds} s from now`
        if (now === count + 1 && clock.waitedMs <= 6_000) count += 1
        else {
          failures.push(
            `${lock}, with a clock ${aheadMs} ms off, was answered with ${String(now)} ` + `after ${clock.waitedMs} ms`,
          )
        }
        rmSync(`${folder}/state/usage.lock`, { force: true })
      }
    }
  }
  return failures
}

/**
 * @param {string} folder @param {(folder: string, args: readonly string[]) => Promise<{ readonly code: number | null,
 * readonly output: string }>} run @param {Record<string, string | number>} figures
 */
async function fullDisk(folder, run, figures) {
  const state = `${folder}/state`
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=700', 'none', state]).status !== 0) {
    figures['full disk'] = 'not tried: this user may mount nothing'
    return []
  }
  try {
    await add(folder)
    fill(`${state}/filler`)
    const before = readdirSync(state).toSorted()
    const { output } = await run(folder, [child, 'usage', folder])
    const after = readdirSync(state).toSorted()
    rmSync(`${state}/filler`)
    const clock = noWaitClock()
    const now = await add(folder, clock).catch(error => String(error))
    figures['full disk'] = 'tried'
    return output === 'E_STATE' && after.join() === before.join() && now === 2 && clock.waits === 0
      ? []
      : [
          `it ended with "${output}", left ${after.join(', ')}, and the next save gave ${String(now)} after ` +
            `${clock.waits} waits`,
        ]
  } finally {
    spawnSync('umount', [state])
  }
}

/** Fills the disk to the last byte. @param {string} path */
function fill(path) {
  for (const size of [4096, 1]) {
    try {
      for (;;) writeFileSync(path, 'x'.repeat(size), { flag: 'a' })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
    }
  }
}
