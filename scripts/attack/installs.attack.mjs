// @ts-check
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ci, verify } from '@skills/install'
import { contextOf, nameOf, skills, textOf, writeSource } from './installs/places.mjs'
import { Random } from './random.mjs'

const preload = new URL('kills/die-at.mjs', import.meta.url).href
const child = fileURLToPath(new URL('installs/child.mjs', import.meta.url))
const actions = ['add', 'update', 'remove', 'ci']

/** @type {import('./attack.d.ts').Attack} */
export const attack = {
  name: 'installs',
  title:
    'processes that add, update, remove and repair skills are killed at their calls to the system: each folder is ' +
    'complete or absent, and the next ci makes the disk what the lock says',
  counts: { short: 24, long: 200 },
  async run({ count, seed, folder, progress }) {
    const random = new Random(seed)
    /** @type {string[]} */
    const failures = []
    /** @type {Record<string, string>} */
    const figures = {}
    let kills = 0
    for (const name of ['work', 'home', 'tmp']) mkdirSync(`${folder}/${name}`, { recursive: true, mode: 0o700 })
    mkdirSync(`${folder}/work/.git`)
    /** @type {Map<string, number>} */
    const calls = new Map()
    for (let turn = 0; kills < count && turn < 10 * count; turn++) {
      const action = random.pick(actions)
      await prepare(folder, action, turn)
      if (!calls.has(action)) {
        await run(folder, action, { DIE_AT: '0', DIE_COUNT: `${folder}/calls` })
        calls.set(action, Number(readFileSync(`${folder}/calls`, 'utf8')))
        await prepare(folder, action, turn)
      }
      const most = calls.get(action) ?? 1
      const at = 1 + random.below(most)
      const how = random.pick(['before', 'middle', 'after'])
      const signal = await run(folder, action, { DIE_AT: String(at), DIE_HOW: how })
      if (signal === 'SIGKILL') kills += 1
      for (const failure of await checked(folder, turn))
        failures.push(`${action}, killed ${how} call ${at} of ${most}: ${failure} (turn ${turn}, --seed ${seed})`)
      progress(kills)
    }
    // Several processes at one time wait for each other, and none of their changes is lost.
    await prepare(folder, 'update', -1)
    const ends = await Promise.all(['update', 'add', 'ci', 'update'].map(action => run(folder, action, {})))
    if (ends.some(end => end !== null)) failures.push(`of four at one time some were ended: ${ends.join(', ')}`)
    for (const failure of await checked(folder, -1)) failures.push(`four at one time: ${failure}`)
    if (kills < count) failures.push(`Of ${count} processes only ${kills} were killed.`)
    for (const [name, most] of calls) figures[name] = `${most} calls`
    return { tried: kills, failures, figures }
  },
}

/**
 * Sets up the start of an action: version A installed, where there has to be something, and version B in the source.
 * @param {string} folder @param {string} action @param {number} turn
 */
async function prepare(folder, action, turn) {
  rmSync(`${folder}/work/.agents`, { recursive: true, force: true })
  for (const file of ['skills.json', 'skills.lock.json']) rmSync(`${folder}/work/${file}`, { force: true })
  writeSource(folder, `A${turn}`)
  if (action !== 'add') await run(folder, 'add', {})
  if (action === 'ci') rmSync(`${folder}/work/.agents/skills/two`, { recursive: true })
  if (action !== 'ci') writeSource(folder, `B${turn}`)
}

/** @param {string} folder @param {number} turn @returns {Promise<readonly string[]>} */
async function checked(folder, turn) {
  /** @type {string[]} */
  const wrong = []
  const there = `${folder}/work/.agents/skills`
  for (const name of existsSync(there) ? readdirSync(there).filter(one => !one.startsWith('.')) : []) {
    const versions = ['A', 'B'].filter(one => isWhole(`${there}/${name}`, name, `${one}${turn}`))
    if (versions.length === 0) wrong.push(`${name} is half there`)
  }
  const context = contextOf(folder)
  const { differences } = await ci({}, context).catch(error => ({ differences: [{ message: String(error) }] }))
  for (const { message } of [...differences, ...(await verify(context))]) wrong.push(`after ci: ${message}`)
  const lock = existsSync(context.place.lock)
    ? Object.keys(JSON.parse(readFileSync(context.place.lock, 'utf8')).skills)
    : []
  const left = existsSync(there) ? readdirSync(there).filter(name => !lock.includes(name) && !name.startsWith('.')) : []
  if (left.length > 0) wrong.push(`not in the lock: ${left.join(', ')}`)
  return wrong
}

/** @param {string} at @param {string} name @param {string} version */
function isWhole(at, name, version) {
  return Array.from({ length: Reflect.get(skills, name) ?? 0 }, (_, file) => file).every(
    file =>
      existsSync(`${at}/${nameOf(file)}`) && readFileSync(`${at}/${nameOf(file)}`, 'utf8') === textOf(version, file),
  )
}

/**
 * @param {string} folder @param {string} action @param {Record<string, string>} env
 * @returns {Promise<string | null>} the signal that ended the process
 */
function run(folder, action, env) {
  return new Promise((resolve, reject) => {
    const started = spawn(process.execPath, ['--import', preload, child, action, folder], {
      cwd: folder,
      stdio: 'inherit',
      env: { PATH: process.env['PATH'], HOME: `${folder}/home`, TMPDIR: `${folder}/tmp`, DIE_AT: '-1', ...env },
    })
    started.once('error', reject).once('close', (_code, signal) => resolve(signal))
  })
}
