// @ts-check
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { processHost } from '@skills/core'
import { openRuns } from '@skills/runs'
import { Random } from './random.mjs'

const child = fileURLToPath(new URL('runs/child.mjs', import.meta.url))
const preload = new URL('kills/die-at.mjs', import.meta.url).href
const program = fileURLToPath(new URL('../../packages/cli/dist/skills.cjs', import.meta.url))
/** Runs that one process starts. */
const runsEach = 3
/**
 * Runs for each case in one process that is checked for growing memory, and the KiB that count as noise: of all of them
 * and of each.
 */
const manyEach = 33
const noiseKiB = { all: 2048, each: 0.5 }

/** @type {import('./attack.d.ts').Attack} */
export const attack = {
  name: 'runs',
  title:
    'processes with recorded forks are killed at their calls to the system, raced, and find no room, no skill or a cut ' +
    'journal: no run is lost or ended twice, and no effect that may not be made twice is',
  counts: { short: 4, long: 300 },
  async run({ count, seed, folder, progress }) {
    const random = new Random(seed)
    /** @type {string[]} */
    const failures = []
    const total = { kills: 0, runs: 0, effects: 0, asked: 0, taken: 0 }
    const calls = await callsOf(place(`${folder}/counted`))
    for (let turn = 0; turn < count; turn++) {
      const here = place(`${folder}/${turn}`)
      // The process is killed while it starts runs, and sometimes again while it resumes them.
      for (const mode of ['start', 'resume', 'resume'].slice(0, 1 + random.below(3))) {
        const env = { DIE_AT: String(1 + random.below(calls)), DIE_HOW: random.pick(['before', 'middle', 'after']) }
        const { signal } = await ran(here, [mode, here, String(runsEach)], env)
        if (signal === 'SIGKILL') total.kills += 1
      }
      for (const failure of await finished(here, total))
        failures.push(`${failure} (turn ${turn} of --count ${count} --seed ${seed})`)
      rmSync(here, { recursive: true, force: true })
      progress(turn + 1)
    }
    for (const [name, attempt] of Object.entries({ fullDisk, cutJournal, skillGone }))
      for (const failure of await attempt(place(`${folder}/${name}`))) failures.push(`${name}: ${failure}`)
    const many = place(`${folder}/many`)
    const number = count * manyEach
    const { output, code } = await ran(many, ['many', many, String(number)])
    const [before = NaN, after = NaN] = output.split(' ').map(Number)
    if (code !== 0 || !(after - before < noiseKiB.all + noiseKiB.each * number))
      failures.push(`${number} runs in one process ended with ${code}: ${output}`)
    const start = performance.now()
    const args = [program, 'runs', '--json', '--dir', `${many}/runs`, '--home', `${many}/home`]
    const listed = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 30 })
    const length = listed.status === 0 ? JSON.parse(listed.stdout).length : listed.stderr
    if (length !== number) failures.push(`skills runs listed ${length} of ${number}.`)
    return {
      tried: total.kills,
      failures,
      figures: {
        'kills, runs, effects': `${total.kills}, ${total.runs}, ${total.effects}`,
        'questions whether to repeat': total.asked,
        'taken over': total.taken,
        [`memory of ${number} runs`]: `${before} KiB, then ${after} KiB`,
        [`skills runs of ${number}`]: `${Math.round(performance.now() - start)} ms`,
      },
    }
  },
}

/** Makes a home with the skills, and a folder for runs. @param {string} folder */
function place(folder) {
  skillsIn(folder)
  mkdirSync(`${folder}/runs`, { mode: 0o700 })
  return folder
}

/** @param {string} folder */
function skillsIn(folder) {
  for (const [name, more] of [
    ['work', 'background: true\n'],
    ['once', ''],
  ]) {
    const own = `${folder}/home/.claude/skills/${name}`
    mkdirSync(own, { recursive: true })
    writeFileSync(
      `${own}/SKILL.md`,
      `---\nname: ${name}\ndescription: Does it.\ncontext: fork\n${more}---\nDo $ARGUMENTS.\n`,
    )
  }
}

/** @param {string} folder */
const runsOf = folder => openRuns(processHost({ home: folder, env: {} }), { dir: `${folder}/runs` })

/** @param {string} folder */
const recordsOf = async folder => (await runsOf(folder).find()).flatMap(run => ('problem' in run ? [] : run))

