import { createServer } from 'node:net'
import { readdirSync, readFileSync } from 'node:fs'
import { once } from 'node:events'
import { systemClock } from '@skills/core'
import { tempTree } from '@skills/testing'
import type { RunnerFixture, RunnerScript } from '@skills/testing/internal'
import { expect, vi } from 'vitest'
import { processRunner, type ProcessRunnerOptions } from '../src/index.js'

/** Command-line agent that follows a script. It starts a process of its own before it waits. */
const program = `
import { appendFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { spawn } from 'node:child_process'

const [folder, format, script] = process.argv.slice(2)
writeFileSync(folder + '/pid-' + process.pid, '')
let input = ''
for await (const chunk of process.stdin.setEncoding('utf8')) input += chunk
writeFileSync(folder + '/read-' + process.hrtime.bigint() + '-' + process.pid, input)
const say = text => process.stdout.write(format === 'text' ? text : JSON.stringify({ type: 'text', text }) + '\\n')
for (const step of JSON.parse(script)) {
  if (step.fails !== undefined) {
    process.stderr.write(step.fails)
    process.exitCode = 3
    break
  }
  if (step.waits) {
    const child = spawn('sleep', ['1000'], { stdio: 'ignore' })
    writeFileSync(folder + '/pid-' + child.pid, '')
    connect(folder + '/waiting')
    await new Promise(() => setInterval(() => {}, 1000))
  }
  say(step.repeats ? input.split('\\n\\n').at(-1) : step.says)
}
`

/** Makes a runner whose processes follow a script, for the contract. */
export async function agentProgram(
  script: RunnerScript,
  options: Partial<ProcessRunnerOptions> = {},
): Promise<RunnerFixture> {
  const tree = tempTree({ 'agent.mjs': program })
  const server = createServer().listen(`${tree.path}/waiting`)
  await once(server, 'listening')
  const waiting = once(server, 'connection')
  const files = (start: string): readonly string[] =>
    readdirSync(tree.path)
      .filter(name => name.startsWith(start))
      .toSorted()
  return {
    provider: processRunner({
      command: process.execPath,
      args: [`${tree.path}/agent.mjs`, tree.path, options.format ?? 'text', JSON.stringify(script)],
      limits: 'ignore',
      ...options,
    }),
    host: { clock: systemClock, cwd: tree.path },
    read: () => files('read-').map(name => readFileSync(`${tree.path}/${name}`, 'utf8')),
    noted: () => [],
    working: () => stillAlive(files('pid-').map(name => Number(name.slice(4)))),
    waiting: async () => {
      const [socket] = await waiting
      socket.on('error', () => undefined).destroy()
    },
    async dispose() {
      server.close()
      tree.dispose()
    },
  }
}

/**
 * Returns how many of some processes run. A signal takes effect slightly later on a busy machine, so it waits; a
 * process that still runs after that was not ended.
 */
async function stillAlive(ids: readonly number[]): Promise<number> {
  const alive = (): readonly number[] => ids.filter(isAlive)
  await vi.waitFor(() => expect(alive()).toEqual([]), { timeout: 2000, interval: 5 }).catch(() => undefined)
  return alive().length
}

/** True if a process runs. A zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))
  } catch {
    // There is no such process any more.
    return false
  }
}
