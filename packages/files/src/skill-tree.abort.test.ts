import { readdirSync } from 'node:fs'
import { SkillsError } from '@skills/core'
import { tempTree, type TempTree } from '@skills/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporary, textTree } from '../test/text-tree.js'
import { turnsDuring } from '../test/turns.js'
import { withRead } from '@skills/store/internal'
import { LocalStore } from './index.js'

const many = Object.fromEntries(
  Array.from({ length: 70 }, (_, at) => [`s${String(at).padStart(3, '0')}/SKILL.md`, `text ${at}`]),
)

// Made once, because the tests do not change it.
let large: TempTree
beforeAll(() => {
  large = tempTree(Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [`f${at}/SKILL.md`, 'text'])))
})
afterAll(() => large.dispose())

function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    setImmediate(resolve)
  })
}

describe.each(['auto', 'callbacks'] as const)('an aborted scan, reading with %s,', reads => {
  it('reads nothing when it was aborted before', async () => {
    const { path } = temporary(many)
    const { scan, rescan, reads: files } = textTree(path, { reads })
    await expect(scan(AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
    await expect(rescan(undefined, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
    expect(files).toEqual([])
  })

  it('rejects with an AbortError and reads nothing more', async () => {
    const { path } = temporary(many)
    const controller = new AbortController()
    const { scan, reads: files } = textTree(path, {
      reads,
      onRead: ({ name }) => name === 's020' && controller.abort(),
    })
    await expect(scan(controller.signal)).rejects.toMatchObject({ name: 'AbortError' })
    const { length } = files
    expect(files.at(-1)).toBe('s020/SKILL.md')
    await nextTurn()
    expect(files).toHaveLength(length)
  })

  it.runIf(process.platform === 'linux')(
    'leaves no file open when it rejects (counted where /proc tells)',
    async () => {
      const { path } = temporary(many)
      const openFiles = (): number => readdirSync('/proc/self/fd').length
      const before = openFiles()
      const controller = new AbortController()
      const { scan } = textTree(path, { reads, onRead: () => controller.abort() })
      await expect(scan(controller.signal)).rejects.toMatchObject({ name: 'AbortError' })
      expect(openFiles()).toBe(before)
    },
  )

  it('gives the reason as the cause when it is no AbortError', async () => {
    const { path } = temporary(many)
    const controller = new AbortController()
    const { scan } = textTree(path, { reads, onRead: () => controller.abort('enough') })
    await expect(scan(controller.signal)).rejects.toMatchObject({ name: 'AbortError', cause: 'enough' })
  })

  it('can be aborted from outside while it gives way', async () => {
    const controller = new AbortController()
    setImmediate(() => controller.abort())
    const { scan, reads: files } = textTree(large.path, { reads })
    await expect(scan(controller.signal)).rejects.toMatchObject({ name: 'AbortError' })
    expect(files.length).toBeLessThan(1500)
  })

  it('can be aborted in the middle of a very large folder', async () => {
    const { path } = temporary({
      ...Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`first/f${at}.txt`, ''])),
      'second/SKILL.md': '',
    })
    const controller = new AbortController()
    let folders = 0
    // The time is read before each folder; after the second time the large folder is about to be listed.
    const now = (): number => {
      if (++folders === 2) controller.abort()
      return 0
    }
    const { scan, reads: files } = textTree(path, { reads, now })
    await expect(scan(controller.signal)).rejects.toMatchObject({ name: 'AbortError' })
    expect(files).toEqual([])
  })

  it('leaves a tree that finds everything the next time', async () => {
    const { path } = temporary(many)
    let controller = new AbortController()
    const { scan, rescan } = textTree(path, { reads, onRead: ({ name }) => name === 's020' && controller.abort() })
    await expect(scan(controller.signal)).rejects.toMatchObject({ name: 'AbortError' })
    controller = new AbortController()
    expect((await rescan([`${path}/s000`]))?.items).toHaveLength(70)
  })

  it('finds everything the next time after a rescan that was aborted', async () => {
    const tree = temporary(many)
    let controller = new AbortController()
    const { scan, rescan } = textTree(tree.path, { reads, onRead: ({ name }) => name === 's050' && controller.abort() })
    await scan()
    tree.write({ 's050/SKILL.md': 'changed', 's060/SKILL.md': 'changed' })
    controller = new AbortController()
    await expect(rescan(undefined, controller.signal)).rejects.toMatchObject({ name: 'AbortError' })
    controller = new AbortController()
    const state = await rescan([`${tree.path}/s050`])
    expect(state?.items.filter(({ text }) => text === 'changed').map(({ relative }) => relative)).toEqual([
      's050',
      's060',
    ])
    expect(state?.items).toHaveLength(70)
  })
})

describe('a walk that is given up for being late', () => {
  const late = new SkillsError('E_TIMEOUT', 'It took too long.')

  it.each(['auto', 'callbacks'] as const)(
    'keeps what it found, and the next one reads only the rest, with %s',
    async reads => {
      const { path } = temporary(many)
      const controller = new AbortController()
      const {
        tree,
        scan,
        rescan,
        reads: files,
      } = textTree(path, { reads, onRead: ({ name }) => name === 's050' && controller.abort(late) })
      await expect(scan(controller.signal)).rejects.toMatchObject({ name: 'AbortError', cause: late })
      const found = tree.found().items
      expect(found.length).toBeGreaterThanOrEqual(30)
      const state = await rescan([`${path}/s000`])
      expect(state?.items).toHaveLength(70)
      expect(state?.items.slice(0, found.length)).toEqual(found)
      expect(new Set(files).size).toBe(70)
      // Files whose reading had begun may be read once more.
      expect(files.length).toBeLessThan(70 + 20)
      expect(await rescan()).toBeUndefined()
    },
  )

  it('leaves nothing of a file that answers only afterwards, with any result of another walk meanwhile', async () => {
    const { path } = temporary(many)
    let release = (): void => {}
    const stalled = new Promise<void>(resolve => {
      release = resolve
    })
    let isStalled = true
    const disk = new LocalStore({ reads: 'callbacks' })
    const store = withRead(disk, async (file, call) => {
      if (isStalled && file.endsWith('/s030/SKILL.md')) await stalled
      return disk.read(file, call)
    })
    const controller = new AbortController()
    const { tree, scan, rescan } = textTree(path, { store })
    const scanning = scan(controller.signal).catch((error: unknown) => error)
    while (tree.found().items.length < 30) await nextTurn()
    controller.abort(late)
    expect(tree.found().items.length).toBeLessThan(70)
    isStalled = false
    expect((await rescan())?.items).toHaveLength(70)
    release()
    expect(await scanning).toMatchObject({ name: 'AbortError' })
    expect(tree.found().items).toHaveLength(70)
    expect(await rescan()).toBeUndefined()
  })
})

describe.each(['auto', 'callbacks'] as const)('a long scan, reading with %s,', reads => {
  it('lets the rest of the process run meanwhile, and tells how far it is', async () => {
    const told: number[] = []
    const { tree } = textTree(large.path, { reads, onRead: () => spin(0.05) })
    const { turns, result } = await turnsDuring(() => tree.scan(new AbortController().signal, done => told.push(done)))
    expect(result.items).toHaveLength(1500)
    // On any machine, this much work takes a dozen slices of a few milliseconds.
    expect(turns).toBeGreaterThan(12)
    // A slow machine reports progress more often.
    expect(told).toEqual(expect.arrayContaining([500, 1000, 1500]))
  })
})

/** Works for `ms` milliseconds, as reading does. */
function spin(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}
