import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { describe, expect, it } from 'vitest'
import { extracting, isPosix, isRoot } from '../test/bundled.js'
import { beforeRenaming, files, fingerprint, refusal, textsIn, whole } from '../test/extracted.js'

describe('a folder that is there already', () => {
  it('is trusted when it is whole', async () => {
    const [first, second] = [extracting(), extracting()]
    const made = await first.extract(files)
    const { root, extract, names, told } = second
    mkdirSync(root, { recursive: true, mode: 0o700 })
    chmodSync(root, 0o700)
    // As another process leaves it.
    const folder = `${root}/${await fingerprint()}`
    cpSync(made, folder, { recursive: true })
    for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      chmodSync(`${folder}/${path}`, lstatSync(`${folder}/${path}`).isDirectory() ? 0o700 : 0o600)
    chmodSync(folder, 0o700)
    const { ino } = lstatSync(folder)
    expect(await extract(files)).toBe(folder)
    expect([lstatSync(folder).ino, names().length, told]).toEqual([ino, 1, []])
  })

  const own = (content: string | Uint8Array): { content: string | Uint8Array; mode: number } => ({
    content,
    mode: 0o600,
  })
  const folderModes = { cache: { dir: true, mode: 0o700 }, 'cache/bundled': { dir: true, mode: 0o700 } } as const

  it.each([
    ['has a changed file', { 'references/api.md': own('The APT.') }, 'holds a file that was changed'],
    [
      'has a longer file',
      { 'references/api.md': own('The API, and more.') },
      'holds references/api.md, which does not have the size that it was extracted with',
    ],
    [
      'has one file too many',
      { 'references/more.md': own('More.') },
      'holds references/more.md, which was not extracted',
    ],
    ['has a file for a folder', { references: own('The API.') }, 'holds references, which is not a folder'],
    ['lacks a file', { 'data.bin': undefined }, 'lacks data.bin'],
    ['lacks a folder', { references: undefined }, 'lacks references'],
    [
      'has a link for a file',
      { 'references/api.md': { link: '/etc/passwd' } },
      'holds references/api.md, which is not a file',
    ],
    ['has a link for a folder', { references: { link: '/etc' } }, 'holds references, which is a link'],
    [
      'has a file that others may write',
      { 'references/api.md': { content: 'The API.', mode: 0o666 } },
      'holds references/api.md, which is open to other users (its mode is 666)',
    ],
    [
      'has a folder that others may write',
      { references: { dir: true, mode: 0o777 } },
      'holds references, which is open to other users (its mode is 777)',
    ],
    ['is open to others', { '': { dir: true, mode: 0o755 } }, 'is open to other users (its mode is 755)'],
  ] as const)('and %s is set aside, told of, and made anew', async (_, change, fault) => {
    const { root, extract, tree, told, names } = extracting()
    const name = await fingerprint()
    const folder = `${root}/${name}`
    const entries = {
      ...folderModes,
      ...Object.fromEntries(
        Object.entries(files).map(([path, content]) => [`cache/bundled/${name}/${path}`, own(content)]),
      ),
    }
    for (const inner of ['', '/references', '/scripts', '/scripts/deep'])
      Object.assign(entries, { [`cache/bundled/${name}${inner}`]: { dir: true, mode: 0o700 } })
    tree.write(entries)
    for (const [path, entry] of Object.entries(change)) {
      if (entry === undefined || !('dir' in entry)) tree.remove(`cache/bundled/${name}/${path}`)
      if (entry !== undefined)
        tree.write({ [path === '' ? `cache/bundled/${name}` : `cache/bundled/${name}/${path}`]: entry })
    }
    expect(await extract(files)).toBe(folder)
    expect(textsIn(folder)).toEqual(whole)
    expect(told).toMatchObject([
      {
        severity: 'warning',
        code: 'replaced-files',
        provider: 'bundled',
        message: expect.stringContaining(`${folder} ${fault}.`),
      },
    ])
    expect(names()).toEqual([name, expect.stringMatching(/^[\da-f]{64}\.[\da-f-]{36}\.replaced$/)])
  })

  it.runIf(isPosix)(
    'and is a link, a file or a folder of another user is set aside, and nothing is written through it',
    async () => {
      for (const put of [
        (path: string, elsewhere: string) => symlinkSync(elsewhere, path),
        (path: string) => writeFileSync(path, 'a file'),
        ...(isRoot ? [(path: string) => (mkdirSync(path, { mode: 0o700 }), chownSync(path, 65534, 65534))] : []),
      ]) {
        const { root, extract, tree, told } = extracting({ elsewhere: { dir: true, mode: 0o700 }, ...folderModes })
        put(`${root}/${await fingerprint()}`, `${tree.path}/elsewhere`)
        expect(textsIn(await extract(files))).toEqual(whole)
        expect([told.map(({ code }) => code), readdirSync(`${tree.path}/elsewhere`)]).toEqual([['replaced-files'], []])
      }
    },
  )

  it.each([
    ['before', undefined],
    // The name was free when the system looked, and is taken again when the failure is known.
    ['while this one failed to', Object.assign(new Error('ENOENT: no such file or directory'), { code: 'ENOENT' })],
  ])('and is wrong is not set aside any more if another process put a sound one there %s', async (_, failure) => {
    const [elsewhere, { extract, told, names, tree }] = [extracting(), extracting(folderModes)]
    const sound = await elsewhere.extract(files)
    const name = await fingerprint()
    tree.write({ [`cache/bundled/${name}/data.bin`]: 'Something else.' })
    beforeRenaming('.replaced', folder => {
      renameSync(folder, `${tree.path}/set-aside-by-another`)
      cpSync(sound, folder, { recursive: true })
      for (const path of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })])
        chmodSync(`${folder}/${path}`, lstatSync(`${folder}/${path}`).isDirectory() ? 0o700 : 0o600)
      if (failure !== undefined) throw failure
    })
    expect(textsIn(await extract(files))).toEqual(whole)
    expect([names(), told]).toEqual([[name], []])
  })

  it.runIf(isPosix)('lies behind a link, or where every user may put another one, is refused', async () => {
    const behind = extracting({
      elsewhere: { dir: true, mode: 0o700 },
      cache: { dir: true, mode: 0o700 },
      'cache/bundled': { link: '../elsewhere' },
    })
    await expect(behind.extract(files)).rejects.toThrow(refusal('is a link'))
    const open = extracting({ ...folderModes, cache: { dir: true, mode: 0o777 } })
    await expect(open.extract(files)).rejects.toThrow(refusal('any user'))
    expect(open.names()).toEqual([])
    const others = extracting({ cache: { dir: true, mode: 0o700 }, 'cache/bundled': { dir: true, mode: 0o1777 } })
    await expect(others.extract(files)).rejects.toThrow(refusal('is open to other users'))
  })

  it.runIf(isPosix)(
    'may lie where only the owner of an entry may rename it, as in a temporary folder that the host names',
    async () => {
      const { extract } = extracting({ ...folderModes, cache: { dir: true, mode: 0o1777 } })
      expect(textsIn(await extract(files))).toEqual(whole)
    },
  )
})
