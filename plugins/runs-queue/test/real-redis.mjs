// @ts-check
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { freePort } from './real-postgres.mjs'

/**
 * @typedef {object} RealRedis
 * @property {string} url
 * @property {string | undefined} missing reason why none can be started, for the titles of skipped tests
 * @property {() => Promise<void>} dispose stops it and removes its files
 */

/**
 * Starts a Redis server, if the program `redis-server` is installed. Otherwise tests that need it are skipped, and their
 * titles say so.
 * @param {readonly string[]} flags
 * @returns {Promise<RealRedis>}
 */
export async function realRedis(flags = ['--appendonly', 'yes']) {
  const folder = mkdtempSync(`${tmpdir()}/skills-redis-`)
  const port = await freePort()
  const given = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', ...flags]
  const started = spawn('redis-server', given, { stdio: ['ignore', 'pipe', 'ignore'] })
  const closed = new Promise(resolve => started.once('close', resolve))
  /** @type {string} */
  const missing = await new Promise(resolve => {
    let said = ''
    started.once('error', error => resolve(` (not run: ${error.message})`))
    started.once('exit', code => resolve(` (not run: redis-server ended with ${code})`))
    started.stdout.setEncoding('utf8').on('data', text => {
      said += text
      if (said.includes('Ready to accept connections')) resolve('')
    })
  })
  const dispose = async () => {
    if (started.pid !== undefined && started.exitCode === null && started.signalCode === null) {
      started.kill('SIGKILL')
      await closed
    }
    rmSync(folder, { recursive: true, force: true })
  }
  if (missing === '') return { url: `redis://127.0.0.1:${port}`, missing: undefined, dispose }
  await dispose()
  return { url: '', missing, dispose }
}
