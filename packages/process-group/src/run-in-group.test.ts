import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fakeClock, tempTree, type FakeClock } from '@skills/testing'
import { build } from 'esbuild'
import { describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { runInGroup, type GroupCall, type GroupClock, type RunOptions, type RunResult } from './index.js'

function run(
  script: string,
  {
    clock = fakeClock(),
    call = {},
    ...options
  }: Partial<RunOptions> & { readonly call?: Partial<GroupCall>; readonly clock?: FakeClock | GroupClock } = {},
): Promise<RunResult> {
  return runInGroup(
    { program: 'bash', args: ['-c', script], env: { PATH: process.env['PATH'] }, ...call },
    { cwd: '/', clock, signals: [], timeoutMs: Infinity, maxOutputBytes: 100, graceMs: 1000, ...options },
  )
}

const realClock: GroupClock = {
  after(ms, callback) {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
}

/** Waits until no process of the group is left. */
async function expectGone(group: string): Promise<void> {
  expect(group).toMatch(/^\d+$/)
  await vi.waitFor(() => expect(isRunning(Number(group))).toBe(false), { timeout: 10_000, interval: 5 })
}

/** Ignores zombies: processes that have ended and that the machine's first process has yet to collect. */
function isRunning(group: number): boolean {
  try {
    process.kill(-group, 0)
  } catch {
    return false
  }
  if (process.platform !== 'linux') return true
  return readdirSync('/proc').some(name => {
    if (!/^\d+$/.test(name)) return false
    try {
      const [state, , pgrp] = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
      return Number(pgrp) === group && state !== 'Z'
    } catch {
      // The process has ended meanwhile.
      return false
    }
  })
}

test('a program ends with its code and what it wrote', async () => {
  expect(await run('pwd; echo b >&2; exit 3')).toEqual({ end: { by: 'exit', code: 3 }, stdout: '/\n', stderr: 'b\n' })
  expect((await run('kill -KILL $$')).end).toEqual({ by: 'signal', signal: 'SIGKILL' })
})

describe('standard input', () => {
  it('is what it is given, or empty', async () => {
    expect((await run('cat', { call: { stdin: 'größe\n' } })).stdout).toBe('größe\n')
    expect((await run('cat')).stdout).toBe('')
  })

  it('need not be read', async () => {
    expect((await run('exit 4', { call: { stdin: 'x'.repeat(10_000_000) } })).end).toEqual({ by: 'exit', code: 4 })
  })

  it('that is not read keeps no program that has left the group waiting', async () => {
    const clock = fakeClock()
    const running = run('setsid sleep 1000 <&0 & echo $!; exit 0', { clock, call: { stdin: 'x'.repeat(10_000_000) } })
    await vi.waitFor(() => expect(clock.pending).toBe(1), { timeout: 10_000 })
    await clock.advance(2000)
    const { stdout, end } = await running
    expect(end).toEqual({ by: 'exit', code: 0 })
    expect(() => process.kill(Number(stdout), 'SIGKILL')).not.toThrow()
  })
})

test('standard output is told as it comes, and of standard error the end is kept, which is no output then', async () => {
  const told: string[] = []
  const errors: string[] = []
  const onStdout = (chunk: Buffer): void => void told.push(chunk.toString())
  const { end, stdout, stderr } = await run('echo out; for i in $(seq 1 100); do echo "error $i" >&2; done', {
    onStdout,
    onStderr: chunk => void errors.push(chunk.toString()),
    keepsOfStderr: 20,
  })
  expect(errors.join('')).toMatch(/^error 1\n[^]*error 100\n$/)
  expect({ end, stdout, stderr, told: told.join('') }).toEqual({
    end: { by: 'exit', code: 0 },
    stdout: '',
    stderr: '\nerror 99\nerror 100\n',
    told: 'out\n',
  })
  told.length = 0
  expect((await run('yes', { onStdout })).end).toEqual({ by: 'overflow' })
  expect(told.join('').length).toBeLessThanOrEqual(100)
})

test('a program that takes too long, writes too much, is given up or cannot be started says so', async () => {
  const clock = fakeClock()
  const late = run('echo begun; sleep 1000', { clock, timeoutMs: 50 })
  await clock.advance(50)
  expect((await late).end).toEqual({ by: 'timeout' })
  expect((await run('yes')).end).toEqual({ by: 'overflow' })
  const controller = new AbortController()
  const givenUp = run('sleep 1000', { signals: [controller.signal] })
  controller.abort()
  expect((await givenUp).end).toEqual({ by: 'abort', signal: controller.signal })
  expect((await run('true', { signals: [controller.signal] })).end).toEqual({ by: 'abort', signal: controller.signal })
  const tree = tempTree()
  onTestFinished(() => tree.dispose())
  const nowhere = `${tree.path}/nowhere`
  expect((await run('true', { call: { program: nowhere } })).end).toEqual({
    by: 'start',
    message: expect.stringContaining('ENOENT'),
  })
  expect((await run('true', { cwd: `${nowhere}/at/all` })).end).toEqual({
    by: 'start',
    message: `the working folder ${nowhere}/at/all does not exist`,
  })
  expect((await run('true', { cwd: process.execPath })).end).toEqual({
    by: 'start',
    message: expect.stringContaining(`${process.execPath} is not a`) as string,
  })
  expect((await run('true\0')).end).toEqual({ by: 'start', message: expect.any(String) })
})

/**
 * Starts a program that runs another one in a group, which writes its group to a file. The program ends when told to.
 */
async function hostOfGroup(): Promise<{
  readonly host: ChildProcess
  readonly group: string
  readonly ended: Promise<unknown>
}> {
  const tree = tempTree()
  onTestFinished(() => tree.dispose())
  const entry = fileURLToPath(new URL('run-in-group.ts', import.meta.url))
  await build({
    entryPoints: [entry],
    outfile: `${tree.path}/run-in-group.mjs`,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  })
  tree.write({
    'program.mjs': `
      import { runInGroup } from './run-in-group.mjs'
      const limits = { cwd: ${JSON.stringify(tree.path)}, clock: { after: () => () => {} }, signals: [], timeoutMs: Infinity, maxOutputBytes: 100, graceMs: 1 }
      await runInGroup({ program: 'bash', args: ['-c', 'exit 0'], env: process.env }, limits)
      void runInGroup({ program: 'bash', args: ['-c', 'trap "" TERM HUP INT QUIT; (sleep 1000; true) & echo $$ > group; sleep 1000'], env: process.env }, limits)
      process.stdout.write('watched')
      process.stdin.once('data', () => process.exit(3))
    `,
  })
  const host = spawn(process.execPath, [`${tree.path}/program.mjs`], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(host, 'exit')
  // The group can write its file before the host has heard of it, so the host says when it has.
  await once(host.stdout, 'data')
  const file = `${tree.path}/group`
  const group = await vi.waitFor(
    () => {
      expect(existsSync(file) && readFileSync(file, 'utf8')).toMatch(/\n$/)
      return readFileSync(file, 'utf8').trim()
    },
    { timeout: 10_000 },
  )
  return { host, group, ended }
}

describe('a program that ends in the middle leaves no process behind', () => {
  it('when it ends by itself', async () => {
    const { host, group, ended } = await hostOfGroup()
    host.stdin?.end('end')
    expect(await ended).toEqual([3, null])
    await expectGone(group)
  })

  it.skipIf(process.platform === 'win32')('when a signal ends it, be it SIGKILL', async () => {
    await Promise.all(
      (['SIGINT', 'SIGTERM', 'SIGQUIT', 'SIGHUP', 'SIGKILL'] as const).map(async signal => {
        const { host, group, ended } = await hostOfGroup()
        expect(host.kill(signal)).toBe(true)
        expect(await ended).toEqual([null, signal])
        await expectGone(group)
      }),
    )
  })
})

it('a listener that throws ends the program, and nothing else', async () => {
  const error = new Error('The listener failed.')
  const failing = run('trap "" TERM; echo $$; while true; do echo more; sleep 0.01; done', {
    onStdout: () => {
      throw error
    },
    clock: realClock,
    graceMs: 20,
  })
  expect((await failing).end).toEqual({ by: 'listener', error })
  expect((await run('echo well')).stdout).toBe('well\n')
})
