import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { watching } from '../test/watching.js'

function temporary(entries: TreeEntries = {}): TempTree {
  const tree = tempTree(entries)
  onTestFinished(() => tree.dispose())
  return tree
}

describe('watching a folder', () => {
  it('tells of files that come, change and go, at any depth', async () => {
    const { path, write } = temporary({ 'root/a/SKILL.md': 'a' })
    const { told, toldOf, diagnostics } = await watching([`${path}/root`])
    write({ 'root/a/SKILL.md': 'again' })
    await toldOf(`${path}/root/a/SKILL.md`)
    write({ 'root/b/c/d/SKILL.md': 'new' })
    await told(`${path}/root/b`)
    write({ 'root/b/c/d/SKILL.md': 'changed' })
    await toldOf(`${path}/root/b/c/d/SKILL.md`)
    unlinkSync(`${path}/root/a/SKILL.md`)
    await toldOf(`${path}/root/a/SKILL.md`)
    rmSync(`${path}/root/b`, { recursive: true })
    await told(`${path}/root/b`)
    expect(diagnostics).toEqual([])
  })

  it('tells of a file that an editor replaces by another one', async () => {
    const { path } = temporary({ 'root/a/SKILL.md': 'a' })
    const { told, diagnostics } = await watching([`${path}/root`])
    const file = `${path}/root/a/SKILL.md`
    // Writes like vim where it cannot write in place: a probe, then the old file renamed, then a new one in its place.
    writeFileSync(`${path}/root/a/4913`, '')
    unlinkSync(`${path}/root/a/4913`)
    renameSync(file, `${file}~`)
    writeFileSync(file, 'new')
    unlinkSync(`${file}~`)
    await told(file)
    // Writes like most other editors.
    writeFileSync(`${file}.tmp`, 'newer')
    renameSync(`${file}.tmp`, file)
    await told(file)
    appendFileSync(file, ' still')
    await told(file)
    expect(diagnostics).toEqual([])
  })

  it('sees the second half of a file that is written in two steps', async () => {
    const { path } = temporary({ 'root/a/SKILL.md': 'a' })
    const file = `${path}/root/a/SKILL.md`
    const { told, diagnostics } = await watching([`${path}/root`], { debounceMs: 1 })
    for (let round = 0; round < 20; round++) {
      writeFileSync(file, '')
      await told(file)
      writeFileSync(file, 'whole')
      await told(file)
    }
    expect(diagnostics).toEqual([])
  })

  it('survives that the folder is deleted and made again, as often as that happens', async () => {
    const { path, write, remove } = temporary({ 'root/a/SKILL.md': 'a' })
    const { told, toldOf, diagnostics } = await watching([`${path}/root`])
    for (let round = 0; round < 3; round++) {
      remove('root')
      await told(`${path}/root`)
      write({ 'root/a/SKILL.md': 'a' })
      await told(`${path}/root`)
      write({ 'root/a/SKILL.md': 'changed' })
      await toldOf(`${path}/root/a/SKILL.md`)
    }
    expect(diagnostics).toEqual([])
  })

  it("watches the folder that took another one's place, at once or below the root", async () => {
    const { path, write } = temporary({ 'root/group/a/SKILL.md': 'a' })
    const { told, toldOf, diagnostics } = await watching([`${path}/root`])
    for (const folder of ['root', 'root/group', 'root/group/a', 'root/group']) {
      rmSync(`${path}/${folder}`, { recursive: true })
      mkdirSync(`${path}/${folder}`)
      await told(`${path}/${folder}`)
      for (const text of ['made', 'changed', 'changed again']) {
        write({ 'root/group/a/SKILL.md': text })
        await toldOf(`${path}/root/group/a/SKILL.md`)
      }
    }
    expect(diagnostics).toEqual([])
  })

  it('begins with a folder that is not there, nor those above it', async () => {
    const { path, write, remove } = temporary()
    const { told, toldOf, diagnostics } = await watching([`${path}/far/.claude/skills`])
    write({ 'far/other/x': '' })
    write({ 'far/.claude/skills/a/SKILL.md': 'a' })
    await told(`${path}/far/.claude/skills`)
    write({ 'far/.claude/skills/a/SKILL.md': 'changed' })
    await toldOf(`${path}/far/.claude/skills/a/SKILL.md`)
    remove('far')
    await told(`${path}/far/.claude/skills`)
    write({ 'far/.claude/skills/a/SKILL.md': 'again' })
    await told(`${path}/far/.claude/skills`)
    expect(diagnostics).toEqual([])
  })

  it('follows a folder above it that is renamed away, and back', async () => {
    const { path, write } = temporary({ 'project/inner/skills/a/SKILL.md': 'a' })
    const { told, toldOf, diagnostics } = await watching([`${path}/project/inner/skills`])
    renameSync(`${path}/project`, `${path}/away`)
    await told(`${path}/project/inner/skills`)
    renameSync(`${path}/away`, `${path}/project`)
    await told(`${path}/project/inner/skills`)
    write({ 'project/inner/skills/a/SKILL.md': 'b' })
    await toldOf(`${path}/project/inner/skills/a/SKILL.md`)
    expect(diagnostics).toEqual([])
  })

  it('passes over hidden entries and node_modules', async () => {
    const { path, write } = temporary({ 'root/a/SKILL.md': 'a', 'root/.git/x': '', 'root/node_modules/x/SKILL.md': '' })
    const { told, batches } = await watching([`${path}/root`])
    write({ 'root/.git/x': 'changed', 'root/node_modules/x/SKILL.md': 'changed', 'root/a/.SKILL.md.swp': '' })
    write({ 'root/a/SKILL.md': 'changed' })
    await told(`${path}/root/a/SKILL.md`)
    expect(new Set(batches.flat())).toEqual(new Set([`${path}/root/a/SKILL.md`]))
  })

  it('tells of a burst in a few batches', async () => {
    const { path, write } = temporary({ 'root/one/SKILL.md': '' })
    const { told, batches } = await watching([`${path}/root`], { debounceMs: 100 })
    const names = Array.from({ length: 1000 }, (_, at) => `skill-${at}`)
    write(Object.fromEntries(names.map(name => [`root/${name}/SKILL.md`, name])))
    await told(...names.map(name => `${path}/root/${name}`))
    expect(batches.length).toBeLessThan(100)
  })
})

