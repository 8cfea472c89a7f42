import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPosix, never, temporary } from '../test/judged.js'
import { digestOfSkill, type SkillDigest } from './skill-digest.js'
import type { TempTree, TreeEntries } from '@skills/testing'

const limits = { files: 1000, bytes: 1_000_000 }

const look = (path: string, given = limits): Promise<SkillDigest> => digestOfSkill(path, given, never)

async function digestOf(path: string): Promise<string> {
  const found = await look(path)
  if ('reason' in found) throw new Error(found.reason)
  return found.digest
}

/** Returns the digest of a folder with these entries. */
async function digestOfTree(entries: TreeEntries, tree: TempTree = temporary()): Promise<string> {
  tree.remove('skill')
  mkdirSync(`${tree.path}/skill`, { mode: 0o755 })
  tree.write(Object.fromEntries(Object.entries(entries).map(([name, entry]) => [`skill/${name}`, entry])))
  return digestOf(`${tree.path}/skill`)
}

interface Leaf {
  readonly content: string
  readonly mode: number
}

/** Files of a folder and of one folder inside it, by path. */
const filesOf = fc.dictionary(
  fc.constantFrom(
    'SKILL.md',
    'a',
    'b',
    'ab',
    'a b',
    'run.sh',
    '.hidden',
    'sub/a',
    'sub/b',
    'sub.md',
    'ä',
    'sub/deep/x',
  ),
  fc.record({ content: fc.string({ maxLength: 8 }), mode: fc.constantFrom(0o600, 0o644, 0o755) }),
  { minKeys: 1 },
)

describe.runIf(isPosix)('the digest of a skill', () => {
  it('is the same regardless of the order in which files came to be', async () => {
    await fc.assert(
      fc.asyncProperty(filesOf, fc.infiniteStream(fc.nat()), async (files, random) => {
        const shuffled = Object.entries(files)
          .map(entry => [random.next().value as number, entry] as const)
          .sort(([a], [b]) => a - b)
          .map(([, entry]) => entry)
        expect(await digestOfTree(Object.fromEntries(shuffled))).toBe(await digestOfTree(files))
      }),
      { numRuns: 25 },
    )
  })

  it('is another for every other set of paths, modes and bytes', async () => {
    const normal = (files: Readonly<Record<string, Leaf>>): string =>
      JSON.stringify(
        Object.entries(files)
          .map(([name, { content, mode }]) => [name, content, mode])
          .sort(),
      )
    await fc.assert(
      fc.asyncProperty(filesOf, filesOf, async (one, other) => {
        fc.pre(normal(one) !== normal(other))
        expect(await digestOfTree(one)).not.toBe(await digestOfTree(other))
      }),
      { numRuns: 25 },
    )
  })

  it('is another after any one change', async () => {
    const changes: Readonly<Record<string, (file: string, leaf: Leaf) => void>> = {
      byte: (file, { content }) => writeFileSync(file, content === '' ? 'x' : content.slice(1)),
      more: file => appendFileSync(file, '\0'),
      mode: (file, { mode }) => chmodSync(file, mode ^ 0o100),
      path: (file, { content, mode }) => {
        unlinkSync(file)
        writeFileSync(`${file}x`, content)
        chmodSync(`${file}x`, mode)
      },
      gone: file => unlinkSync(file),
      link: (file, { content }) => {
        writeFileSync(`${file}-target`, content)
        unlinkSync(file)
        symlinkSync(`${file}-target`, file)
      },
      another: file => writeFileSync(`${file}-2`, ''),
    }
    await fc.assert(
      fc.asyncProperty(filesOf, fc.constantFrom(...Object.keys(changes)), fc.nat(), async (files, kind, at) => {
        const tree = temporary()
        const before = await digestOfTree(files, tree)
        expect(await digestOf(`${tree.path}/skill`)).toBe(before)
        const [name, leaf] = Object.entries(files)[at % Object.keys(files).length] ?? ['', { content: '', mode: 0 }]
        changes[kind]?.(`${tree.path}/skill/${name}`, leaf)
        expect(await digestOf(`${tree.path}/skill`)).not.toBe(before)
      }),
      { numRuns: 60 },
    )
  })

  it('cannot be made the same by moving bytes between names and contents', async () => {
    const digests = await Promise.all(
      [
        { ab: 'c' },
        { a: 'bc' },
        { a: 'b', c: '' },
        { a: '', bc: '' },
        { 'a/b': 'c' },
        { a: { link: 'bc' } },
        { ab: { link: 'c' } },
        { a: { dir: true } as const, bc: '' },
        {},
      ].map(entries => digestOfTree(entries as TreeEntries)),
    )
    expect(new Set(digests).size).toBe(digests.length)
  })

  it('does not depend on where the skill lies', async () => {
    expect(await digestOfTree({ 'SKILL.md': 'x', sub: { link: 'SKILL.md' } }, temporary())).toBe(
      await digestOfTree({ 'SKILL.md': 'x', sub: { link: 'SKILL.md' } }, temporary({ more: '' })),
    )
  })

  it('is another when a link leads elsewhere, or other bytes stand where it leads', async () => {
    const tree = temporary({
      'lib/run.sh': 'run',
      'lib/deep/x': 'x',
      'lib-2/run.sh': 'run',
      'lib-2/deep/x': 'x',
      one: '1',
      two: '1',
      'skill/SKILL.md': 'x',
    })
    const seen = new Set<string>()
    for (const change of [
      { 'skill/l': { link: '../one' } },
      { 'skill/l': { link: '../two' } },
      { two: '2' },
      { 'skill/l': { link: '../nowhere' } },
      { nowhere: '' },
      { 'skill/d': { link: '../lib' } },
      { 'lib/run.sh': 'ruin' },
      { 'lib/deep/x': 'y' },
      { 'lib/new': '' },
      { 'skill/d': { link: '../lib-2' } },
      { 'skill/up': { link: '.' } },
      { 'skill/SKILL.md': { link: '../one' } },
      { one: '3' },
    ] satisfies readonly TreeEntries[]) {
      tree.write(change)
      seen.add(await digestOf(`${tree.path}/skill`))
    }
    expect(seen.size).toBe(13)
  })

  it('ends although links lead around in cycles', async () => {
    const tree = temporary({
      'skill/a/up': { link: '..' },
      'skill/b': { link: 'a' },
      'skill/self': { link: 'self' },
      'skill/out': { link: '../other' },
      'other/back': { link: '../skill' },
    })
    expect(await look(`${tree.path}/skill`)).toMatchObject({ reason: expect.stringContaining('cycle of links') })
    tree.remove('skill/self')
    expect(await look(`${tree.path}/skill`)).toHaveProperty('digest')
  })

  it('of a file is of its bytes, mode and link', async () => {
    const tree = temporary({ 'push.md': { content: 'x', mode: 0o644 }, other: 'y' })
    const digests = [await digestOf(`${tree.path}/push.md`)]
    for (const change of [
      { 'push.md': { content: 'y', mode: 0o644 } },
      { 'push.md': { content: 'x', mode: 0o600 } },
      { 'push.md': { link: 'other' } },
      { other: 'z' },
    ] satisfies readonly TreeEntries[]) {
      tree.write(change)
      digests.push(await digestOf(`${tree.path}/push.md`))
    }
    expect(new Set(digests).size).toBe(5)
  })
})

