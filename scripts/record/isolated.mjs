// @ts-check
import { spawn } from 'node:child_process'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/**
 * Where a program runs with a tree. `path` is its PATH, and `temporary` its folder for temporary files.
 * @typedef {{ cwd: string, home: string, temporary: string, path: string, bin: string, signal: AbortSignal }} Place
 */

/** The port on which the model beside a program listens, if it has one. */
export const modelPort = 8123
export const modelUrl = `http://127.0.0.1:${modelPort}`

const model = fileURLToPath(new URL('model.mjs', import.meta.url))
/**
 * Options of `unshare` that keep a program from the network, and end with it everything that it started: some programs
 * leave a daemon behind.
 */
export const isolation = [
  '--net',
  '--pid',
  '--fork',
  '--kill-child',
  ...(process.getuid?.() === 0 ? [] : ['--map-root-user']),
  '--',
]

/**
 * Starts a program with a home of its own, without the environment variables of this process and without a network.
 * @param {Place} place @param {readonly string[]} command @param {Readonly<Record<string, string>>} [variables]
 */
function start({ cwd, home, temporary, path, signal }, command, variables) {
  const env = { PATH: path, HOME: home, TMPDIR: temporary, TERM: 'dumb', NO_COLOR: '1', ...variables }
  return spawn('unshare', [...isolation, ...command], { cwd, env, signal, killSignal: 'SIGKILL' })
}

/** @param {import('node:child_process').ChildProcessWithoutNullStreams} child @returns {Promise<string>} */
function printed(child) {
  child.stdin.end()
  let [all, complained] = ['', '']
  child.stdout.setEncoding('utf8').on('data', text => (all += text))
  child.stderr.setEncoding('utf8').on('data', text => (complained += text))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', code => {
      if (code === 0) resolve(all)
      else
        reject(
          new Error(
            `${child.spawnargs.slice(1 + isolation.length).join(' ')} ended with ${code}: ${complained.trim().slice(-500)}`,
          ),
        )
    })
  })
}

/**
 * Returns the output of a program. Rejects when it fails.
 * @param {Place} place @param {readonly string[]} args
 */
export const output = (place, args) => printed(start(place, [place.bin, ...args]))

/**
 * Returns the output of a program that runs beside a model, and the bodies of its requests to the model. Rejects when
 * it fails.
 * @param {Place} place @param {readonly string[]} args @param {Readonly<Record<string, string>>} [variables]
 * @returns {Promise<{ printed: string, requests: readonly string[] }>}
 */
export const besideModel = async (place, args, variables) =>
  JSON.parse(await printed(start(place, [process.execPath, model, `${modelPort}`, place.bin, ...args], variables)))

/**
 * Sends messages to a program that reads JSON, one message a line, and returns its answer to the one with the id
 * `last`.
 * @param {Place} place @param {readonly string[]} args @param {readonly object[]} messages @param {number} last
 */
export async function answerOf(place, args, messages, last) {
  const child = start(place, [place.bin, ...args])
  const failed = new Promise((_, reject) => child.on('error', reject))
  const ended = new Promise(resolve => child.on('close', resolve))
  // The program may end before it has read everything.
  child.stdin.on('error', () => {})
  child.stderr.resume()
  const answer = async () => {
    child.stdin.write(messages.map(message => `${JSON.stringify(message)}\n`).join(''))
    for await (const line of createInterface({ input: child.stdout })) {
      const message = JSON.parse(line)
      if (message.id === last) return message
    }
    throw new Error(`${place.bin} ${args.join(' ')} ended without an answer.`)
  }
  try {
    return await Promise.race([answer(), failed])
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}
