import { appendFileSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { processHost } from '@skills/core'
import { tempTree } from '@skills/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openRuns, type Runs } from '@skills/runs'
import { FileLogs } from './file-logs.js'
import { specOf } from '../test/spec-of.js'
import type { RunFilter } from './runs.js'

function place(): { readonly dir: string; readonly open: () => Runs } {
  const tree = tempTree({})
  onTestFinished(() => tree.dispose())
  const dir = `${tree.path}/runs`
  return { dir, open: () => openRuns(processHost({ home: tree.path, env: {} }), { dir }) }
}

async function ended(runs: Runs, id: string, session = 's'): Promise<void> {
  const held = await runs.begin({ ...specOf(id), session })
  await held?.end({ state: 'done' })
}

const idsOf = async (runs: Runs, filter?: RunFilter): Promise<readonly string[]> =>
  (await runs.find(filter)).map(({ id }) => id).toSorted()

/** Makes the index, by the first question. */
async function indexed(runs: Runs): Promise<Runs> {
  await ended(runs, 'first', 'first')
  await runs.find()
  await runs.remove('first')
  return runs
}

/** Returns the ids of the journals that are read meanwhile. */
async function readIn(work: () => Promise<unknown>): Promise<readonly string[]> {
  const read = vi.spyOn(FileLogs.prototype, 'read')
  try {
    await work()
    return read.mock.calls.map(([id]) => id)
  } finally {
    read.mockRestore()
  }
}

test('only the journals of the runs that are asked for are read', async () => {
  const { open } = place()
  const runs = await indexed(open())
  for (const id of ['a', 'b', 'c']) await ended(runs, id)
  await ended(runs, 'd', 'other')
  await runs.submit(specOf('open'))
  expect(await readIn(() => open().find({ session: 'other', isDelivered: false }))).toEqual(['d'])
  expect(await readIn(() => open().find({ states: ['queued'] }))).toEqual(['open'])
  expect((await readIn(() => open().find({ limit: 2 }))).length).toBe(3)
  await runs.delivered('d', 'other')
  expect(await readIn(() => open().find({ session: 'other', isDelivered: false }))).toEqual([])
  expect(await idsOf(open(), { isDelivered: true })).toEqual(['d'])
})

test.each([
  ['missing', (dir: string) => rmSync(`${dir}/.index`, { recursive: true })],
  ['damaged', (dir: string) => writeFileSync(`${dir}/.index/sorted`, 'index of runs 1 00000000\nx\n')],
  ['empty', (dir: string) => writeFileSync(`${dir}/.index/sorted`, '')],
  ['damaged in its changes', (dir: string) => appendFileSync(`${dir}/.index/log`, 'done 1 2\n')],
])('an index that is %s is made again', async (_title, damage) => {
  const { dir, open } = place()
  const runs = await indexed(open())
  for (const id of ['a', 'b']) await ended(runs, id)
  await runs.submit(specOf('open'))
  damage(dir)
  await ended(runs, 'c')
  expect(await idsOf(open(), { states: ['done'] })).toEqual(['a', 'b', 'c'])
  expect(await readIn(() => open().find({ states: ['queued'] }))).toEqual(['open'])
  expect(readFileSync(`${dir}/.index/sorted`, 'utf8')).toMatch(/^index of runs 1 [\da-f]{8}\n/)
})

test('what a process without an index recorded is found, and a run that it ended is in its present state', async () => {
  const { dir, open } = place()
  const runs = await indexed(open())
  await ended(runs, 'a')
  await runs.submit(specOf('b'))
  // That process writes journals, and no index.
  const without = open()
  const before = readFileSync(`${dir}/.index/log`)
  await without.cancel('b')
  await without.submit(specOf('c'))
  writeFileSync(`${dir}/.index/log`, before)
  const { mtimeMs } = statSync(dir)
  for (const name of ['log', 'sorted']) utimesSync(`${dir}/.index/${name}`, 0, mtimeMs / 1000 - 1)
  expect(await idsOf(open(), { states: ['queued'] })).toEqual(['c'])
  expect(await idsOf(open(), { states: ['cancelled'] })).toEqual(['b'])
})

test.each([
  [
    'an entry before the last was changed',
    (lines: readonly string[]) => [lines[0]?.replace('deploy', 'Deploy'), ...lines.slice(1)],
  ],
  ['an entry before the last was removed', (lines: readonly string[]) => lines.toSpliced(1, 1)],
  ['the end was removed', (lines: readonly string[]) => lines.slice(0, -1)],
  ['an entry has no signature', (lines: readonly string[]) => [lines[0]?.split('\t')[0], ...lines.slice(1)]],
])('a run of which %s is not removed with old runs, although the index has it as ended', async (_title, change) => {
  const { dir, open } = place()
  const runs = await indexed(open())
  for (const id of ['sound', 'damaged']) await ended(runs, id)
  const path = `${dir}/damaged/journal`
  const lines = change(readFileSync(path, 'utf8').split('\n').slice(0, -1))
  writeFileSync(path, lines.map(line => `${line}\n`).join(''))
  expect(await open().prune({ endedBefore: Number.MAX_SAFE_INTEGER })).toEqual({ removed: ['sound'], kept: 1 })
  expect(readFileSync(path, 'utf8').split('\n').slice(0, -1)).toEqual(lines)
})

test('runs that processes record and remove at the same time are all in the index, also while it is merged', async () => {
  const { dir, open } = place()
  const engines = [open(), open(), open()]
  await Promise.all(
    engines.map(async (runs, engine) => {
      for (let at = 0; at < 12; at++) {
        await ended(runs, `run-${engine}-${at}`, `session-${'x'.repeat(100)}-${engine}`)
        // The first list that finds the index damaged or missing makes it again.
        if (at === 6) rmSync(`${dir}/.index/sorted`, { force: true })
        await runs.find({ limit: 1 })
      }
    }),
  )
  expect((await idsOf(open(), { states: ['done'] })).length).toBe(36)
  expect(await open().prune({ endedBefore: Number.MAX_SAFE_INTEGER })).toMatchObject({ kept: 0 })
  expect(await idsOf(open())).toEqual([])
})
