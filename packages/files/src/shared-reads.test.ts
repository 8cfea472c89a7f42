import fs, { chmodSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import fc from 'fast-check'
import { fileStore, withoutRoot, type TreeEntries } from '@skills/testing'
import type { FileStore } from '@skills/testing/internal'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { foundIn, later, problemsIn, temporary, textTree } from '../test/text-tree.js'
import { LocalStore } from './local-store.js'
import { readWholeFile } from './read-file.js'
import { SharedReads } from './shared-reads.js'
import { MemoryStore, type Store } from '@skills/store'

const head = { head: 4096, maxBytes: 1e6, signal: new AbortController().signal }
const three = { 'a/SKILL.md': 'a', 'group/b/SKILL.md': 'b', 'group/c/SKILL.md': 'x'.repeat(9000) }

function settled(options: { bytes?: number; fileBytes?: number } = {}): SharedReads {
  return new SharedReads({ now: later, ...options })
}

/** Makes a tree that counts the reads of its store. */
function counted(entries: TreeEntries): FileStore {
  const store = fileStore({ root: 'skills' })
  onTestFinished(() => store.tree.dispose())
  store.tree.write(Object.fromEntries(Object.entries(entries).map(([path, entry]) => [`skills/${path}`, entry])))
  return store
}

/** Makes a function of `node:fs` fail if `fails` says so, until the test is over. */
function breakRead(fails: (position: number) => boolean): void {
  const { readSync } = fs
  const restore = (): void => {
    fs.readSync = readSync
    syncBuiltinESMExports()
  }
  onTestFinished(restore)
  fs.readSync = ((...args: [number, Buffer, number, number, number]) => {
    if (fails(args[4])) throw Object.assign(new Error('The disk failed.'), { code: 'EIO' })
    return readSync(...args)
  }) as typeof readSync
  syncBuiltinESMExports()
}

/**
 * Makes each look at the time take `ms` milliseconds until the test is over, so that a busy machine does not change how
 * files are read.
 */
function everyLookTakes(ms: number): void {
  let now = 0
  const looking = vi.spyOn(performance, 'now').mockImplementation(() => (now += ms))
  onTestFinished(() => looking.mockRestore())
}

describe.each(['auto', 'callbacks'] as const)('two trees with shared reads, reading with %s,', reads => {
  it('read each file once, a caller that comes first', async () => {
    const { tree, countReads } = counted(three)
    const sharedReads = settled()
    const root = `${tree.path}/skills`
    const [one, other] = [textTree(root, { reads, sharedReads }), textTree(root, { reads, sharedReads, walk: 'flat' })]
    const first = await one.scan()
    const counter = countReads()
    onTestFinished(() => counter.stop())
    const second = await other.scan()
    expect(counter.bytes).toBe(0)
    expect(foundIn(first)).toEqual(['a', 'group/b', 'group/c'])
    expect(second.items).toEqual(first.items.slice(0, 1))
    expect(one.tree.filesRead).toBe(3)
    expect([sharedReads.filesRead, sharedReads.filesShared]).toEqual([3, 1])
  })

  it('read each file once at the same time', async () => {
    // Fast enough for reading at once, with many turns in between: a read with callbacks must not block a synchronous
    // caller.
    everyLookTakes(0.05)
    const entries = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`s${at}/SKILL.md`, `${at}`.repeat(at)]))
    const { path } = temporary(entries)
    const sharedReads = settled()
    const states = await Promise.all([1, 2, 3].map(() => textTree(path, { reads, sharedReads }).scan()))
    expect(states[0]?.items).toHaveLength(200)
    expect([states[1], states[2]]).toEqual([states[0], states[0]])
    expect([sharedReads.filesRead, sharedReads.filesShared]).toEqual([200, 400])
  })

  it('notice every kind of change', async () => {
    const tree = temporary({
      'size/SKILL.md': 'old',
      'time/SKILL.md': 'old',
      'gone/SKILL.md': 'old',
      'folder/SKILL.md': 'old',
      'link/SKILL.md': 'old',
      'other/SKILL.md': 'old',
      'kept/SKILL.md': 'old',
      'aside.txt': 'another',
    })
    const sharedReads = settled()
    await textTree(tree.path, { reads, sharedReads }).scan()
    tree.write({ 'size/SKILL.md': 'longer' })
    writeFileSync(`${tree.path}/time/SKILL.md`, 'new')
    utimesSync(`${tree.path}/time/SKILL.md`, 1_000_000, 1_000_000)
    tree.remove('gone/SKILL.md', 'folder/SKILL.md', 'link/SKILL.md')
    tree.write({ 'folder/SKILL.md/x': '', 'link/SKILL.md': { link: '../aside.txt' } })
    renameSync(`${tree.path}/aside.txt`, `${tree.path}/other/SKILL.md`)
    tree.write({ 'aside.txt': 'a third' })
    const [now, fresh] = [
      await textTree(tree.path, { reads, sharedReads }).scan(),
      await textTree(tree.path, { reads }).scan(),
    ]
    expect(now).toEqual(fresh)
    expect(now.items.map(({ relative, text }) => `${relative} ${text}`)).toEqual([
      'kept old',
      'link a third',
      'other another',
      'size longer',
      'time new',
    ])
    expect(sharedReads.filesShared).toBe(1)
  })

  it('read again what may have changed within the tick of its clock', async () => {
    const { path } = temporary({ 'a/SKILL.md': 'old' })
    const sharedReads = new SharedReads({ now: () => statSync(`${path}/a/SKILL.md`).ctimeMs + 50 })
    const look = async () => foundIn(await textTree(path, { reads, sharedReads }).scan())
    expect([await look(), await look()]).toEqual([['a'], ['a']])
    expect([sharedReads.filesRead, sharedReads.filesShared, sharedReads.bytesKept]).toEqual([2, 0, 0])
  })

  it('meet at the file that links lead to', async () => {
    const { path } = temporary({
      'real/a/SKILL.md': 'a',
      'skills/a': { link: '../real/a' },
      'skills/b/SKILL.md': { link: '../../real/a/SKILL.md' },
      again: { link: 'real' },
      'odd/a/skill.md': { link: '../../real/a/SKILL.md' },
    })
    const sharedReads = settled()
    const found = []
    for (const folder of ['real', 'skills', 'again', 'odd'])
      found.push(foundIn(await textTree(`${path}/${folder}`, { reads, sharedReads }).scan()))
    expect(found).toEqual([['a'], ['a', 'b'], ['a'], ['a']])
    expect([sharedReads.filesRead, sharedReads.filesShared]).toEqual([1, 4])
  })

  it('are each held to where links may lead them', async () => {
    const { path } = temporary({
      'outside/x/SKILL.md': 'private',
      'skills/x': { link: '../outside/x' },
      'skills/y/SKILL.md': { link: '../../outside/x/SKILL.md' },
    })
    const sharedReads = settled()
    const root = `${path}/skills`
    expect(foundIn(await textTree(root, { reads, sharedReads }).scan())).toEqual(['x', 'y'])
    const contained = await textTree(root, { reads, sharedReads, within: [root] }).scan()
    expect([contained.items, problemsIn(contained, root)]).toEqual([
      [],
      ['error link-escapes x', 'error link-escapes y/SKILL.md'],
    ])
  })

  it('are each held to their own limit of a file', async () => {
    const { path } = temporary({ 'a/SKILL.md': '12345', 'b/SKILL.md': '1234' })
    const sharedReads = settled()
    const found = []
    for (const fileBytes of [4, 5, 4])
      found.push(foundIn(await textTree(path, { reads, sharedReads, fileBytes }).scan()))
    expect(found).toEqual([['b'], ['a', 'b'], ['b']])
    expect([sharedReads.filesRead, sharedReads.filesShared]).toEqual([2, 2])
  })

  it.runIf(process.platform !== 'win32')('remember no error, and no right that was taken away', async () => {
    const { path } = temporary({ 'a/SKILL.md': 'a' })
    const sharedReads = settled()
    const look = () => withoutRoot(() => textTree(path, { reads, sharedReads }).scan())
    chmodSync(`${path}/a/SKILL.md`, 0)
    expect(problemsIn(await look(), path)).toEqual(['error unreadable a/SKILL.md'])
    chmodSync(`${path}/a/SKILL.md`, 0o644)
    expect(foundIn(await look())).toEqual(['a'])
    chmodSync(`${path}/a/SKILL.md`, 0)
    expect(problemsIn(await look(), path)).toEqual(['error unreadable a/SKILL.md'])
    chmodSync(`${path}/a/SKILL.md`, 0o644)
    chmodSync(`${path}/a`, 0)
    expect(problemsIn(await look(), path)).toEqual(['error unreadable a'])
    expect(sharedReads.filesShared).toBe(0)
  })

  it('keep bytes and not what was made of them', async () => {
    const { path } = temporary({ 'a/SKILL.md': 'text' })
    const sharedReads = settled()
    await textTree(path, { reads, sharedReads, onRead: () => {} }).scan()
    const thrown = textTree(path, {
      reads,
      sharedReads,
      onRead: () => {
        throw new Error('This reader fails.')
      },
    })
    expect(problemsIn(await thrown.scan(), path)).toEqual(['error unreadable a/SKILL.md'])
    expect(foundIn(await textTree(path, { reads, sharedReads }).scan())).toEqual(['a'])
  })
})

