import { execFileSync } from 'node:child_process'
import fs, { appendFileSync, renameSync, symlinkSync, truncateSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporary } from '../test/text-tree.js'
import { withoutRoot } from '@skills/testing'
import { LocalStore } from './local-store.js'
import { readWholeFile, readWholeFileSync, type ReadFileOptions, type WholeFile } from './read-file.js'

/** Functions of a call, for a file that is read at once and for one that is read with callbacks. */
const functionsOf = { open: ['openSync', 'open'], fstat: ['fstatSync'], read: ['readSync', 'read'] } as const

/** Runs `happen` once: before a file is opened, after its size was read, or after its first read. */
function interrupt(call: keyof typeof functionsOf, happen: () => void): void {
  const originals: Readonly<Record<string, (...given: unknown[]) => unknown>> = Object.fromEntries(
    functionsOf[call].map(name => [name, fs[name] as (...given: unknown[]) => unknown]),
  )
  let hasHappened = false
  const restore = (): void => {
    Object.assign(fs, originals)
    syncBuiltinESMExports()
    hasHappened = true
  }
  onTestFinished(() => {
    // Otherwise the file was read in a way that this function does not know.
    expect(hasHappened).toBe(true)
    restore()
  })
  for (const [name, original] of Object.entries(originals))
    Object.assign(fs, {
      [name](...given: unknown[]) {
        restore()
        if (call === 'open') happen()
        const last = given.at(-1)
        if (typeof last === 'function' && call !== 'open')
          return original(...given.slice(0, -1), (...answer: unknown[]) => {
            happen()
            Reflect.apply(last, undefined, answer)
          })
        const result = original(...given)
        if (call !== 'open') happen()
        return result
      },
    })
  syncBuiltinESMExports()
}

/** Both ways in which the disk is read. By itself it chooses one by the time that its last reads took. */
const ways = [
  ['at once', () => new LocalStore()],
  ['with callbacks', () => new LocalStore({ reads: 'callbacks' })],
] as const

/**
 * Returns a file with its text, which is compared in a fraction of the time that its bytes take. The time of its last
 * read may differ.
 */
function inShort(file: WholeFile): unknown {
  return file !== undefined && 'bytes' in file ? { ...file, bytes: file.bytes.toString('latin1') } : file
}

/** Returns the text of a file, the code of its problem, or undefined. */
async function read(path: string, options?: ReadFileOptions): Promise<string | undefined> {
  const file = await readWholeFile(path, options)
  // Reading at once and with callbacks must give the same. A signal does not affect reading at once.
  expect(inShort(readWholeFileSync(path, options))).toEqual(inShort(file))
  if (file === undefined) return undefined
  return 'problem' in file ? `problem ${file.problem.code}` : file.bytes.toString()
}

