import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { engineOver, indexed, later, said, sample, type IndexedOptions } from './indexed.js'

const isRoot = process.getuid?.() === 0
const isPosix = process.platform !== 'win32'

describe('what the index holds', () => {
  it('is nothing that was written within the tick of the clock before it was read', async () => {
    const { list, bytesRead } = indexed()
    const now = later(50)
    await list(now)
    expect(await bytesRead(() => list(later(60_000)))).toBeGreaterThan(0)
    expect(await bytesRead(() => list(later(60_001)))).toBe(0)
  })

  it('does not come from a time that is still to come: the clock was set back', async () => {
    const { list, fresh, bytesRead, index } = indexed()
    await list(later(120_000))
    const before = readFileSync(index())
    expect(await bytesRead(async () => expect(await list(later(60_000))).toBe(await fresh()))).toBeGreaterThan(0)
    expect(readFileSync(index()).equals(before)).toBe(false)
    expect(await bytesRead(() => list(later(60_001)))).toBe(0)
  })

  it('is no file whose own time is still to come', async () => {
    const { tree, list, bytesRead } = indexed({ 'all/root/a/SKILL.md': 'Text.' })
    utimesSync(`${tree.path}/all/root/a/SKILL.md`, Date.now() / 1000 + 3600, Date.now() / 1000 + 3600)
    await list()
    expect(await bytesRead(list)).toBeGreaterThan(0)
  })

  it.each<[string, (path: string) => void]>([
    ['truncated', path => truncateSync(path, statSync(path).size - 8)],
    ['cut to nothing', path => truncateSync(path, 0)],
    ['from another version', path => writeFileSync(path, Buffer.from(readFileSync(path).toString('latin1').replace('skills index 1', 'skills index 0'), 'latin1'))],
    ['of other options, under the same name', path => writeFileSync(path, Buffer.from(readFileSync(path).toString('latin1').replace('"layout":{}', '"layout":[]'), 'latin1'))],
    ['changed in one letter', path => writeFileSync(path, Buffer.from(readFileSync(path).toString('latin1').replace('Inside', 'Inward'), 'latin1'))],
    ['something else', path => writeFileSync(path, 'no index at all, but a text of some length that is longer than any head of an index could be')],
  ])('is ignored and written anew when it is %s', async (_what, spoil) => {
    const { list, fresh, bytesRead, index } = indexed()
    await list()
    const good = readFileSync(index())
    spoil(index())
    expect(readFileSync(index()).equals(good)).toBe(false)
    const expected = await fresh()
    expect(await bytesRead(async () => expect(await list()).toBe(expected))).toBeGreaterThan(0)
    expect(await bytesRead(async () => expect(await list()).toBe(expected))).toBe(0)
  })

  it.runIf(isPosix).each<[string, (path: string) => void]>([
    ['a link', path => {
      renameSync(path, `${path}.kept`)
      symlinkSync(`${path}.kept`, path)
    }],
    ['a folder', path => {
      rmSync(path)
      mkdirSync(path)
    }],
    ['open to others', path => chmodSync(path, 0o644)],
    ...isRoot ? [["somebody else's", (path: string) => chownSync(path, 65534, 65534)] as [string, (path: string) => void]] : [],
    ['in a folder that is open to others', path => chmodSync(path.slice(0, path.lastIndexOf('/')), 0o755)],
  ])('counts for nothing when its file is %s', async (_what, spoil) => {
    const { list, fresh, bytesRead, index } = indexed()
    await list()
    spoil(index())
    const expected = await fresh()
    expect(await bytesRead(async () => expect(await list()).toBe(expected))).toBeGreaterThan(0)
  })

  it('is another one for other options', async () => {
    const { list, run, files } = indexed()
    const cold = await list()
    await run(said, { layout: { walk: 'flat' } })
    await run(said, { layout: { fields: { limits: { description: 2 } } } })
    expect(files()).toHaveLength(3)
    expect(await list()).toBe(cold)
  })
})