describe('a skill has no digest', () => {
  it('when it is too large', async () => {
    const { path } = temporary({ 'skill/a': 'a', 'skill/b': 'bb' })
    expect(await look(`${path}/skill`, { files: 2, bytes: 3 })).toEqual({
      reason: expect.stringContaining('more than 2 files') as string,
    })
    expect(await look(`${path}/skill`, { files: 3, bytes: 2 })).toEqual({
      reason: expect.stringContaining(' 2 bytes') as string,
    })
    expect(await look(`${path}/skill`, { files: 3, bytes: 3 })).toHaveProperty('digest')
  })

  it('when a link in it leads to more than a skill can be', async () => {
    const { path } = temporary({ 'skill/root': { link: '/' } })
    expect(await look(`${path}/skill`, { files: 50, bytes: 1e12 })).toMatchObject({
      reason: expect.stringMatching(/ 50 files|may not be read|neither/),
    })
  })

  it.runIf(isPosix)('when something in it is no file', async () => {
    const { path } = temporary({ skill: { dir: true } })
    execFileSync('mkfifo', [`${path}/skill/pipe`])
    expect(await look(`${path}/skill`)).toEqual({
      reason: expect.stringContaining(`${path}/skill/pipe is not a file`) as string,
    })
  })

  it.runIf(process.platform === 'linux')('when a name in it, or one that a link leads to, is not UTF-8', async () => {
    const { path } = temporary({ skill: { dir: true } })
    const odd = Buffer.concat([Buffer.from(`${path}/skill/a`), Buffer.from([0xff])])
    writeFileSync(odd, '')
    expect(await look(`${path}/skill`)).toMatchObject({ reason: expect.stringContaining('is not UTF-8') })
    rmSync(odd)
    symlinkSync(Buffer.from([0xff]), `${path}/skill/l`)
    expect(await look(`${path}/skill`)).toMatchObject({ reason: expect.stringContaining('UTF-8') })
  })

  it('when it is not there', async () => {
    const { path } = temporary()
    expect(await look(`${path}/skill`)).toEqual({ reason: `${path}/skill changed while it was read.` })
  })

  it('when it changes while it is read', async () => {
    // Large enough that reading takes several turns of the event loop. In each one, something is written.
    const big = 'x'.repeat(5 * 1024 * 1024)
    const tree = temporary({ 'skill/SKILL.md': 'x', 'skill/a': big, 'skill/b': big })
    for (const change of [
      () => writeFileSync(`${tree.path}/skill/SKILL.md`, 'y'),
      () => writeFileSync(`${tree.path}/skill/new`, ''),
      () => rmSync(`${tree.path}/skill/new`),
      () => appendFileSync(`${tree.path}/skill/b`, 'y'),
    ]) {
      const looking = look(`${tree.path}/skill`, { files: 10, bytes: 1e9 })
      setImmediate(change)
      expect(await looking).toMatchObject({ reason: expect.stringContaining(' changed ') })
    }
    expect(await look(`${tree.path}/skill`, { files: 10, bytes: 1e9 })).toHaveProperty('digest')
  })

  it('for a caller that aborts', async () => {
    const { path } = temporary({ 'skill/a': 'a' })
    await expect(digestOfSkill(`${path}/skill`, limits, AbortSignal.abort())).rejects.toThrow(
      expect.objectContaining({ name: 'AbortError' }),
    )
  })
})