describe('watching a file', () => {
  it('tells of it alone, whether it is there yet or not', async () => {
    const { path, write, remove } = temporary({ 'etc/other.json': '' })
    const { told, batches } = await watching([`${path}/etc/policy.json`])
    write({ 'etc/other.json': 'changed' })
    write({ 'etc/policy.json': '{}' })
    await told(`${path}/etc/policy.json`)
    write({ 'etc/policy.json': '{ }' })
    await told(`${path}/etc/policy.json`)
    remove('etc')
    await told(`${path}/etc/policy.json`)
    write({ 'etc/policy.json': '{}' })
    await told(`${path}/etc/policy.json`)
    expect(new Set(batches.flat())).toEqual(new Set([`${path}/etc/policy.json`]))
  })
})

describe('watching through links', () => {
  it('tells of what changes behind a link, by the paths that lead there', async () => {
    const { path, write } = temporary({
      'real/a/SKILL.md': 'a',
      'team/b/SKILL.md': 'b',
      'file.md': 'c',
      'real/group': { link: '../team' },
      'real/c/SKILL.md': { link: '../../file.md' },
      root: { link: 'real' },
    })
    const { toldOf, diagnostics } = await watching([`${path}/root`])
    write({ 'real/a/SKILL.md': 'changed' })
    await toldOf(`${path}/root/a/SKILL.md`)
    write({ 'team/b/SKILL.md': 'changed' })
    await toldOf(`${path}/root/group/b/SKILL.md`)
    write({ 'file.md': 'changed' })
    await toldOf(`${path}/root/c/SKILL.md`)
    expect(diagnostics).toEqual([])
  })

  it('follows a link that is pointed elsewhere, and one that is new', async () => {
    const { path, write } = temporary({ 'one/a/SKILL.md': 'a', 'two/b/SKILL.md': 'b', 'root/link': { link: '../one' } })
    const { told, toldOf, diagnostics } = await watching([`${path}/root`])
    unlinkSync(`${path}/root/link`)
    symlinkSync('../two', `${path}/root/link`)
    await told(`${path}/root/link`)
    write({ 'two/b/SKILL.md': 'changed' })
    await toldOf(`${path}/root/link/b/SKILL.md`)
    symlinkSync('../one', `${path}/root/second`)
    await told(`${path}/root/second`)
    write({ 'one/a/SKILL.md': 'changed' })
    await toldOf(`${path}/root/second/a/SKILL.md`)
    expect(diagnostics).toEqual([])
  })

  it('goes on after a link is removed, and after a folder takes its place', async () => {
    for (const target of ['../store/x', 'absolute']) {
      const { path, write } = temporary({ 'store/x/SKILL.md': 'x', 'root/a/SKILL.md': 'a' })
      symlinkSync(target === 'absolute' ? `${path}/store/x` : target, `${path}/root/x`)
      const { told, toldOf, batches, diagnostics } = await watching([`${path}/root`])
      unlinkSync(`${path}/root/x`)
      await told(`${path}/root/x`)
      const before = batches.length
      write({ 'store/x/SKILL.md': 'no one reads it' })
      write({ 'root/a/SKILL.md': 'changed' })
      await toldOf(`${path}/root/a/SKILL.md`)
      expect(
        batches
          .slice(before)
          .flat()
          .filter(one => one.startsWith(`${path}/root/x`)),
      ).toEqual([])
      symlinkSync('../store/x', `${path}/root/x`)
      await told(`${path}/root/x`)
      write({ 'store/x/SKILL.md': 'read again' })
      await toldOf(`${path}/root/x/SKILL.md`)
      // Done in one turn, so that the watch never sees an empty place.
      unlinkSync(`${path}/root/x`)
      mkdirSync(`${path}/root/x`)
      await told(`${path}/root/x`)
      write({ 'root/x/SKILL.md': "a folder's" })
      await toldOf(`${path}/root/x/SKILL.md`)
      write({ 'root/x/SKILL.md': 'changed' })
      await toldOf(`${path}/root/x/SKILL.md`)
      expect(diagnostics).toEqual([])
    }
  })

  it.each<readonly [what: string, leave: (path: string) => void]>([
    ['is deleted', path => rmSync(`${path}/project/root`, { recursive: true })],
    ['is renamed', path => renameSync(`${path}/project/root`, `${path}/project/away`)],
    ['has its parent deleted', path => rmSync(`${path}/project`, { recursive: true })],
    ['has its parent renamed', path => renameSync(`${path}/project`, `${path}/away`)],
  ])('goes on after a folder that holds a link %s', async (_what, leave) => {
    const { path, write } = temporary({
      'project/root/a/SKILL.md': 'a',
      'project/root/x': { link: `../../store/x` },
      'store/x/SKILL.md': 'x',
      'other/b': '',
    })
    const { told, toldOf, diagnostics } = await watching([`${path}/project/root`, `${path}/other`])
    for (let round = 0; round < 2; round++) {
      leave(path)
      await told(`${path}/project/root`)
      write({ 'other/b': `changed ${round}` })
      await told(`${path}/other/b`)
      write({ 'project/root/a/SKILL.md': 'made again' })
      await told(`${path}/project/root`)
      symlinkSync('../../store/x', `${path}/project/root/x`)
      await told(`${path}/project/root/x`)
      write({ 'store/x/SKILL.md': `changed ${round}` })
      await toldOf(`${path}/project/root/x/SKILL.md`)
      rmSync(`${path}/away`, { recursive: true, force: true })
      rmSync(`${path}/project/away`, { recursive: true, force: true })
    }
    expect(diagnostics).toEqual([])
  })

  it('sees through a link to nothing once there is something, and a link that leads back does no harm', async () => {
    const { path, write } = temporary({
      'root/link': { link: '../later/skills' },
      'root/a/loop': { link: '..' },
      'root/self': { link: 'self' },
    })
    const { told, toldOf, batches } = await watching([`${path}/root`])
    write({ 'later/skills/a/SKILL.md': 'a' })
    await told(`${path}/root/link`)
    write({ 'later/skills/a/SKILL.md': 'changed' })
    await toldOf(`${path}/root/link/a/SKILL.md`)
    write({ 'root/a/SKILL.md': 'changed' })
    await toldOf(`${path}/root/a/SKILL.md`)
    expect(batches.flat().every(one => !one.includes('loop/a/loop'))).toBe(true)
  })

  it('leaves links alone that are not to be followed, until they are', async () => {
    const { path, write } = temporary({ 'one/a/SKILL.md': 'a', 'root/link': { link: '../one' } })
    let isFollowed = false
    const { told, toldOf, batches, setPaths } = await watching([`${path}/root`], {
      follows: link => isFollowed || link !== `${path}/root/link`,
    })
    write({ 'one/a/SKILL.md': 'changed' })
    write({ 'root/b': '' })
    await told(`${path}/root/b`)
    expect(batches.flat()).toEqual([`${path}/root/b`])
    isFollowed = true
    await setPaths([`${path}/root`])
    await told(`${path}/root/link`)
    write({ 'one/a/SKILL.md': 'again' })
    await toldOf(`${path}/root/link/a/SKILL.md`)
  })
})

describe('the paths that are watched', () => {
  it('can be others later, and those that are new are told of', async () => {
    const { path, write } = temporary({ 'one/a': '', 'two/b': '' })
    const { told, setPaths, batches } = await watching([`${path}/one`])
    await setPaths([`${path}/two`])
    await told(`${path}/two`)
    write({ 'one/a': 'changed', 'two/b': 'changed' })
    await told(`${path}/two/b`)
    expect(batches.flat().every(one => one.startsWith(`${path}/two`))).toBe(true)
  })
})
