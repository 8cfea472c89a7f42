import { lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bundledSource } from './index.js'
import { engineOf, extracting, isPosix, modesOf, never, temporary } from '../test/bundled.js'
import { countOpened, files, fingerprint, refusal, textsIn, whole } from '../test/extracted.js'

describe('the files of a skill', () => {
  it('are extracted when it is first invoked and not before, into a folder named by their fingerprint', async () => {
    const { root, clock, tree } = extracting()
    const engine = engineOf([{ name: 'carrier', body: 'Carry.', files }], { cacheDir: root, clock })
    const command = await engine.command('carrier')
    expect([command.baseDir, readdirSync(tree.path)]).toEqual([undefined, []])
    await command.load('', { signal: never })
    expect(command.baseDir).toBe(`${root}/${await fingerprint()}`)
    expect(textsIn(command.baseDir ?? '')).toEqual(whole)
  })

  it.runIf(isPosix)('are for the user alone, folders too, regardless of the umask', async () => {
    const { extract, tree } = extracting()
    const before = process.umask(0)
    try {
      const folder = await extract(files)
      expect(modesOf(folder)).toEqual({
        '': '700',
        'data.bin': '600',
        references: '700',
        'references/api.md': '600',
        scripts: '700',
        'scripts/deep': '700',
        'scripts/deep/run.sh': '600',
      })
      expect(
        [`${tree.path}/cache`, `${tree.path}/cache/bundled`].map(path => (lstatSync(path).mode & 0o777).toString(8)),
      ).toEqual(['700', '700'])
    } finally {
      process.umask(before)
    }
  })

  it('lie in the cache folder of the user, wherever the temporary folder is', async () => {
    const { path } = temporary()
    const engine = engineOf([{ name: 'carrier', body: 'Carry.', files }], {
      home: path,
      platform: 'linux',
      env: { TMPDIR: `${path}/nowhere` },
    })
    await engine.load('carrier')
    expect((await engine.command('carrier')).baseDir).toBe(`${path}/.cache/skills/bundled/${await fingerprint()}`)
  })

  it('are an error that says so where there is no home folder', async () => {
    await expect(engineOf([{ name: 'carrier', body: 'Carry.', files }], { home: '' }).load('carrier')).rejects.toThrow(
      refusal('There is no home folder'),
    )
  })

  it('may be a folder, which is copied; a link in it is refused', async () => {
    const { extract, tree } = extracting({ 'own/references/api.md': 'The API.', 'own/data.txt': 'Data.' })
    const folder = await extract(`${tree.path}/own`)
    expect(readFileSync(`${folder}/references/api.md`, 'utf8')).toBe('The API.')
    expect(folder).toContain(await fingerprint({ 'references/api.md': 'The API.', 'data.txt': 'Data.' }))
    if (!isPosix) return
    tree.write({ 'own/secret': { link: '/etc/passwd' } })
    await expect(extract(`${tree.path}/own`)).rejects.toThrow(
      expect.objectContaining({ code: 'E_FILE_CHANGED', message: expect.stringContaining('own/secret ') as string }),
    )
    await expect(extract(`${tree.path}/missing`)).rejects.toThrow(expect.objectContaining({ code: 'E_FILE_CHANGED' }))
  })

  it('are told to getPrompt, which has them before it is asked', async () => {
    const { root } = extracting()
    let found: unknown
    const engine = engineOf(
      [{ name: 'carrier', files, getPrompt: (_args, { baseDir }) => ((found = textsIn(baseDir ?? '')), []) }],
      { cacheDir: root },
    )
    expect(await engine.load('carrier')).toEqual({ blocks: [] })
    expect(found).toEqual(whole)
  })

  it('are extracted once when many ask at a time, in several engines', async () => {
    const { root, extract, names } = extracting()
    const opened = countOpened(root)
    const folders = await Promise.all(Array.from({ length: 20 }, () => extract(files)))
    expect(new Set(folders)).toEqual(new Set([`${root}/${await fingerprint()}`]))
    expect(names()).toEqual([await fingerprint()])
    await extract(files)
    // Each file is written once, and none is read again.
    expect(opened()).toBe(3)
  })

  it('of an invocation that is given up are extracted for the others all the same', async () => {
    const { root } = extracting()
    const engine = engineOf([{ name: 'carrier', body: 'Carry.', files }], { cacheDir: root })
    const command = await engine.command('carrier')
    const controller = new AbortController()
    const [given, kept] = [
      Promise.resolve(command.load('', { signal: controller.signal })),
      Promise.resolve(command.load('', { signal: never })),
    ]
    controller.abort()
    await expect(given).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
    expect(await kept).toEqual({ template: 'Carry.' })
    expect(textsIn(command.baseDir ?? '')).toEqual(whole)
  })

  it('are extracted anew when they were removed while the program runs', async () => {
    const { extract } = extracting()
    const folder = await extract(files)
    rmSync(folder, { recursive: true })
    expect(textsIn(await extract(files))).toEqual(whole)
  })

  it('are extracted anew after it has failed', async () => {
    const { extract, tree } = extracting({ 'cache/bundled': 'a file' })
    await expect(extract(files)).rejects.toThrow(refusal('is not a folder'))
    tree.remove('cache')
    expect(textsIn(await extract(files))).toEqual(whole)
  })
})

it('a source without files extracts nothing and asks for no folder', async () => {
  expect(() => bundledSource({ skills: [] })).not.toThrow()
  expect(await engineOf([{ name: 'plain', body: 'Plain.' }], { home: '' }).load('plain')).toEqual({
    template: 'Plain.',
  })
})