it('trees of which some read at once and some with callbacks find the same at the same time, and each reads a file or shares it', async () => {
  const entries = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`s${at}/SKILL.md`, `${at}`.repeat(at)]))
  const { path } = temporary(entries)
  const sharedReads = settled()
  everyLookTakes(0.05)
  const states = await Promise.all(
    (['auto', 'callbacks', 'auto', 'callbacks'] as const).map(reads => textTree(path, { reads, sharedReads }).scan()),
  )
  expect(states.map(({ items }) => items.length)).toEqual([200, 200, 200, 200])
  expect(new Set(states.map(state => JSON.stringify(state))).size).toBe(1)
  expect(sharedReads.filesRead).toBeGreaterThanOrEqual(200)
  expect(sharedReads.filesRead + sharedReads.filesShared).toBe(800)
})

it('two stores with files of one path share nothing', async () => {
  const sharedReads = settled()
  const texts = ['one', 'two']
    .map(text => sharedReads.over(new MemoryStore({ 'a/SKILL.md': text })))
    .map(store => store.read('memory:/a/SKILL.md', head))
  expect(
    texts.map(file => file !== undefined && 'bytes' in file && file.bytes.toString('utf8', 0, file.length)),
  ).toEqual(['one', 'two'])
  expect([sharedReads.filesRead, sharedReads.filesShared]).toEqual([2, 0])
})

