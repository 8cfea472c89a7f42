// @ts-check
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { createConnection } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { freePort, realPostgres } from '../../../plugins/runs-queue/test/real-postgres.mjs'

/**
 * @typedef {object} AttackedServer
 * @property {string} title
 * @property {number} port
 * @property {(port: number) => string} urlAt its URL through a proxy at this port
 * @property {Readonly<Record<string, () => Promise<() => Promise<unknown>>>>} faults each begins a fault, and returns the
 *   function that ends it
 * @property {() => Promise<void>} dispose
 */

/** @returns {Promise<AttackedServer | string>} */
export async function attackedPostgres() {
  const flags = { max_connections: '80', shared_buffers: '32MB' }
  const server = await realPostgres(Object.entries(flags).flatMap(([name, value]) => ['-c', `${name}=${value}`]))
  if (server.missing !== undefined) return server.missing
  const port = Number(new URL(server.url).port)

  /** @param {string} text */
  const ask = async text => {
    // A server that restarts after a fault has to be asked again.
    for (let at = 0; ; at++) {
      const client = new pg.Client({ connectionString: server.url, options: '-c default_transaction_read_only=off' })
      client.on('error', () => {})
      try {
        await client.connect()
        return (await client.query(text)).rows
      } catch (error) {
        if (at === 100) throw error
        await pause(200)
      } finally {
        await client.end().catch(() => {})
      }
    }
  }
  const [{ pid }] = await ask(`select split_part(pg_read_file('postmaster.pid'), e'\\n', 1)::int as pid`)
  /**
   * @param {readonly number[]} pids
   * @param {NodeJS.Signals} signal
   */
  const signalAll = (pids, signal) => {
    for (const one of pids)
      try {
        process.kill(one, signal)
      } catch {
        // It has ended by itself.
      }
  }
  const full = `create or replace function public.full() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
    create or replace trigger full_disk before insert on skills.run_entry for each statement execute function public.full()`
  return {
    title: 'PostgreSQL',
    port,
    urlAt: at => server.url.replace(`:${port}/`, `:${at}/`),
    dispose: () => server.dispose(),
    faults: {
      async killed() {
        // The server ends all its processes when one was killed, and recovers from its log.
        const [child = 0] = childrenOf(pid).toSorted((a, b) => b - a)
        if (child > 0) signalAll([child], 'SIGKILL')
        return async () => ask('select 1')
      },
      async frozen() {
        signalAll([pid, ...childrenOf(pid)], 'SIGSTOP')
        return async () => signalAll([pid, ...childrenOf(pid)], 'SIGCONT')
      },
      async 'read-only'() {
        await ask('alter system set default_transaction_read_only = on')
        await ask('select pg_reload_conf()')
        return async () => {
          await ask('alter system reset default_transaction_read_only')
          await ask('select pg_reload_conf()')
        }
      },
      async full() {
        await ask(full)
        return () => ask('drop trigger if exists full_disk on skills.run_entry')
      },
      async 'out of connections'() {
        const taken = Array.from({ length: 80 }, () => new pg.Client({ connectionString: server.url }))
        // The last ones are refused.
        await Promise.all(
          taken.map(one =>
            one
              .on('error', () => {})
              .connect()
              .catch(() => {}),
          ),
        )
        return async () => Promise.all(taken.map(one => one.end().catch(() => {})))
      },
    },
  }
}

/**
 * @param {string} folder where Redis puts its files
 * @returns {Promise<AttackedServer | string>}
 */
export async function attackedRedis(folder) {
  const port = await freePort()
  mkdirSync(folder, { recursive: true })
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'yes']
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let server
  const start = async () => {
    const started = spawn('redis-server', flags, { stdio: ['ignore', 'pipe', 'ignore'] })
    server = started
    await new Promise((resolve, reject) => {
      started.once('error', reject)
      started.once('exit', code => reject(new Error(`redis-server ended with ${code}`)))
      started.stdout.setEncoding('utf8').on('data', text => {
        if (text.includes('Ready to accept connections')) resolve(undefined)
      })
    })
  }
  const kill = async () => {
    const closed = new Promise(resolve => server?.once('close', resolve))
    server?.kill('SIGKILL')
    await closed
  }
  try {
    await start()
  } catch (error) {
    return ` (not run: ${String(error)})`
  }
  /** @param {string} line */
  const ask = line =>
    new Promise((resolve, reject) => {
      const socket = createConnection(port, '127.0.0.1', () => socket.write(`${line}\r\n`))
      socket.once('data', data => resolve(socket.end() && String(data))).once('error', reject)
    })
  return {
    title: 'Redis',
    port,
    urlAt: at => `redis://127.0.0.1:${at}`,
    async dispose() {
      server?.kill('SIGCONT')
      await kill()
    },
    faults: {
      async killed() {
        await kill()
        return start
      },
      async frozen() {
        server?.kill('SIGSTOP')
        return async () => server?.kill('SIGCONT')
      },
      async 'read-only'() {
        await ask('replicaof 127.0.0.1 1')
        return () => ask('replicaof no one')
      },
      async full() {
        await ask('config set maxmemory 1')
        return () => ask('config set maxmemory 0')
      },
      async 'out of connections'() {
        const socket = createConnection(port, '127.0.0.1')
        socket.on('error', () => {}).write('config set maxclients 1\r\nclient kill type normal skipme yes\r\n')
        await new Promise(resolve => socket.once('data', resolve).once('close', resolve))
        // It has the only place.
        return async () => {
          socket.end('config set maxclients 10000\r\n')
          await new Promise(resolve => socket.once('close', resolve))
        }
      },
    },
  }
}

/** @param {number} pid */
function childrenOf(pid) {
  return readdirSync('/proc')
    .map(Number)
    .filter(one => {
      try {
        return one > 0 && readFileSync(`/proc/${one}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(pid)
      } catch {
        return false
      }
    })
}
