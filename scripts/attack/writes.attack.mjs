// @ts-check
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, lstatSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { canaryOf, commands, makeProject } from './writes/projects.mjs'
import { Random } from './random.mjs'
import { unprivileged } from './unprivileged.mjs'

const cli = fileURLToPath(new URL('../../packages/cli/dist/skills.cjs', import.meta.url))
const [swapper, saver] = ['swapper', 'saver'].map(name => fileURLToPath(new URL(`writes/${name}.mjs`, import.meta.url)))
const isRoot = process.getuid?.() === 0
const user = isRoot ? { uid: unprivileged, gid: unprivileged } : {}
const atOnce = 2
/** Milliseconds after which a command counts as hung. */
const patienceMs = 60_000

/** @type {import('./attack.d.ts').Attack} */
export const attack = {
  name: 'writes',
  title:
    'repositories with links at every level, a lock that names folders of git and of other programs, and a process that ' +
    'swaps folders for links, against every command that writes: nothing outside of the places of skills changes',
  counts: { short: 30, long: 4000 },
  async run({ count, seed, folder, progress }) {
    chmodSync(folder, 0o755)
    const random = new Random(seed)
    /** @type {string[]} */
    const failures = []
    let [done, begun, done0, swaps] = [0, 0, 0, 0]
    const one = async (/** @type {number} */ lane) => {
      while (begun < count) {
        const at = begun++
        const base = `${folder}/${lane}`
        const { links, lock } = makeProject(base, random, unprivileged)
        const isSaved = random.below(8) === 0
        const args = random.pick(commands)
        const swapped =
          isSaved || random.below(3) === 0
            ? random.pick(['.agents/skills', '.claude/skills/greet', '.claude/skills', 'evals/recordings', 'out'])
            : undefined
        const before = canaryOf(base)
        const work = `${base}/project`
        // Through a link the swapper itself would write elsewhere.
        const isSwapped = swapped !== undefined && isReal(`${work}/${swapped}`, base)
        const swapping = !isSwapped
          ? undefined
          : await started([swapper ?? '', `${work}/${swapped}`, `${base}/outside/greet`], base)
        const command = isSaved
          ? [saver ?? '', `${base}/home`, work, `${work}/.claude/skills/greet/SKILL.md`, '60']
          : [cli, ...args]
        const code = await ended(command, base)
        if (swapping !== undefined) {
          swaps++
          swapping.kill('SIGKILL')
          await once(swapping, 'exit')
        }
        if (code === 0) done0++
        const after = canaryOf(base)
        const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
          key => before.get(key) !== after.get(key),
        )
        const what = `${isSaved ? 'a save' : `skills ${args.join(' ')}`} with [${links.join(', ')}], lock ${lock}${swapped === undefined ? '' : `, ${swapped} swapped`}`
        if (changed.length > 0) failures.push(`${what}: ${changed.slice(0, 4).join(', ')} changed (case ${at})`)
        if (code === undefined) failures.push(`${what}: it did not end (case ${at})`)
        progress(++done)
      }
    }
    if (!existsSync(cli)) throw new Error('The program is not built: npm run build.')
    await Promise.all(Array.from({ length: atOnce }, (_, lane) => one(lane)))
    return {
      tried: done,
      failures,
      figures: { 'while a folder was swapped': swaps, 'commands that ended with 0': done0 },
    }
  },
}

/**
 * Returns true if no part of a folder's path is a link.
 * @param {string} folder
 * @param {string} base
 */
function isReal(folder, base) {
  for (let at = folder; at !== base; at = dirname(at)) {
    const stats = statsOf(at)
    if (stats === 'behind a file' || stats?.isSymbolicLink() === true) return false
  }
  return true
}

/** @param {string} at */
function statsOf(at) {
  try {
    return lstatSync(at, { throwIfNoEntry: false })
  } catch {
    return 'behind a file'
  }
}

/** @param {readonly string[]} args @param {string} base */
function begin(args, base) {
  return spawn(process.execPath, args, {
    cwd: `${base}/project`,
    env: { PATH: process.env['PATH'], HOME: `${base}/home`, CI: 'true' },
    stdio: ['ignore', 'pipe', 'ignore'],
    ...user,
  })
}

/** @param {readonly string[]} args @param {string} base */
async function started(args, base) {
  const child = begin(args, base)
  await once(child.stdout, 'data')
  child.stdout.resume()
  return child
}

/**
 * Returns a command's exit code; undefined if it had to be killed.
 * @param {readonly string[]} args
 * @param {string} base
 */
async function ended(args, base) {
  const child = begin(args, base)
  child.stdout.resume()
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  const [code, signal] = await once(child, 'exit')
  clearTimeout(timer)
  return signal === 'SIGKILL' ? undefined : /** @type {number} */ (code)
}