describe('what is kept', () => {
  const kept = 512

  it('is what was read last, as far as there is room', async () => {
    const { path } = temporary({
      'a/SKILL.md': 'x'.repeat(100),
      'b/SKILL.md': 'x'.repeat(100),
      'c/SKILL.md': 'x'.repeat(100),
    })
    const sharedReads = settled({ bytes: 2 * (100 + kept) })
    await textTree(path, { sharedReads }).scan()
    expect(sharedReads.bytesKept).toBe(2 * (100 + kept))
    for (const name of ['c', 'b', 'a', 'c']) await textTree(`${path}/${name}`, { sharedReads, mayBeSkill: true }).scan()
    expect([sharedReads.filesRead, sharedReads.filesShared]).toEqual([4, 3])
  })

  it('is nothing of a file that has no room by itself, and everything else stays', async () => {
    const tree = temporary({ 'a/SKILL.md': 'x'.repeat(100) })
    const sharedReads = settled({ bytes: 1000 })
    await textTree(tree.path, { sharedReads }).scan()
    tree.write({ 'b/SKILL.md': 'x'.repeat(1000) })
    await textTree(tree.path, { sharedReads }).scan()
    await textTree(tree.path, { sharedReads }).scan()
    expect([sharedReads.filesRead, sharedReads.filesShared, sharedReads.bytesKept]).toEqual([3, 2, 100 + kept])
  })

  it('is nothing of a file that is too large to be shared, of which no more is read than is asked for', async () => {
    const { tree, countReads } = counted({ 'a/SKILL.md': 'x'.repeat(100_000) })
    const sharedReads = settled({ fileBytes: 99_999 })
    const counter = countReads()
    onTestFinished(() => counter.stop())
    for (const reads of ['auto', 'callbacks'] as const)
      await sharedReads.over(new LocalStore({ reads })).read(`${tree.path}/skills/a/SKILL.md`, head)
    expect(counter.bytes).toBe(2 * 4096)
    expect([sharedReads.filesRead, sharedReads.filesShared, sharedReads.bytesKept]).toEqual([2, 0, 0])
  })

  it('is counted once, however many read it at the same time', async () => {
    const { path } = temporary({ file: 'x'.repeat(100) })
    const sharedReads = settled()
    const [slow, atOnce] = [new LocalStore({ reads: 'callbacks' }), new LocalStore()].map(store =>
      sharedReads.over(store).read(`${path}/file`, head),
    )
    expect([await slow, await atOnce]).toMatchObject([
      { found: 'file', length: 100 },
      { found: 'file', length: 100 },
    ])
    expect([sharedReads.filesRead, sharedReads.bytesKept]).toEqual([1, 100 + kept])
  })

  it('is replaced with its file, and goes when it is asked for in vain or cleared', async () => {
    const tree = temporary({ 'a/SKILL.md': 'x'.repeat(10) })
    const sharedReads = settled()
    const sizes = []
    const look = async (): Promise<void> => {
      await textTree(tree.path, { sharedReads }).scan()
      sizes.push(sharedReads.bytesKept)
    }
    await look()
    tree.write({ 'a/SKILL.md': 'x'.repeat(200) })
    await look()
    sharedReads.clear()
    sizes.push(sharedReads.bytesKept)
    await look()
    const found = textTree(tree.path, { sharedReads })
    await found.scan()
    rmSync(`${tree.path}/a/SKILL.md`)
    await found.rescan()
    sizes.push(sharedReads.bytesKept)
    expect(sizes).toEqual([10 + kept, 200 + kept, 0, 200 + kept, 0])
    expect(sharedReads.filesRead).toBe(3)
  })
})

