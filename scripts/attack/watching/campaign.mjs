// @ts-check
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { watchSkills } from '@skills/files/source'
import { coldCatalog, difference, engineOver, skillText, summaryOf } from './engines.mjs'

/** @typedef {import('../random.mjs').Random} Random */

/** Milliseconds after the last operation in which the watch has to find what a new look finds. */
const patienceMs = 15_000

/**
 * Makes random operations on a watched folder, at once after each other or after a while. In the end the catalog has to
 * equal that of an engine that knows nothing of the operations.
 * @param {{ place: string, random: Random, operations: number }} options
 * @returns {Promise<string | undefined>} what went wrong
 */
export async function campaign({ place, random, operations }) {
  const root = `${place}/skills`
  mkdirSync(`${place}/elsewhere`, { recursive: true })
  mkdirSync(root)
  const skills = engineOver(root)
  /** @type {string[]} */
  const log = []
  try {
    const watch = await watchSkills(skills, { debounceMs: 5, onDiagnostic: ({ message }) => log.push(message) })
    for (let at = 0; at < operations; at += 1) {
      log.push(operate(place, random, at))
      if (log.length > 40) log.shift()
      // Within one tick of a clock, after a turn of the event loop, or when the watch had time to look.
      if (random.once(3)) await turn()
      if (random.once(40)) await wait(random.below(30))
    }
    let wrong = await disagreement(root, skills)
    for (
      const end = performance.now() + patienceMs;
      wrong.length > 0 && performance.now() < end;
      wrong = await disagreement(root, skills)
    )
      await wait(100)
    await watch.close()
    return wrong.length === 0
      ? undefined
      : `the watch differs from a new look after ${operations} operations: ${wrong.slice(0, 3).join('; ')} (the last ` +
          `ones: ${log.slice(-8).join(', ')})`
  } finally {
    await skills.close()
  }
}

/**
 * @param {string} root
 * @param {import('@skills/core').Skills} skills
 */
async function disagreement(root, skills) {
  return difference(summaryOf(await skills.catalog()), summaryOf(await coldCatalog(root)))
}

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']

/**
 * @param {string} place
 * @param {Random} random
 */
function pathIn(place, random) {
  const parts = Array.from({ length: 1 + random.below(3) }, () => random.pick(names))
  return [place, random.once(8) ? 'elsewhere' : 'skills', ...parts].join('/')
}

/**
 * Makes one operation, as often as not on a path that does not exist.
 * @param {string} place
 * @param {Random} random
 * @param {number} at
 * @returns {string} a description of the operation
 */
function operate(place, random, at) {
  const path = pathIn(place, random)
  const other = pathIn(place, random)
  const what = random.pick([
    'put',
    'put',
    'put',
    'edit',
    'edit',
    'remove',
    'rename',
    'rename',
    'swap',
    'swap',
    'link',
    'mode',
    'break',
    'replace',
    'folder',
    'root',
  ])
  try {
    if (what === 'put' || what === 'edit') {
      if (what === 'put') mkdirSync(path, { recursive: true })
      writeFileSync(`${path}/SKILL.md`, skillText(`Number ${at}.`))
    } else if (what === 'remove') rmSync(random.once(2) ? path : `${path}/SKILL.md`, { recursive: true })
    else if (what === 'rename') renameSync(path, other)
    else if (what === 'swap') swap(path, other, `${place}/aside`)
    else if (what === 'link') symlinkSync(other, path)
    else if (what === 'mode') chmodSync(random.once(2) ? path : `${path}/SKILL.md`, random.pick([0o755, 0o700, 0o000]))
    else if (what === 'break') writeFileSync(`${path}/SKILL.md`, '---\nuser-invocable: maybe\n')
    else if (what === 'replace') replace(path, at)
    else if (what === 'folder') mkdirSync(path, { recursive: true })
    else if (random.once(20)) renewRoot(place, random)
  } catch (error) {
    // Most operations meet something else, or nothing.
    if (!(error instanceof Error && 'code' in error)) throw error
  }
  const second = ['rename', 'swap', 'link'].includes(what) ? ` ${other.slice(place.length + 1)}` : ''
  return `${what} ${path.slice(place.length + 1)}${second}`
}

/**
 * @param {string} path
 * @param {string} other
 * @param {string} aside
 */
function swap(path, other, aside) {
  if (path.startsWith(`${other}/`) || other.startsWith(`${path}/`) || path === other) return
  lstatSync(other)
  renameSync(path, aside)
  renameSync(other, path)
  renameSync(aside, other)
}

/**
 * Replaces a file as editors do.
 * @param {string} path
 * @param {number} at
 */
function replace(path, at) {
  writeFileSync(`${path}/.new`, skillText(`Number ${at}.`))
  renameSync(`${path}/.new`, `${path}/SKILL.md`)
}

/**
 * Removes the skills folder itself, or replaces it by another one.
 * @param {string} place
 * @param {Random} random
 */
function renewRoot(place, random) {
  const [root, old] = [`${place}/skills`, `${place}/old`]
  rmSync(old, { recursive: true, force: true })
  renameSync(root, old)
  if (random.once(2) && readdirSync(old).length > 0) renameSync(old, root)
  else if (!existsSync(root)) mkdirSync(root)
}
