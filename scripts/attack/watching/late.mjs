// @ts-check
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { skillText } from './engines.mjs'

const loader = fileURLToPath(new URL('load-alone.mjs', import.meta.url))
const limitMs = 1000

/**
 * Stops a process while it loads, for longer than a source may take, and lets it continue.
 * @param {{ place: string, random: import('../random.mjs').Random }} options
 */
export async function stoppedProcess({ place, random }) {
  const count = 3000
  put(place, count)
  const child = start(place, {})
  await child.ready
  child.process.stdin.write('go\n')
  await wait(random.next() * 40)
  child.process.kill('SIGSTOP')
  await wait(limitMs * 1.5)
  child.process.kill('SIGCONT')
  return wrongOf(await child.output, count, 'stopped for 1.5 s while it loaded, with a limit of 1 s,')
}

/**
 * Slows down each call of the file system, so that loading takes several times as long as a source may go without
 * progress.
 * @param {{ place: string }} options
 */
export async function slowDisk({ place }) {
  const count = 150
  put(place, count)
  const child = start(place, { SLOW_MS: '4' })
  await child.ready
  child.process.stdin.write('go\n')
  return wrongOf(await child.output, count, 'on a disk that takes 4 ms for each call, with a limit of 1 s,')
}

/**
 * @param {string} place
 * @param {number} count
 */
function put(place, count) {
  for (let at = 0; at < count; at += 1) {
    mkdirSync(`${place}/skills/s${at}`, { recursive: true })
    writeFileSync(`${place}/skills/s${at}/SKILL.md`, skillText('Text.'))
  }
}

/**
 * @param {string} place
 * @param {Record<string, string>} env
 */
function start(place, env) {
  const child = spawn(process.execPath, [loader, `${place}/skills`, String(limitMs)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  let text = ''
  /** @type {() => void} */
  let isReady = () => {}
  const ready = new Promise(resolve => {
    isReady = () => resolve(undefined)
  })
  child.stdout.setEncoding('utf8').on('data', chunk => {
    text += chunk
    if (text.includes('ready\n')) isReady()
  })
  /** @type {Promise<string>} */
  const output = new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => {
      isReady()
      resolve(text.replace('ready\n', ''))
    })
  })
  return { process: child, ready, output }
}

/**
 * @param {string} output
 * @param {number} count
 * @param {string} what
 */
function wrongOf(output, count, what) {
  const { found = 0, errors = [] } = output === '' ? {} : JSON.parse(output)
  return found === count ? undefined : `a process ${what} found ${found} of ${count} skills: ${errors.join('; ')}`
}