describe('a file that fails while it is read', () => {
  it('is remembered as nothing, and spoils nothing of a head that was read before', async () => {
    const { path } = temporary({ file: 'x'.repeat(9000) })
    const sharedReads = settled()
    const store = sharedReads.over(new LocalStore())
    let reads = 0
    breakRead(() => ++reads === 1)
    expect(await store.read(`${path}/file`, head)).toMatchObject({ found: 'file', length: 4096, isWhole: false })
    breakRead(() => true)
    await expect(async () => store.read(`${path}/file`, head)).rejects.toMatchObject({ code: 'EIO' })
    expect([sharedReads.filesRead, sharedReads.bytesKept]).toEqual([1, 0])
  })
})

it('a file is given as the store gives it, at least as much of it as is asked for', async () => {
  const sizes = fc.oneof(
    fc.constantFrom(0, 1, 4095, 4096, 4097, 16_384, 65_536, 262_144),
    fc.integer({ min: 0, max: 300_000 }),
  )
  await fc.assert(
    fc.asyncProperty(
      sizes,
      fc.option(fc.integer({ min: 1, max: 300_000 }), { nil: undefined }),
      fc.boolean(),
      async (size, wanted, isSlow) => {
        const { path, dispose } = temporary({ file: Buffer.alloc(size, 'abc') })
        const sharedReads = settled({ fileBytes: 1e6 })
        const disk = new LocalStore({ reads: isSlow ? 'callbacks' : 'auto' })
        const given = async (store: Store) => {
          const file = await store.read(`${path}/file`, { ...head, head: wanted })
          if (file?.found !== 'file') throw new Error('It was not read.')
          expect(file.length >= Math.min(size, wanted ?? size)).toBe(true)
          expect(file.isWhole).toBe(file.length === size)
          return {
            bytes: file.bytes.toString('latin1', 0, Math.min(file.length, wanted ?? size)),
            identity: file.stats.identity,
          }
        }
        try {
          const shared = sharedReads.over(disk)
          const plain = await given(disk)
          expect([await given(shared), await given(shared)]).toEqual([plain, plain])
          expect([sharedReads.filesRead, sharedReads.filesShared]).toEqual([1, 1])
        } finally {
          dispose()
        }
      },
    ),
    { numRuns: 60 },
  )
})

describe('reading a whole file', () => {
  it('shares it with a tree, by any path that leads to it', async () => {
    const { path } = temporary({ 'real/a/SKILL.md': 'x'.repeat(9000), link: { link: 'real' } })
    const sharedReads = settled()
    await textTree(`${path}/real`, { sharedReads }).scan()
    const store = sharedReads.over(new LocalStore())
    symlinkSync('SKILL.md', `${path}/real/a/again`)
    for (const name of ['real/a/SKILL.md', 'link/a/SKILL.md', 'real/a/again']) {
      expect(await readWholeFile(`${path}/${name}`, { store })).toMatchObject({
        identity: { realPath: `${path}/real/a/SKILL.md`, size: 9000 },
      })
    }
    expect([sharedReads.filesRead, sharedReads.filesShared]).toEqual([1, 3])
    expect(await readWholeFile(`${path}/link/a/SKILL.md`, { store, within: [`${path}/link`] })).toMatchObject({
      problem: { code: 'link-escapes' },
    })
    expect(await readWholeFile(`${path}/real/a/SKILL.md`, { store, maxBytes: 10 })).toMatchObject({
      problem: { code: 'file-too-large' },
    })
  })

  it('gives bytes that are the caller’s own', async () => {
    const { path } = temporary({ file: 'text' })
    const sharedReads = settled()
    const textOf = async (): Promise<string> => {
      const whole = await readWholeFile(`${path}/file`, { store: sharedReads.over(new LocalStore()) })
      if (whole === undefined || 'problem' in whole) throw new Error('It was not read.')
      const text = whole.bytes.toString()
      whole.bytes.fill('-')
      return text
    }
    expect([await textOf(), await textOf(), await textOf()]).toEqual(['text', 'text', 'text'])
    expect(sharedReads.filesRead).toBe(1)
  })

  it('stops when it is aborted, also where there is nothing to wait for', async () => {
    const { path } = temporary({ file: 'text' })
    const sharedReads = settled()
    await readWholeFile(`${path}/file`, { store: sharedReads.over(new LocalStore()) })
    const abort = new AbortController()
    const reading = readWholeFile(`${path}/file`, { store: sharedReads.over(new LocalStore()), signal: abort.signal })
    abort.abort()
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
  })
})
