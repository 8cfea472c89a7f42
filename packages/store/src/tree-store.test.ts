import { SkillsError } from '@skills/core'
import { expect, test } from 'vitest'
import { foldedName, MemoryStore, TreeStore, type TreeEntry } from './index.js'

const call = { signal: new AbortController().signal }
const root = 'tree:'
const file: TreeEntry = { version: '1', size: 0, read: () => Buffer.of() }
const over = (entries: Iterable<readonly [string, TreeEntry]>): TreeStore =>
  new TreeStore({ root, id: 'tree', entries: () => new Map(entries) })
const range = <T>(length: number, make: (at: number) => T): readonly T[] => Array.from({ length }, (_, at) => make(at))

test.each([
  ['bytes', `${'a/'.repeat(60)}${'n'.repeat(4000)}`, 'more than 4096 bytes'],
  ['parts', `${'d/'.repeat(64)}f`, 'more than 64 parts'],
  ['bytes of a part', `a/${'é'.repeat(128)}`, 'a part of more than 255 bytes'],
])('a path with too many %s is refused by the name of the limit', async (_what, path, limit) => {
  const failure: unknown = await Promise.resolve()
    .then(() => over([[path, file]]).list(root, call))
    .catch((error: unknown) => error)
  expect(SkillsError.is(failure) && failure.code).toBe('E_STORE_LIMIT')
  expect(String(failure)).toContain(limit)
  expect(String(failure).length).toBeLessThan(400)
})

test('what is just within the limits is a file', async () => {
  const paths = [`${'d/'.repeat(63)}f`, 'n'.repeat(255)]
  const store = over(paths.map(path => [path, file] as const))
  for (const path of paths) expect(await store.stat(`${root}/${path}`, call)).toMatchObject({ kind: 'file' })
})

test('a chain of links of any length ends, in a cycle beyond forty, and each is followed once', async () => {
  const links = range(30_000, at => [`l${at}`, { link: `${'./'.repeat(60)}l${at + 1}` }] as const)
  const store = over([...links, ['l30000', file]])
  const ends = await Promise.all(
    range(30_000, async at => {
      try {
        return await store.realPath(`${root}/l${at}`, call)
      } catch (error) {
        return error instanceof Error && 'code' in error && error.code
      }
    }),
  )
  expect(ends.filter(end => end === `${root}/l30000`)).toHaveLength(40)
  expect(ends.filter(end => end === 'ELOOP')).toHaveLength(30_000 - 40)
})

test('a long chain of links is followed in turns, and who gives it up costs no other caller anything', async () => {
  const links = range(30_000, at => [`l${at}`, { link: `l${at + 1}` }] as const)
  const store = over(links)
  await store.list(root, call)
  const controller = new AbortController()
  const given = Promise.resolve(store.realPath(`${root}/l0`, { signal: controller.signal }))
  const other = Promise.resolve(store.realPath(`${root}/l1`, call))
  setImmediate(() => controller.abort())
  await expect(given).rejects.toMatchObject({ name: 'AbortError' })
  await expect(other).resolves.toBeUndefined()
})

test('links that lead to each other, to themselves and through each other lead in a cycle, whichever comes first', async () => {
  const entries = { 'a/x': 'y', 'a/y': '../b/z', 'b/z': '../a/x', self: 'self', through: 'a/x/../y', good: 'a/../file' }
  for (const names of [Object.keys(entries), Object.keys(entries).toReversed()]) {
    const store = new MemoryStore({
      file: '',
      ...Object.fromEntries(Object.entries(entries).map(([path, link]) => [path, { link }])),
    })
    const codes = names.map(async name =>
      Promise.resolve()
        .then(() => store.realPath(`${store.root}/${name}`, call))
        .catch((error: unknown) => error instanceof Error && 'code' in error && error.code),
    )
    expect(await Promise.all(codes)).toEqual(names.map(name => (name === 'good' ? `${store.root}/file` : 'ELOOP')))
  }
})

test('a link that goes up and down again is as long as it is, and one out of the tree leads nowhere', async () => {
  const store = new MemoryStore({
    'a/SKILL.md': '',
    far: { link: `${'a/../'.repeat(31)}a` },
    farther: { link: `${'a/../'.repeat(32)}a` },
    out: { link: '../../x' },
    root: { link: '/etc' },
    file: { link: 'a/SKILL.md/..' },
  })
  expect(await store.realPath(`${store.root}/far/SKILL.md`, call)).toBe(`${store.root}/a/SKILL.md`)
  for (const name of ['farther', 'out', 'root', 'file'])
    expect(await store.realPath(`${store.root}/${name}`, call)).toBeUndefined()
})

test('a tree of many entries is made in turns, and one that is given up ends there', async () => {
  const entries = range(5000, at => [`f${at}`, file] as const)
  const controller = new AbortController()
  const store = over(entries)
  const listing = Promise.resolve(store.list(root, { signal: controller.signal }))
  setImmediate(() => controller.abort())
  await expect(listing).rejects.toMatchObject({ name: 'AbortError' })
  expect(await store.list(root, call)).toMatchObject({ files: expect.objectContaining({ length: 5000 }) })
})

test.each([
  ['straße', 'STRASSE'],
  ['ſet', 'Set'],
  ['\u212Aelvin', 'kelvin'],
  ['ﬁle', 'file'],
  ['a\u200bb', 'ab'],
  ['Σς', 'σσ'],
  ['\u1E9E', 'ss'],
  ['e\u0301', 'É'],
])('%s and %s are one name on some disk', (one, other) => {
  expect(foldedName(one)).toBe(foldedName(other))
})

test.each([
  ['a', 'b'],
  ['ä', 'a'],
  ['read me', 'readme'],
])('%s and %s are two names everywhere', (one, other) => {
  expect(foldedName(one)).not.toBe(foldedName(other))
})
