// @ts-check
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { Random } from './random.mjs'
import { allActions } from './kills/actions.mjs'
import { standingFaults } from './kills/standing-faults.mjs'

/** @typedef {import('./kills/actions.mjs').Action} Action */

const preload = new URL('kills/die-at.mjs', import.meta.url).href
/** An action that takes seconds is tried every so many turns. */
const slowEvery = 100

/** @type {import('./attack.d.ts').Attack} */
export const attack = {
  name: 'kills',
  title:
    'processes that save are killed at their calls to the system, stopped, or find no room: nothing is lost, and ' +
    'the next save waits for no one',
  counts: { short: 24, long: 1_000 },
  async run({ count, seed, folder, progress }) {
    const random = new Random(seed)
    const actions = allActions(run)
    /** @type {Map<string, { folder: string, calls: number, turns: number, kills: number }>} */
    const known = new Map()
    const { failures, figures } = await standingFaults(`${folder}/standing`, run)
    let kills = 0
    // A process that needs fewer calls than expected ends by itself; only the kills are counted.
    for (let turn = 0; kills < count && turn < 10 * count; turn++) {
      const action = random.pick(
        actions.filter(({ isSlow = false }) => isSlow === (turn % slowEvery === slowEvery - 1)),
      )
      const place = known.get(action.name) ?? (await prepared(action, `${folder}/${known.size}`))
      known.set(action.name, place)
      // One call after the other, so that none is left out; and one more than were counted, since the case before may
      // have left work to do.
      const at = 1 + ((place.turns++ + seed) % (place.calls + 1))
      const how = random.pick(['before', 'middle', 'after'])
      const { signal } = await run(place.folder, action.argv(place.folder, turn), { DIE_AT: String(at), DIE_HOW: how })
      if (signal === 'SIGKILL') {
        kills += 1
        place.kills += 1
      }
      for (const failure of await checked(action, place.folder, turn)) {
        failures.push(
          `${action.name}, killed ${how} call ${at} of ${place.calls}: ${failure} ` +
            `(turn ${turn} of --count ${count} --seed ${seed})`,
        )
      }
      progress(kills)
    }
    if (kills < count) failures.push(`Of ${count} processes only ${kills} were killed.`)
    for (const [name, { kills: times, calls }] of known) figures[name] = `${times} kills at ${calls} calls`
    return { tried: kills, failures, figures }
  },
}

/**
 * Runs an action without a kill, and counts its calls.
 * @param {Action} action
 * @param {string} folder
 */
async function prepared(action, folder) {
  for (const name of ['work', 'home', 'tmp']) mkdirSync(`${folder}/${name}`, { recursive: true, mode: 0o700 })
  action.prepare(folder)
  const { code, output } = await run(folder, action.argv(folder, 0), { DIE_AT: '0', DIE_COUNT: `${folder}/calls` })
  if (code !== 0 || !existsSync(`${folder}/calls`)) {
    throw new Error(`${action.name} ended with ${code} though no one killed it: ${output}`)
  }
  const [first] = await checked(action, folder, 0)
  if (first !== undefined) throw new Error(`${action.name} is not as it should be though no one killed it: ${first}`)
  return { folder, calls: Number(readFileSync(`${folder}/calls`, 'utf8')), turns: 0, kills: 0 }
}

/** @param {Action} action @param {string} folder @param {number} turn @returns {Promise<readonly string[]>} */
async function checked(action, folder, turn) {
  try {
    return await action.check(folder, turn)
  } catch (error) {
    return [`what is there cannot be read: ${String(error)}`]
  }
}

/**
 * Runs node in the folder, killed at a call where the environment says so.
 * @param {string} folder
 * @param {readonly string[]} args
 * @param {Record<string, string>} [env]
 * @returns {Promise<{ readonly code: number | null, readonly signal: string | null, readonly output: string }>}
 */
function run(folder, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...(env === undefined ? [] : ['--import', preload]), ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], HOME: `${folder}/home`, TMPDIR: `${folder}/tmp`, ...env },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', data => (output += data))
    child.once('error', reject).once('close', (code, signal) => resolve({ code, signal, output }))
  })
}
