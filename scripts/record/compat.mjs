// @ts-check
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { randomFrom } from '../../packages/distributions/test/recorded/families/random.mjs'
import { inTree } from './in-tree.mjs'

// Checks statements of `skills compat` against a released program: whether the program finds each of many real skills,
// and whether it tells its model the description whole, cut, by name alone, or nothing:
//
//     npm run record -- codex --from FOLDER --compat SKILLS [--count 100] [--seed 1]
//
// SKILLS is a folder with skills at any depth. It draws some by the seed and puts them into one folder that the program
// reads. It needs the built command line. Ends with 1 if a statement is wrong.

/** @typedef {import('./programs.mjs').Program} Program */
/** @typedef {'whole' | 'cut' | 'name' | 'not'} Kind */
/** @typedef {{ folder: string, found: boolean, told: Kind }} Statement */

const cli = fileURLToPath(new URL('../../packages/cli/dist/skills.cjs', import.meta.url))
/** Tokens of the window of a model, unless the program reports another one. */
const usualWindow = 200_000

/**
 * Draws skills, of which no two have one folder name.
 * @param {string} from @param {number} count @param {number} seed @returns {Record<string, string>} texts by folder name
 */
function drawn(from, count, seed) {
  const files = readdirSync(from, { recursive: true, encoding: 'utf8' })
    .filter(file => path.basename(file) === 'SKILL.md')
    .toSorted()
  const random = randomFrom(seed)
  /** @type {Record<string, string>} */
  const texts = {}
  while (files.length > 0 && Object.keys(texts).length < count) {
    const [file = ''] = files.splice(random.number(files.length), 1)
    const folder = path.basename(path.dirname(file))
    if (!Object.hasOwn(texts, folder)) texts[folder] = readFileSync(path.join(from, file), 'utf8')
  }
  return texts
}

/** @param {readonly string[]} args @param {import('./isolated.mjs').Place} place @returns {any} */
function ours(args, { cwd, home, temporary, path: PATH }) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [cli, ...args, '--json'], {
    cwd,
    env: { PATH, HOME: home, TMPDIR: temporary },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (status !== 0 && status !== 1) throw new Error(`skills ${args.join(' ')} ended with ${status}: ${stderr}`)
  return JSON.parse(stdout)
}

/** Words of `compat` for a skill of which a model is not told, or not yet. @type {readonly string[]} */
const untold = ['not', 'user', 'later']

const plain = (/** @type {string} */ text) => text.replace(/\s+/g, ' ').trim()

const signs = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
const unescaped = (/** @type {string} */ text) =>
  text.replace(/&(lt|gt|amp|quot|apos);/g, (_, name) => Reflect.get(signs, name))

/**
 * @param {string | undefined} told @param {string} whole
 * @param {boolean} byLine true if only first lines are read from the program's listing @returns {Kind}
 */
function kindOf(told, whole, byLine) {
  if (told === undefined) return 'not'
  if (told === '') return 'name'
  const [one, all] = [plain(unescaped(told)), plain(unescaped(whole))]
  if (one.startsWith(all)) return 'whole'
  const [first = ''] = unescaped(whole).split('\n')
  return byLine && one.startsWith(plain(first)) ? 'whole' : 'cut'
}

/** @param {string} id @param {Program} program @param {{ bin: string, path: string }} installed @param {{ folder: string, count: number, seed: number }} options */
export async function checkCompat(id, program, installed, { folder, count, seed }) {
  const texts = drawn(folder, count, seed)
  const files = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [`project/@/skills/${name}/SKILL.md`, text]),
  )
  const answer = await inTree(program, installed, { id: 'compat', files }, async (place, root) => {
    const listed = await program.list(place)
    const { listed: told, room } = (await program.told?.(place)) ?? { listed: undefined, room: undefined }
    const window = ['--context-window', `${room?.window ?? usualWindow}`]
    const { skills } = ours(['compat', '--for', id, ...window], place)
    const own = ours(['list', '--distribution', id], place)
    return { listed, told, skills, own, root }
  })
  if ('failed' in answer) throw new Error(answer.failed)
  const { listed, told, skills, own } = answer
  const folderOf = (/** @type {string} */ file) => path.basename(path.dirname(file))
  const wrong = { found: 0, told: 0 }
  const lines = []
  for (const skill of skills) {
    const at = folderOf(skill.path)
    const [said] = skill.agents
    const theirs = listed.find(one =>
      one.path === undefined ? one.name === (said.name ?? at) : folderOf(one.path) === at,
    )
    const isFound = said.found === 'here'
    // Some programs list no skill that neither people nor models may use, or that waits for a file to be touched.
    if (isFound !== (theirs !== undefined) && !(isFound && untold.includes(said.told))) {
      wrong.found += 1
      lines.push(`${at}: found ${said.found}, and ${id} ${theirs === undefined ? 'does not list it' : 'lists it'}`)
    }
    if (told === undefined || theirs === undefined) continue
    const whole = own.find((/** @type {any} */ one) => folderOf(one.path ?? '') === at)?.description ?? ''
    const entry = told.find(one => one.name === theirs.name)
    // Some programs list only what they tell their models.
    const all = [theirs.description ?? '', whole].toSorted((a, b) => b.length - a.length)[0] ?? ''
    const kind = kindOf(entry?.description, all, program.tellsLines ?? false)
    if (kind === said.told || (kind === 'not' && untold.includes(said.told))) continue
    wrong.told += 1
    lines.push(`${at}: told ${said.told}, and ${id} tells ${kind}: ${JSON.stringify(entry?.description.slice(-60))}`)
  }
  for (const line of lines) console.log(line)
  const checked = told === undefined ? 'no statement about its listing' : `told ${wrong.told} of ${skills.length} wrong`
  console.log(`${id}: found ${wrong.found} of ${skills.length} wrong, ${checked} (seed ${seed}).`)
  return wrong.found + wrong.told === 0 ? 0 : 1
}
