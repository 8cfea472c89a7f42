import { renameSync, rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { foundIn, temporary, textTree } from '../test/text-tree.js'
import { withRead } from '@skills/store/internal'
import { isUnchangedIdentity } from './file-identity.js'
import { LocalStore } from './index.js'
import type { TreeEntries } from '@skills/testing'

const letters = 'abcdefghijklmnopqrst'.split('')

function skillsIn(folder: string, names: readonly string[], text: string): TreeEntries {
  return Object.fromEntries(names.map(name => [`${folder}/${name}/SKILL.md`, text]))
}

describe.each(['auto', 'callbacks'] as const)('folders that are swapped during a look, reading with %s:', reads => {
  it.each(letters.filter((_, at) => at % 4 === 0))('the skills folder, at skill %s', async letter => {
    const { path } = temporary({ ...skillsIn('skills', letters, 'old'), ...skillsIn('next', [...letters, 'u'], 'new') })
    let isSwapped = false
    const { scan, rescan } = textTree(`${path}/skills`, {
      reads,
      onRead: ({ name }) => {
        if (name !== letter || isSwapped) return
        isSwapped = true
        renameSync(`${path}/skills`, `${path}/old`)
        renameSync(`${path}/next`, `${path}/skills`)
      },
    })
    const state = await scan()
    expect(foundIn(state)).toEqual([...letters, 'u'])
    expect(new Set(state.items.map(({ text }) => text))).toEqual(new Set(['new']))
    expect(await rescan()).toBeUndefined()
  })

  it('the skills folder, which is away for the moment in which it is listed', async () => {
    const { path } = temporary({ ...skillsIn('skills', letters, 'old'), ...skillsIn('next', letters, 'new') })
    const store = new (class extends LocalStore {
      #isSwapped = false
      override list(...call: Parameters<LocalStore['list']>): ReturnType<LocalStore['list']> {
        if (this.#isSwapped) return super.list(...call)
        this.#isSwapped = true
        renameSync(`${path}/skills`, `${path}/old`)
        const listed = super.list(...call)
        renameSync(`${path}/next`, `${path}/skills`)
        return listed
      }
    })({ reads })
    const state = await textTree(`${path}/skills`, { store }).scan()
    expect([state.root, foundIn(state), state.problems]).toEqual(['read', letters, []])
  })

  it('the folder of the skills folder, also in a look at some paths', async () => {
    const { path, write } = temporary({
      ...skillsIn('project/skills', letters, 'old'),
      ...skillsIn('next/skills', letters, 'new'),
    })
    const state = { isArmed: false }
    const { scan, rescan } = textTree(`${path}/project/skills`, {
      reads,
      onRead: () => {
        if (!state.isArmed) return
        state.isArmed = false
        renameSync(`${path}/project`, `${path}/old`)
        renameSync(`${path}/next`, `${path}/project`)
      },
    })
    await scan()
    write({ 'project/skills/c/SKILL.md': 'changed' })
    state.isArmed = true
    const found = await rescan([`${path}/project/skills/c`])
    expect(foundIn(found)).toEqual(letters)
    expect(new Set(found?.items.map(({ text }) => text))).toEqual(new Set(['new']))
  })

  it('a group within it, which goes away altogether', async () => {
    const { path } = temporary({
      ...skillsIn('skills/group', letters, 'text'),
      ...skillsIn('skills/other', ['z'], 'text'),
    })
    const { scan } = textTree(`${path}/skills`, {
      reads,
      onRead: ({ name }) => name === 'd' && rmSync(`${path}/skills/group`, { recursive: true }),
    })
    expect(foundIn(await scan())).toEqual(['other/z'])
  })
})

it('a folder that is away while its file is opened, and back when it is listed, keeps its skill', async () => {
  const { path } = temporary(skillsIn('skills', letters, 'text'))
  const disk = new LocalStore()
  let wasAway = false
  const store = withRead(disk, (file, call) => {
    if (wasAway || !file.endsWith('/f/SKILL.md')) return disk.read(file, call)
    wasAway = true
    return undefined
  })
  const { scan } = textTree(`${path}/skills`, { store })
  expect(foundIn(await scan())).toEqual(letters)
  expect(wasAway).toBe(true)
})

it('a folder with the time stamps of the one whose place it takes is another one', async () => {
  const { path } = temporary({ ...skillsIn('skills/group/sub', ['a'], 'old'), ...skillsIn('next/sub', ['b'], 'new') })
  const { scan, rescan, tree } = textTree(`${path}/skills`)
  await scan()
  // Stamps that two folders share if both were made within one tick of the clock.
  const stamps = { mtimeMs: 5, ctimeMs: 5, dev: 1, size: 4096 }
  expect(isUnchangedIdentity({ ...stamps, ino: 1 }, { ...stamps, ino: 2 })).toBe(false)
  renameSync(`${path}/skills/group`, `${path}/old`)
  renameSync(`${path}/next`, `${path}/skills/group`)
  expect(foundIn(await rescan())).toEqual(['group/sub/b'])
  expect(tree.found().items).toHaveLength(1)
})
