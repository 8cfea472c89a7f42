import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { processHost } from '@skills/core'
import { openQueuedRuns, type OpenedRuns } from '@skills/runs-queue'
import { tempTree } from '@skills/testing'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { realPostgres } from '../../../../plugins/runs-queue/test/real-postgres.mjs'
import { bundledChild, openField, type Field } from './processes.js'
import type { RunRecord } from '@skills/runs'

// Beside what it imports at run time.
const beside = mkdtempSync(fileURLToPath(new URL('../../node_modules/.runs-', import.meta.url)))
const server = await realPostgres()
let program = ''
let yards = 0

interface Yard {
  readonly field: Field
  readonly runs: OpenedRuns
  /** Starts a process; `said` resolves once it said this. */
  start(mode: 'start' | 'work', count?: number): Started
  records(): Promise<readonly RunRecord[]>
  /** Once all of so many runs are in one of these states. */
  until(count: number, ...states: readonly string[]): Promise<readonly RunRecord[]>
}

interface Started {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  said(text: string): Promise<void>
  readonly errors: () => string
}

async function openYard(): Promise<Yard> {
  const tree = tempTree({})
  onTestFinished(() => tree.dispose())
  const [field, name, { url }] = [await openField(program, tree.path), `yard_${(yards += 1)}`, server]
  onTestFinished(() => field.server.close())
  const runs = openQueuedRuns(processHost({ home: `${tree.path}/home`, env: {} }), { url, name })
  onTestFinished(() => runs.close())
  const records = async (): Promise<readonly RunRecord[]> =>
    (await runs.find()).flatMap(run => ('problem' in run ? [] : run))
  return {
    field,
    runs,
    records,
    async until(count, ...states) {
      for (;;) {
        const found = await records()
        if (found.length === count && found.every(({ state }) => states.includes(state))) return found
        await new Promise(resolve => setTimeout(resolve, 20))
      }
    },
    start(mode, count = 1) {
      const child = spawn(process.execPath, [program, mode, tree.path, field.server.url, String(count), url, name])
      onTestFinished(() => void child.kill('SIGKILL'))
      let [said, errors] = ['', '']
      let wake = (): void => {}
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text
        wake()
      })
      child.stderr.setEncoding('utf8').on('data', (text: string) => void (errors += text))
      const ended = new Promise<number | null>(resolve => child.on('close', code => resolve(code)))
      return {
        child,
        ended,
        errors: () => errors,
        async said(text) {
          while (!said.includes(text)) await new Promise<void>(resolve => (wake = resolve))
        },
      }
    },
  }
}

describe.skipIf(server.missing !== undefined)(`workers of a queue${server.missing ?? ''}`, () => {
  beforeAll(async () => {
    program = await bundledChild(beside)
  })
  afterAll(async () => {
    rmSync(beside, { recursive: true, force: true })
    await server.dispose()
  })

  test('work on what another process submits, which is told of the end', async () => {
    const yard = await openYard()
    const worker = yard.start('work')
    await worker.said('ready')
    const parent = yard.start('start', 3)
    expect(await parent.ended, parent.errors()).toBe(0)
    const done = await yard.until(3, 'done')
    expect(done.map(({ result, epoch }) => [result, epoch]).toSorted()).toEqual([
      ['job-0 is done.', 1],
      ['job-1 is done.', 1],
      ['job-2 is done.', 1],
    ])
    expect((await yard.field.ledger()).length).toBe(6)
    worker.child.kill('SIGTERM')
    expect(await worker.ended, worker.errors()).toBe(0)
  })

  test('take over from one that was killed, once its lock has run out; what was under way is asked about', async () => {
    const yard = await openYard()
    const first = yard.start('work')
    await first.said('ready')
    const parent = yard.start('start')
    await first.said('effect')
    first.child.kill('SIGKILL')
    parent.child.kill('SIGKILL')
    const second = yard.start('work')
    const [begun] = await yard.until(1, 'running', 'indeterminate')
    const run = await yard.runs.settled(begun?.id ?? '')
    expect(run).toMatchObject({ state: 'indeterminate', epoch: 2, question: { kind: 'repeat' } })
    await yard.runs.answer(run.id, run.question?.id ?? '', 'deny')
    expect(await yard.until(1, 'done')).toMatchObject([{ result: 'job-0 is done.' }])
    const ledger = await yard.field.ledger()
    expect(new Set(ledger).size).toBe(ledger.length)
    second.child.kill('SIGTERM')
    expect(await second.ended).toBe(0)
  })

  test('that are frozen beyond their lock and wake again write nothing more', async () => {
    const yard = await openYard()
    const first = yard.start('work')
    await first.said('ready')
    yard.start('start')
    await first.said('effect')
    first.child.kill('SIGSTOP')
    yard.start('work')
    const [begun] = await yard.records()
    const run = await yard.runs.settled(begun?.id ?? '')
    expect(run).toMatchObject({ state: 'indeterminate', epoch: 2 })
    const before = JSON.stringify(await yard.runs.journal(run.id))
    first.child.kill('SIGCONT')
    first.child.kill('SIGTERM')
    await first.ended
    expect(JSON.stringify(await yard.runs.journal(run.id))).toBe(before)
  })

  test('end a run that is cancelled from another machine, and give back what they have when they are told to end', async () => {
    const yard = await openYard()
    const worker = yard.start('work', 2)
    await worker.said('ready')
    yard.start('start', 2)
    await worker.said('effect\neffect')
    const [first, second] = await yard.records()
    await yard.runs.cancel(first?.id ?? '')
    expect((await yard.runs.settled(first?.id ?? '')).state).toBe('cancelled')
    worker.child.kill('SIGTERM')
    expect(await worker.ended, worker.errors()).toBe(0)
    expect(await yard.runs.get(second?.id ?? '')).toMatchObject({ state: 'queued', holder: undefined })
    yard.start('work')
    const after = await yard.runs.settled(second?.id ?? '')
    expect(['indeterminate', 'done']).toContain(after.state)
  })
})
