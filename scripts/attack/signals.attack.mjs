// @ts-check
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { commandRows, lineOf, wordsFor } from './signals/commands.mjs'
import { copyOf, leftIn, makeWorld, marked, slowServer } from './signals/world.mjs'
import { Random } from './random.mjs'

const program = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@skills/cli/package.json')),
  'dist/skills.cjs',
)
/** Milliseconds from the signal until the process has to have ended, and how often a slower case is tried again. */
const limitMs = 1000
const tries = 3
/** Milliseconds after which a command that did not end is killed. */
const patienceMs = 20_000
/** The latest moment of a signal, in milliseconds after the start of a command. */
const latestMs = 2500

/** @typedef {{ code: number | null, signal: string | null, ms: number, wasEnded: boolean, screen: string }} End */

/** @type {import('./attack.d.ts').Attack} */
export const attack = {
  name: 'signals',
  title:
    'every command, busy with many skills, a large archive, a slow server, a server that never answers or a question, ' +
    'gets SIGINT or SIGTERM at any time: it ends within a second and leaves nothing behind',
  counts: { short: 24, long: 1500 },
  async run({ count, seed, folder, progress }) {
    const random = new Random(seed)
    const rows = await commandRows()
    makeWorld(`${folder}/made`, count > 100 ? 2000 : 250)
    trustOnce(folder)
    const server = await slowServer()
    const words = wordsFor({ slow: server.url })
    /** @type {string[]} */
    const failures = []
    const seen = { byCode: 0, bySignal: 0, before: 0, questions: 0 }
    let slowest = 0
    let slowestLine = ''
    try {
      for (let turn = 0; turn < count; turn++) {
        const row = rows[(turn + seed) % rows.length]
        if (row === undefined) throw new Error('there is no command')
        const line = lineOf(row, random, words, server.url)
        const isAtTerminal = random.once(4) && hasScript
        const signal = random.pick(/** @type {const} */ (['SIGINT', 'SIGTERM']))
        // Early moments are more frequent, since most commands are short.
        const at = Math.floor(random.next() ** 2 * latestMs)
        /** @type {string | undefined} */
        let failure
        // Other work on the machine takes time too: what is late by chance is not late three times.
        for (let again = 0; again < tries; again++) {
          copyOf(`${folder}/made`, `${folder}/world`)
          const mark = `SKILLS_ATTACK_${process.pid}_${turn}_${again}`
          const end = await runLine(`${folder}/world`, line, { signal, at, mark, isAtTerminal })
          if (!end.wasEnded) seen.before += 1
          else if (end.signal === null) seen.byCode += 1
          else seen.bySignal += 1
          if (isAtTerminal) seen.questions += 1
          failure = problemOf(end, signal, `${folder}/world`, mark)
          if (end.wasEnded && failure === undefined && end.ms > slowest) {
            slowest = end.ms
            slowestLine = line.join(' ')
          }
          if (failure === undefined || !failure.startsWith('took')) break
        }
        if (failure !== undefined)
          failures.push(
            `skills ${line.join(' ')}${isAtTerminal ? ' at a terminal' : ''}, ${signal} after ${at} ms: ${failure} ` +
              `(turn ${turn} of --count ${count} --seed ${seed})`,
          )
        progress(turn + 1)
      }
    } finally {
      server.close()
    }
    return {
      tried: seen.byCode + seen.bySignal,
      failures,
      figures: {
        commands: rows.length,
        'ended in an orderly way': seen.byCode,
        'ended by the signal itself': seen.bySignal,
        'had ended before': seen.before,
        'at a terminal': seen.questions,
        slowest: `${slowest} ms: skills ${slowestLine}`,
      },
    }
  },
}

const hasScript = process.platform === 'linux' && (await programThere('script'))