describe('reading a whole file', () => {
  it('gives all of its bytes and which file it is', async () => {
    const text = 'line\n'.repeat(50_000)
    const { path } = temporary({ file: text })
    const file = await readWholeFile(`${path}/file`)
    expect(file).toMatchObject({ identity: { realPath: `${path}/file`, size: text.length } })
    expect(await read(`${path}/file`)).toBe(text)
  })

  it('keeps them while other files are read afterwards or beside it', async () => {
    const names = Array.from({ length: 40 }, (_, at) => `file-${at}`)
    const { path } = temporary(Object.fromEntries(names.map(name => [name, name])))
    const texts = (files: readonly WholeFile[]): readonly unknown[] =>
      files.map(file => file !== undefined && 'bytes' in file && file.bytes.toString())
    const once = await readWholeFile(`${path}/file-0`)
    const besides = await Promise.all(names.map(name => readWholeFile(`${path}/${name}`)))
    const again = await Promise.all(names.toReversed().map(name => readWholeFile(`${path}/${name}`)))
    expect(texts([once, ...besides, ...again])).toEqual(['file-0', ...names, ...names.toReversed()])
  })

  it('gives undefined when nothing is there', async () => {
    const { path } = temporary({ file: '' })
    expect(await readWholeFile(`${path}/nowhere`)).toBeUndefined()
    expect(await readWholeFile(`${path}/file/below`)).toBeUndefined()
    expect(await readWholeFile(`${path}/nowhere`, { within: [`${path}/elsewhere`] })).toBeUndefined()
  })

  it('follows a link and says where it really lies', async () => {
    const { path } = temporary({ file: 'text', one: { link: 'file' }, two: { link: 'one' } })
    expect(await readWholeFile(`${path}/two`)).toMatchObject({ identity: { realPath: `${path}/file` } })
    expect(await read(`${path}/two`)).toBe('text')
  })

  it('gives a problem for a link to nothing, to itself and to a folder', async () => {
    const { path } = temporary({
      dangling: { link: 'nowhere' },
      loop: { link: 'loop' },
      folder: { dir: true },
      link: { link: 'folder' },
    })
    expect(await read(`${path}/dangling`)).toBe('problem dangling-link')
    expect(await read(`${path}/dangling`, { within: [path] })).toBe('problem dangling-link')
    expect(await read(`${path}/loop`)).toBe('problem unreadable')
    expect(await read(`${path}/loop`, { within: [path] })).toBe('problem unreadable')
    expect(await read(`${path}/link`)).toBe('problem not-a-file')
    expect(await read(`${path}/folder`)).toBe('problem not-a-file')
  })

  it('does not wait for a named pipe', async () => {
    const { path } = temporary()
    execFileSync('mkfifo', [`${path}/pipe`])
    expect(await readWholeFile(`${path}/pipe`)).toMatchObject({
      problem: {
        code: 'not-a-file',
        message: `${path}/pipe is a named pipe, not a file.`,
        hint: 'Put a regular file in its place, or remove it.',
      },
    })
    expect(await read(`${path}/pipe`, { within: [path] })).toBe('problem not-a-file')
  })

  it('opens no device', async () => {
    const { path } = temporary({ zero: { link: '/dev/zero' } })
    expect(await readWholeFile(`${path}/zero`)).toMatchObject({
      problem: { code: 'not-a-file', message: expect.stringMatching(/\/zero is a device,/) },
    })
    expect(await read(`${path}/zero`)).toBe('problem not-a-file')
    expect(await read(`${path}/zero`, { within: [path] })).toBe('problem link-escapes')
  })

  it('refuses what is too large, by default more than 1 MiB', async () => {
    const { path } = temporary({ file: '', most: '' })
    truncateSync(`${path}/file`, 1024 * 1024 + 1)
    truncateSync(`${path}/most`, 1024 * 1024)
    expect(await read(`${path}/file`)).toBe('problem file-too-large')
    expect(await read(`${path}/most`)).toHaveLength(1024 * 1024)
    expect(await read(`${path}/file`, { within: [path], maxBytes: 10 })).toBe('problem file-too-large')
    expect(await read(`${path}/file`, { maxBytes: 2 * 1024 * 1024 })).toHaveLength(1024 * 1024 + 1)
    expect(await read(`${path}/most`, { maxBytes: 10 })).toBe('problem file-too-large')
  })

  it('reads nothing that really lies outside: a linked file, or any file in a linked folder', async () => {
    const { path } = temporary({
      'private/file': 'secret',
      'project/file': 'text',
      'project/link': { link: '../private/file' },
      'project/folder': { link: '../private' },
      'project/inner': { link: '.' },
    })
    const within = [`${path}/project`]
    expect(await read(`${path}/project/file`, { within })).toBe('text')
    expect(await read(`${path}/project/inner/inner/file`, { within })).toBe('text')
    expect(await read(`${path}/project/link`, { within })).toBe('problem link-escapes')
    expect(await read(`${path}/project/folder/file`, { within })).toBe('problem link-escapes')
    expect(await read(`${path}/project/../private/file`, { within })).toBe('problem link-escapes')
    expect(await read(`${path}/project/folder/file`, { within: [...within, `${path}/private`] })).toBe('secret')
  })

  describe.each(ways)('%s', (_way, storeOf) => {
    it.each(['file', 'folder'])(
      'reads nothing that lies outside by the time it is opened, when the %s on the way is swapped for a link',
      async swapped => {
        const { path } = temporary({ 'private/file': 'secret', 'project/folder/file': 'text' })
        interrupt('open', () => {
          const place = swapped === 'folder' ? `${path}/project/folder` : `${path}/project/folder/file`
          renameSync(place, `${place}.old`)
          symlinkSync(`${path}/private${swapped === 'folder' ? '' : '/file'}`, place)
        })
        const within = [`${path}/project`]
        expect(await readWholeFile(`${path}/project/folder/file`, { within, store: storeOf() })).toMatchObject({
          problem: { code: 'link-escapes' },
        })
      },
    )

    it('reads what replaced a file meanwhile, where it belongs there', async () => {
      const { path } = temporary({ 'project/file': 'old', 'project/new': 'new' })
      interrupt('open', () => renameSync(`${path}/project/new`, `${path}/project/file`))
      const file = await readWholeFile(`${path}/project/file`, { within: [`${path}/project`], store: storeOf() })
      expect(inShort(file)).toMatchObject({ bytes: 'new' })
    })

    it('goes on with a file that is replaced while it is read', async () => {
      const { path } = temporary({ 'project/file': 'old\n'.repeat(2000), 'project/new': 'new' })
      interrupt('read', () => renameSync(`${path}/project/new`, `${path}/project/file`))
      const file = await readWholeFile(`${path}/project/file`, { within: [`${path}/project`], store: storeOf() })
      expect(inShort(file)).toMatchObject({ bytes: 'old\n'.repeat(2000) })
    })

    it('refuses what grows beyond the limit while it is read', async () => {
      const { path } = temporary({ file: 'x'.repeat(5000) })
      interrupt('fstat', () => appendFileSync(`${path}/file`, 'x'.repeat(5000)))
      expect(await readWholeFile(`${path}/file`, { maxBytes: 6000, store: storeOf() })).toMatchObject({
        problem: { code: 'file-too-large', hint: 'Make the file smaller.' },
      })
    })
  })

  it('says what it may not read', async () => {
    const { path } = temporary({
      file: { content: 'secret', mode: 0 },
      'folder/file': 'secret',
      folder: { dir: true, mode: 0 },
    })
    expect(await withoutRoot(() => read(`${path}/file`))).toBe('problem unreadable')
    expect(await withoutRoot(() => read(`${path}/folder/file`))).toBe('problem unreadable')
    expect(await withoutRoot(() => read(`${path}/folder/file`, { within: [path] }))).toBe('problem unreadable')
  })

  it('rejects with an AbortError when aborted before, and while it reads', async () => {
    const { path } = temporary({ file: 'text' })
    await expect(readWholeFile(`${path}/file`, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    })
    const controller = new AbortController()
    const reading = readWholeFile(`${path}/file`, { signal: controller.signal })
    controller.abort('enough')
    await expect(reading).rejects.toMatchObject({ name: 'AbortError', cause: 'enough' })
  })
})