describe('the file of an index', () => {
  it('has a name that says nothing, and nothing is left beside it', async () => {
    const { list, folder } = indexed()
    await list()
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^[0-9a-f]{16}\.index$/)])
  })

  it.runIf(isPosix)('and its folder are open to no one else', async () => {
    const { list, folder } = indexed()
    await list()
    const names = readdirSync(folder)
    expect([folder, `${folder}/${names[0]}`].map(path => lstatSync(path).mode & 0o777)).toEqual([0o700, 0o600])
  })

  it('is written once for each change', async () => {
    const { tree, list, index } = indexed()
    await list()
    const stampOf = (): unknown => [lstatSync(index()).ino, lstatSync(index()).mtimeMs]
    const first = stampOf()
    await list()
    expect(stampOf()).toEqual(first)
    tree.write({ 'all/root/plain/SKILL.md': 'Other.' })
    await list()
    expect(stampOf()).not.toEqual(first)
  })

  it('is written after the load, at close at the latest, which waits for it', async () => {
    const { tree, roots, folder, files } = indexed()
    const { skills } = engineOver(roots, { index: { folder } })
    await skills.catalog()
    expect(readdirSync(tree.path)).not.toContain('cache')
    await skills.close()
    expect(files()).toHaveLength(1)
  })

  it('is neither there nor read unless it is asked for', async () => {
    const { tree, run, list, bytesRead } = indexed()
    await run(said, { index: false })
    await run(said, { index: undefined })
    expect(readdirSync(tree.path)).toEqual(['all'])
    await list()
    expect(await bytesRead(() => run(said, { index: false }))).toBeGreaterThan(0)
  })

  it('is not made for a root without skills', async () => {
    const { tree, list } = indexed({ 'all/root/empty': { dir: true } })
    await list()
    expect(readdirSync(tree.path)).toEqual(['all'])
  })

  it('that cannot be written is one warning, no matter what is loaded then', async () => {
    const { tree, run, fresh, folder } = indexed({ ...sample, cache: 'a file' })
    const expected = await fresh()
    const { reported } = await run(async ({ skills, catalog, reported: told }) => {
      expect(said({ catalog })).toBe(expected)
      tree.write({ 'all/root/more/SKILL.md': 'More.' })
      await skills.refresh()
      return { reported: told }
    })
    expect(reported.filter(({ code }) => code === 'index-not-written')).toEqual([expect.objectContaining({ severity: 'warning', provider: 'files', path: expect.stringContaining(folder) })])
  })

  it('makes room for others: only the 200 that were written last are kept, and nothing that was begun long ago', async () => {
    const old = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`cache/${String(at).padStart(16, '0')}.index`, 'x']))
    const { tree, list, files, folder } = indexed({ ...sample, ...old, 'cache/x.index.1.new': 'x', 'cache/y.index.1.new': 'y' })
    chmodSync(folder, 0o700)
    for (const [at, name] of files().entries()) utimesSync(`${folder}/${name}`, 1000 + at, 1000 + at)
    utimesSync(`${folder}/x.index.1.new`, 1, 1)
    await list()
    expect(files()).toHaveLength(200)
    expect(readdirSync(folder)).toContain('y.index.1.new')
    expect(readdirSync(folder)).not.toContain('x.index.1.new')
    expect(files()).not.toContain(`${'0'.repeat(16)}.index`)
    expect(tree.path).toBe(folder.replace('/cache', ''))
  })
})

describe('the usual folder', () => {
  it.each<[string, (home: string) => NonNullable<IndexedOptions['host']>, string]>([
    ['in the cache of the home folder', home => ({ home }), 'home/.cache/skills/index'],
    ['where XDG_CACHE_HOME says', home => ({ home, env: { XDG_CACHE_HOME: `${home}/../xdg/` } }), 'xdg/skills/index'],
    ['not where a relative XDG_CACHE_HOME says', home => ({ home, env: { XDG_CACHE_HOME: 'xdg' } }), 'home/.cache/skills/index'],
    ['on macOS in its caches', home => ({ home, platform: 'darwin', env: { XDG_CACHE_HOME: '/nowhere' } }), 'home/Library/Caches/skills/index'],
    ['on Windows in LOCALAPPDATA', home => ({ home, platform: 'win32' }), 'home/AppData/Local/skills/cache/index'],
  ])('is %s', async (_what, host, expected) => {
    const { tree, list } = indexed({ ...sample, home: { dir: true } })
    await list({ index: true, host: { env: {}, platform: 'linux', ...host(`${tree.path}/home`) } })
    expect(readdirSync(`${tree.path}/${expected}`)).toHaveLength(1)
  })

  it('is none for a user without a home folder, and that is no problem', async () => {
    const { tree, run, fresh } = indexed()
    for (const home of ['', `${tree.path}/nobody`]) {
      const { text, reported } = await run(({ catalog, reported: told }) => ({ text: said({ catalog }), reported: told }), { index: true, host: { home, platform: 'linux', env: {} } })
      expect(text).toBe(await fresh())
      expect(reported.map(({ code }) => code)).not.toContain('index-not-written')
    }
    expect(readdirSync(tree.path)).toEqual(['all'])
  })
})