/** @param {string} path */
const linesOf = path => (existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n').filter(Boolean) : [])

/** Returns how many system calls a process makes when it is not killed. @param {string} folder */
async function callsOf(folder) {
  const env = { DIE_AT: '0', DIE_COUNT: `${folder}/calls` }
  const { code, output } = await ran(folder, ['start', folder, String(runsEach)], env)
  if (code !== 0) throw new Error(`It ended with ${code} though no one killed it: ${output}`)
  return Number(readFileSync(`${folder}/calls`, 'utf8'))
}

/**
 * Resumes the runs in two processes at once, and refuses to repeat calls, until all runs have ended.
 * @param {string} folder
 * @param {Record<'runs' | 'effects' | 'asked' | 'taken', number>} total
 * @param {number} endings of each, where it was queued again after one
 */
async function finished(folder, total, endings = 1) {
  /** @type {string[]} */
  const failures = []
  const runs = runsOf(folder)
  const asked = new Set()
  const submitted = (await recordsOf(folder)).map(({ id }) => id)
  for (let times = 0; times < 8; times++) {
    const open = (await recordsOf(folder)).filter(({ state }) => state !== 'done')
    if (open.length === 0) break
    for (const { id, question } of open) {
      if (question === undefined) continue
      asked.add(id)
      await runs.answer(id, question.id, 'deny')
    }
    const both = [ran(folder, ['resume', folder]), ran(folder, ['resume', folder])]
    for (const { code, output } of await Promise.all(both))
      if (code !== 0) failures.push(`A process that resumes ended with ${code}: ${output}`)
  }
  const records = await recordsOf(folder)
  if (records.length !== submitted.length) failures.push(`Of ${submitted.length} runs ${records.length} are left.`)
  const effects = linesOf(`${folder}/ledger`)
  if (new Set(effects).size !== effects.length) failures.push(`An effect was made twice: ${effects.join(', ')}.`)
  for (const { id, args, state, error } of records) {
    const entries = await runs.journal(id)
    const ends = entries.filter(({ type }) => type === 'ended').length
    if (state !== 'done' || ends !== endings)
      failures.push(`${args} is ${state} and ended ${ends} times: ${error?.message}`)
    const made = effects.filter(line => line.startsWith(`${args} `)).length
    if (made !== 2 && !asked.has(id)) failures.push(`${args} was not asked about, and made ${made} effects of 2.`)
    const epochs = entries.flatMap(entry => (entry.type === 'taken' ? entry.epoch : []))
    if (new Set(epochs).size !== epochs.length) failures.push(`${args} was taken twice as one: ${epochs.join(', ')}.`)
    total.taken += epochs.length - 1
  }
  total.runs += records.length
  total.effects += effects.length
  total.asked += asked.size
  return failures
}

const nothing = () => ({ runs: 0, effects: 0, asked: 0, taken: 0 })

/** Checks a disk that fills up in the middle of a run. @param {string} folder */
async function fullDisk(folder) {
  const dir = `${folder}/runs`
  // Not tried where this user may not mount; CI may.
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k,mode=700', 'none', dir]).status !== 0) return []
  try {
    writeFileSync(`${folder}/fill`, '')
    const { output, code } = await ran(folder, ['start', folder, '1'])
    rmSync(`${folder}/fill`)
    rmSync(`${dir}/filler`)
    const failures = output.includes('E_STATE\n') && code === 0 ? [] : [`it ended with ${code}: ${output}`]
    return [...failures, ...(await finished(folder, nothing()))]
  } finally {
    spawnSync('umount', [dir])
  }
}

/** Checks a journal that has lost a part of its middle. @param {string} folder */
async function cutJournal(folder) {
  await ran(folder, ['start', folder, '2'])
  const [first, second] = await recordsOf(folder)
  const path = `${folder}/runs/${first?.id}/journal`
  const bytes = readFileSync(path)
  const cut = Buffer.concat([bytes.subarray(0, bytes.length / 3), bytes.subarray((2 * bytes.length) / 3)])
  writeFileSync(path, cut)
  const { code } = await ran(folder, ['resume', folder])
  const found = await runsOf(folder).find()
  const codes = found.map(run => ('problem' in run ? run.problem.code : run.state)).toSorted()
  const isKept = cut.equals(readFileSync(path)) && second !== undefined && linesOf(`${folder}/ledger`).length === 4
  return code === 0 && isKept && codes.join() === 'E_RUN_JOURNAL,done' ? [] : [`${code}, ${codes.join()}, ${isKept}`]
}

/** Checks a run whose skill is removed, and put back. @param {string} folder */
async function skillGone(folder) {
  // The process is killed as soon as the run is recorded.
  for (let at = 1; (await recordsOf(folder)).length === 0; at += 1)
    await ran(folder, ['start', folder, '1'], { DIE_AT: String(at), DIE_HOW: 'after' })
  rmSync(`${folder}/home/.claude/skills/work`, { recursive: true })
  await ran(folder, ['resume', folder])
  const [run] = await recordsOf(folder)
  if (run?.state !== 'failed' || run.error?.code !== 'E_UNKNOWN_NAME')
    return [`it is ${run?.state}: ${run?.error?.code}`]
  skillsIn(folder)
  await runsOf(folder).retry(run.id)
  return finished(folder, nothing(), 2)
}

/**
 * @param {string} folder
 * @param {readonly string[]} args
 * @param {Record<string, string>} [env]
 * @returns {Promise<{ readonly code: number | null, readonly signal: string | null, readonly output: string }>}
 */
function ran(folder, args, env) {
  return new Promise((resolve, reject) => {
    const own = [...(env === undefined ? ['--expose-gc'] : ['--import', preload]), child, ...args]
    const started = spawn(process.execPath, own, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], HOME: `${folder}/home`, ...env },
    })
    let output = ''
    for (const stream of [started.stdout, started.stderr]) stream.on('data', data => (output += data))
    started.once('error', reject).once('close', (code, signal) => resolve({ code, signal, output }))
  })
}