/** Trusts the skills of the prepared folder, so that one of them runs and waits. @param {string} folder */
function trustOnce(folder) {
  copyOf(`${folder}/made`, `${folder}/world`)
  const { status, stderr } = spawnSync(
    process.execPath,
    [program, 'trust', '--yes', '--home', `${folder}/world/home`],
    { cwd: `${folder}/world/work`, env: { PATH: process.env['PATH'], HOME: `${folder}/world/home` }, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`The world is not trusted: ${stderr}`)
  cpSync(`${folder}/world/home`, `${folder}/made/home`, { recursive: true })
}

/** @param {string} name */
async function programThere(name) {
  return new Promise(resolve => {
    spawn(name, ['--version'], { stdio: 'ignore' })
      .once('error', () => resolve(false))
      .once('close', code => resolve(code === 0))
  })
}

/**
 * @param {End} end @param {'SIGINT' | 'SIGTERM'} sent @param {string} world @param {string} mark
 * @returns {string | undefined}
 */
function problemOf({ code, signal, ms, wasEnded, screen }, sent, world, mark) {
  if (ms > limitMs) return `took ${ms} ms to end`
  const [stayed] = marked(mark)
  if (stayed !== undefined) {
    const what = readFileSync(`/proc/${stayed}/cmdline`, 'utf8').replaceAll('\0', ' ')
    process.kill(stayed, 'SIGKILL')
    return `left a process: ${what}`
  }
  const [left] = leftIn(world)
  if (left !== undefined) return left
  if (/\bat .*\(?(?:node:|file:|\/).*:\d+:\d+\)?|Maximum call stack/.test(screen))
    return `gave a stack: ${screen.slice(-300)}`
  const own = sent === 'SIGINT' ? 130 : 143
  const isOrderly = signal === sent || code === own || (!wasEnded && code !== null) || (code !== null && code <= 2)
  return isOrderly ? undefined : `ended with ${code ?? signal}: ${screen.slice(-300)}`
}

/**
 * Runs a command and sends it a signal.
 * @param {string} world @param {readonly string[]} line
 * @param {{ signal: 'SIGINT' | 'SIGTERM', at: number, mark: string, isAtTerminal: boolean }} how
 * @returns {Promise<End>}
 */
async function runLine(world, line, { signal, at, mark, isAtTerminal }) {
  const own = [process.execPath, program, ...line, '--home', `${world}/home`]
  const env = {
    PATH: process.env['PATH'],
    HOME: `${world}/home`,
    TMPDIR: `${world}/tmp`,
    ...(isAtTerminal ? { TERM: 'xterm' } : { CI: '1' }),
  }
  const quoted = own.map(word => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  // In a terminal, its settings before and after are recorded too.
  writeFileSync(`${world}/at-terminal.sh`, `stty -a > "$1"; ${mark}=1 ${quoted}; code=$?; stty -a > "$2"; exit $code\n`)
  const [command = '', ...args] = isAtTerminal
    ? ['script', '-qec', `sh '${world}/at-terminal.sh' '${world}/before' '${world}/after'`, '/dev/null']
    : own
  const child = spawn(command, args, {
    cwd: `${world}/work`,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: isAtTerminal ? env : { ...env, [mark]: '1' },
  })
  let screen = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', piece => (screen = `${screen}${piece}`.slice(-4000)))
  // A process that has ended no longer reads.
  child.stdin.on('error', () => undefined)
  let sentAt = 0
  /** @type {NodeJS.Timeout} */
  let due
  const give = () => {
    const target = isAtTerminal ? programOf(mark) : child.pid
    // The terminal has to be set up first.
    if (target === undefined) due = setTimeout(give, 20)
    else {
      sentAt = performance.now()
      send(target, signal)
    }
  }
  due = setTimeout(give, at)
  const patience = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, by) => {
      for (const timer of [due, patience]) clearTimeout(timer)
      const wasEnded = sentAt > 0
      const changed = isAtTerminal && wasEnded && isTerminalChanged(world)
      resolve({
        // A shell reports by a code above 128 that a signal ended its command.
        code: changed ? -1 : code,
        signal: by,
        ms: wasEnded ? Math.round(performance.now() - sentAt) : 0,
        wasEnded,
        screen: changed ? 'the terminal is not as it was' : screen,
      })
    })
  })
}

/** Finds the process of the program itself among those with the mark. @param {string} mark */
function programOf(mark) {
  return marked(mark).find(pid => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('skills.cjs')
    } catch {
      // It has ended.
      return false
    }
  })
}

/** @param {number} pid @param {'SIGINT' | 'SIGTERM'} signal */
function send(pid, signal) {
  try {
    process.kill(pid, signal)
  } catch {
    // It has just ended.
  }
}

/** @param {string} world */
function isTerminalChanged(world) {
  try {
    return readFileSync(`${world}/before`, 'utf8') !== readFileSync(`${world}/after`, 'utf8')
  } catch {
    // The command ended before the settings were recorded.
    return false
  }
}
