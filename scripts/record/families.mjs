// @ts-check
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { digestOf } from '../../packages/distributions/test/recorded/families/areas.mjs'
import { listedAs } from '../../packages/distributions/test/recorded/families/listed-as.mjs'
import { inTree } from './in-tree.mjs'
import { isolation, modelPort, modelUrl } from './isolated.mjs'
import { randomFrom } from '../../packages/distributions/test/recorded/families/random.mjs'

// Asks a released program about families of generated cases, many in one tree and one process:
//
//     npm run record -- claude-code --from FOLDER --families [--area words]        compares with what was recorded
//     npm run record -- claude-code --from FOLDER --families --write [--seed 7]     records
//
// An area is a file in packages/distributions/test/recorded/families/PROGRAM that makes the cases from a seed. What is
// kept is the seed and the answers; families.test.ts asks our distribution the same.

/** @typedef {import('../../packages/distributions/test/recorded/families/areas.mjs').Area} Area */
/** @typedef {import('../../packages/distributions/test/recorded/families/areas.mjs').Batch} Batch */
/** @typedef {{ program: string, version: string, on: string, seed: number, cases: string, answers: readonly string[] }} Kept */

const folder = fileURLToPath(new URL('../../packages/distributions/test/recorded/families/', import.meta.url))
const conversation = fileURLToPath(new URL('conversation.mjs', import.meta.url))
const limitMs = 300_000

/** @typedef {{ bin: string, path: string }} Installed */

/**
 * Holds a conversation with Claude Code in the tree of a batch. It lists all skills: how the listing is cut is not a
 * question of these families.
 * @param {Installed} installed @param {Batch} batch
 */
async function askClaudeCode(installed, { files, steps, args = [], env = {}, cwd = 'project' }) {
  const { answersIn } = await import('../../packages/distributions/test/recorded/families/claude-code/answers.mjs')
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'skills-family-')))
  const placed = (/** @type {string} */ text) => text.replaceAll('<ROOT>', root)
  try {
    for (const made of [cwd, 'home', 'tmp', 'project/.git/objects', 'project/.git/refs'])
      mkdirSync(path.join(root, made), { recursive: true })
    writeFileSync(path.join(root, 'project/.git/HEAD'), 'ref: refs/heads/main\n')
    for (const [name, content] of Object.entries(files)) {
      const file = path.join(root, name)
      mkdirSync(path.dirname(file), { recursive: true })
      if (typeof content === 'string') writeFileSync(file, placed(content))
      else symlinkSync(content.link, file)
    }
    const script = path.join(root, 'steps.json')
    writeFileSync(script, placed(JSON.stringify(steps)))
    const own = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose']
    const session = ['--session-id', '00000000-0000-4000-8000-000000000001']
    const { status, stdout, stderr } = spawnSync(
      'unshare',
      [
        ...isolation,
        process.execPath,
        conversation,
        `${modelPort}`,
        script,
        installed.bin,
        ...own,
        ...session,
        ...args.map(placed),
      ],
      {
        cwd: path.join(root, cwd),
        env: {
          PATH: installed.path,
          HOME: path.join(root, 'home'),
          TMPDIR: path.join(root, 'tmp'),
          TERM: 'dumb',
          NO_COLOR: '1',
          ANTHROPIC_BASE_URL: modelUrl,
          ANTHROPIC_API_KEY: 'none',
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          SLASH_COMMAND_TOOL_CHAR_BUDGET: '10000000',
          ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, placed(value)])),
        },
        encoding: 'utf8',
        maxBuffer: 2 ** 30,
        timeout: limitMs,
      },
    )
    if (status !== 0) throw new Error(`${installed.bin} ended with ${status}: ${stderr.trim().slice(-500)}`)
    /** @type {readonly import('./conversation.mjs').Heard[]} */
    const heard = JSON.parse(stdout.replaceAll(root, '<ROOT>'))
    return steps.flatMap((step, at) => answersIn(step, heard[at] ?? { added: [] }))
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/**
 * Asks a program which skills of a batch it lists, or what calls of its model do. Returns the answer of each, by its
 * folder or name.
 * @param {Installed} installed @param {Batch} batch @param {import('./programs.mjs').Program} program
 */
async function askListed(installed, { files, steps }, program) {
  const tree = { id: 'family', files }
  const calls = steps.flatMap(one => one.calls ?? [])
  const answer = await inTree(program, installed, tree, async place => {
    if (calls.length > 0) return program.called?.(place, calls) ?? []
    const found = await program.list(place)
    return steps.flatMap(({ rows = [] }) => listedAs(found, rows))
  })
  if ('failed' in answer) throw new Error(answer.failed)
  return answer
}

/**
 * Asks a program about areas, prints what changed, and records it if `write` is true. Returns the exit code.
 * @param {string} id @param {import('./programs.mjs').Program} program @param {string} version @param {Installed} installed
 * @param {{ areas: readonly string[], seed: number | undefined, write: boolean }} options
 */
export async function recordFamilies(id, program, version, installed, { areas, seed, write }) {
  // What the others list says enough about their families.
  const ask = id === 'claude-code' ? askClaudeCode : askListed
  const all = existsSync(path.join(folder, id))
    ? readdirSync(path.join(folder, id)).filter(name => name.endsWith('.mjs') && name !== 'answers.mjs')
    : []
  const named = all
    .map(name => name.slice(0, -'.mjs'.length))
    .filter(name => areas.length === 0 || areas.includes(name))
  if (named.length === 0) {
    console.error(`No such family of ${id}. There are ${all.join(', ') || 'none'}.`)
    return 2
  }
  let changed = 0
  for (const name of named) {
    const file = path.join(folder, id, `${name}.json`)
    /** @type {Kept | undefined} */
    const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
    const chosen = seed ?? before?.seed ?? 1
    /** @type {{ area: Area }} */
    const { area } = await import(
      new URL(`../../packages/distributions/test/recorded/families/${id}/${name}.mjs`, import.meta.url).href
    )
    const batches = area.batches(randomFrom(chosen))
    /** @type {string[]} */
    const answers = []
    for (const batch of batches) answers.push(...(await ask(installed, batch, program)))
    const cases = digestOf(batches)
    const isComparable = before?.cases === cases
    const differing = isComparable ? answers.filter((answer, at) => answer !== before.answers[at]) : answers
    changed += differing.length
    console.log(
      `${id} ${version}, ${name}: ${answers.length} cases, ${isComparable ? `${differing.length} changed since ${before.version} of ${before.on}` : 'new'}.`,
    )
    if (!write) continue
    const on = new Date().toISOString().slice(0, 10)
    const head = JSON.stringify({ program: id, version, on, seed: chosen, cases }).slice(0, -1)
    writeFileSync(file, `${head},"answers":[\n${answers.map(answer => JSON.stringify(answer)).join(',\n')}\n]}\n`)
  }
  return changed === 0 || write ? 0 : 1
}
