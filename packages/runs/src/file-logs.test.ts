import { appendFileSync, chmodSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { processHost, SkillsError } from '@skills/core'
import { tempTree } from '@skills/testing'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { decodeValue, encodeValue } from '@skills/runs/internal'
import { openRuns, type Runs } from '@skills/runs'
import { specOf } from '../test/spec-of.js'

function place(): { readonly runs: Runs; readonly open: () => Runs; readonly pathOf: (id: string) => string } {
  const tree = tempTree({})
  onTestFinished(() => tree.dispose())
  const dir = `${tree.path}/runs`
  const open = (): Runs => openRuns(processHost({ home: tree.path, env: {} }), { dir })
  return { runs: open(), open, pathOf: id => `${dir}/${id}/journal` }
}

/** Makes a run of two finished calls. */
async function worked(runs: Runs, id: string): Promise<void> {
  await runs.submit(specOf(id))
  const held = await runs.take(id)
  for (const key of ['one', 'two'])
    await held.journal.step({ kind: 'tool', key, input: key, idempotent: false }, async begin => {
      await begin()
      return `${key} é`
    })
}

test('a journal that is cut anywhere is an earlier one, or an error by code; nothing is made twice unasked', async () => {
  const { runs, open, pathOf } = place()
  await worked(runs, 'whole')
  const bytes = readFileSync(pathOf('whole'))
  const lines = bytes.toString().split('\n').length - 1
  for (let cut = 0; cut <= bytes.length; cut += 31) {
    writeFileSync(pathOf('whole'), bytes.subarray(0, cut))
    const [ended] = await Promise.allSettled([open().journal('whole')])
    const { value = [], reason } = { value: undefined, reason: undefined, ...ended }
    expect(value.length).toBeLessThanOrEqual(lines)
    const known = cut === 0 ? ['E_RUN_JOURNAL'] : [undefined, 'E_RUN_UNKNOWN']
    expect(known).toContain(SkillsError.is(reason) ? reason.code : reason)
  }
})

test('a journal of nothing or of zeros is listed with what is wrong, and its run can be submitted again', async () => {
  const { runs, open, pathOf } = place()
  for (const [id, text] of [
    ['empty', ''],
    ['zeros', '\0'.repeat(512)],
  ] as const) {
    await runs.submit(specOf(id))
    writeFileSync(pathOf(id), text)
    expect(await open().find()).toEqual([{ id, problem: expect.objectContaining({ code: 'E_RUN_JOURNAL' }) }])
    expect(await open().submit(specOf(id))).toMatchObject({ id, state: 'queued' })
    expect(await open().find()).toMatchObject([{ id, state: 'queued' }])
    const again = open()
    await again.cancel(id)
    await again.remove(id)
  }
})

test('what was being written when a process ended goes with the next entry', async () => {
  const { runs, open, pathOf } = place()
  await worked(runs, 'torn')
  appendFileSync(pathOf('torn'), '{"n":6,"type":"fini')
  const other = open()
  expect((await other.get('torn')).entries).toBe(6)
  const held = await other.take('torn', { force: true })
  await held.end({ state: 'done', result: 'Done.' })
  expect(await open().get('torn')).toMatchObject({ state: 'done', entries: 8, epoch: 2 })
})

test('a damaged journal, or one of a later version, is an error by code, left as it is, and costs no other run', async () => {
  const { runs, open, pathOf } = place()
  for (const [id, change] of [
    ['no-json', (text: string) => text.replace('"begun"', 'begun')],
    ['line-gone', (text: string) => text.split('\n').toSpliced(2, 1).join('\n')],
    ['other-type', (text: string) => text.replace('"type":"taken"', '"type":"stolen"')],
    ['later', (text: string) => text.replace('"version":1', '"version":2')],
  ] as const) {
    await worked(runs, id)
    writeFileSync(pathOf(id), change(readFileSync(pathOf(id), 'utf8')))
    const before = readFileSync(pathOf(id), 'utf8')
    const other = open()
    await expect(other.get(id)).rejects.toMatchObject({ code: 'E_RUN_JOURNAL' })
    await expect(other.take(id, { force: true })).rejects.toMatchObject({ code: 'E_RUN_JOURNAL' })
    expect(readFileSync(pathOf(id), 'utf8')).toBe(before)
  }
  await runs.submit(specOf('sound'))
  const found = await open().find()
  expect(found.filter(run => 'problem' in run).length).toBe(4)
  expect(found.filter(run => 'state' in run)).toMatchObject([{ id: 'sound', state: 'queued' }])
  expect(found.find(({ id }) => id === 'later')).toMatchObject({
    problem: { code: 'E_RUN_JOURNAL', message: expect.stringMatching(/later version.*Update this program/) },
  })
})

test('a journal that other users may read is E_STATE, and nothing of it counts', async () => {
  const { runs, pathOf } = place()
  await runs.submit(specOf('open'))
  chmodSync(pathOf('open'), 0o644)
  await expect(runs.get('open')).rejects.toMatchObject({ code: 'E_STATE' })
})

test('what cannot be recorded does not happen, and the run is free for the next process', async () => {
  const { runs, pathOf } = place()
  await runs.submit(specOf('gone'))
  const held = await runs.take('gone')
  const before = readFileSync(pathOf('gone'))
  // Another process writes something that this one cannot read.
  writeFileSync(pathOf('gone'), 'x'.repeat(before.length + 1))
  let made = 0
  const step = { kind: 'tool', key: 'k', input: 1, idempotent: false } as const
  const work = (begin: () => Promise<void>): Promise<number> => begin().then(() => (made += 1))
  await expect(held.journal.step(step, work)).rejects.toMatchObject({ code: expect.stringMatching(/^E_RUN_/) })
  expect([made, held.signal.aborted]).toEqual([0, true])
  writeFileSync(pathOf('gone'), before)
  expect((await runs.take('gone')).record.epoch).toBe(2)
})

test('a run leaves no lock behind, and its folder goes with it', async () => {
  const { runs, pathOf } = place()
  await worked(runs, 'one')
  const folder = pathOf('one').replace('/journal', '')
  expect(readdirSync(folder)).toEqual(['journal'])
  await runs.cancel('one')
  const other = openRuns(processHost({ home: folder, env: {} }), { dir: folder.replace('/one', '') })
  const held = await other.take('one', { force: true })
  await held.end({ state: 'cancelled' })
  await other.remove('one')
  expect([await other.find(), existsSync(folder)]).toEqual([[], false])
})

test('any JSON value comes back as it was, with bytes and dates', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ noUnicodeString: false }),
      fc.uint8Array(),
      fc.date({ noInvalidDate: true }),
      (...parts) => {
        const [value, bytes, date] = parts
        const text = encodeValue({ value, bytes, date })
        expect(text).not.toContain('\n')
        expect(decodeValue(text)).toEqual({ value: JSON.parse(JSON.stringify(value)) as unknown, bytes, date })
      },
    ),
  )
})

test('what changes before the first look at a journal is told of', async () => {
  const { runs, open } = place()
  await runs.submit(specOf('watched'))
  const other = open()
  const told = new Promise<void>(resolve => onTestFinished(runs.watch('watched', resolve)))
  // Nothing changes after this, so a watch that misses this change would never report it.
  await other.cancel('watched')
  const hold = setInterval(() => {}, 1000)
  onTestFinished(() => clearInterval(hold))
  await expect(told).resolves.toBeUndefined()
})
