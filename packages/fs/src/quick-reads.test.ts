import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { probeSlowly, type Head, type Probe } from './probe.js'
import { QuickReads } from './quick-reads.js'
import { readWholeFile } from './index.js'

let tree: TempTree | undefined
afterEach(() => tree?.dispose())

async function whole(read: (take: (head: Head) => boolean) => Promise<Probe>): Promise<readonly [Probe, string | undefined]> {
  let text: string | undefined
  const probe = await read(({ bytes, length, isWhole }) => {
    if (isWhole) text = bytes.toString('latin1', 0, length)
    return !isWhole
  })
  return [probe, text]
}

/** Whether a reading ends without any turn of the event loop: nothing else of the process has one before it. */
async function endsAtOnce(reads: QuickReads, path: string): Promise<boolean> {
  let hasEnded = false
  const reading = reads.read(path, 1000, ({ isWhole }) => !isWhole).then(() => {
    hasEnded = true
  })
  for (let count = 0; count < 20; count++) await undefined
  const wasAtOnce = hasEnded
  await reading
  return wasAtOnce
}

test('gives what callbacks give', async () => {
  const sizes = [0, 1, 4095, 4096, 4097, 16_384, 70_000]
  tree = tempTree({ ...Object.fromEntries(sizes.map(size => [`f${size}`, 'x'.repeat(size)])), folder: { dir: true }, link: { link: 'f1' } })
  const { path } = tree
  const names = [...sizes.map(size => `f${size}`), 'folder', 'link', 'missing', 'f1/below']
  const [quick, slow] = [new QuickReads({ slowMs: Infinity }), new QuickReads({ slowMs: 0 })]
  await fc.assert(fc.asyncProperty(fc.constantFrom(...names), fc.constantFrom(0, 1, 4096, 1_000_000), async (name, most) => {
    const expected = await whole(take => probeSlowly(`${path}/${name}`, most, take, undefined))
    for (const reads of [quick, slow]) expect(await whole(take => reads.read(`${path}/${name}`, most, take))).toEqual(expected)
  }))
})

test('reads at once while that is quick, and with callbacks for a while where it is slow', async () => {
  tree = tempTree({ file: 'x' })
  const file = `${tree.path}/file`
  const quick = new QuickReads({ slowMs: Infinity, sliceMs: Infinity })
  for (let count = 0; count < 100; count++) expect(await endsAtOnce(quick, file)).toBe(true)
  const slow = new QuickReads({ slowMs: 0, sliceMs: Infinity })
  const atOnce: boolean[] = []
  for (let count = 0; count < 131; count++) atOnce.push(await endsAtOnce(slow, file))
  expect(atOnce.flatMap((is, at) => is ? [at] : [])).toEqual([0, 65, 130])
})

test('gives the rest of the process its turns', async () => {
  tree = tempTree({ file: 'x' })
  const file = `${tree.path}/file`
  const reads = new QuickReads({ slowMs: Infinity, sliceMs: 0 })
  expect(await endsAtOnce(reads, file)).toBe(false)
  let isOver = false
  let turns = 0
  const others = (function tick(): Promise<void> {
    turns++
    return isOver ? Promise.resolve() : new Promise(resolve => setImmediate(() => resolve(tick())))
  })()
  // As many as take several slices, however fast the machine is.
  await Promise.all(Array.from({ length: 8 }, async () => {
    for (let count = 0; count < 2000; count++) await readWholeFile(file)
  }))
  isOver = true
  await others
  expect(turns).toBeGreaterThan(3)
})
