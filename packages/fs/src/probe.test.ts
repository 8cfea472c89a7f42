import { execFileSync } from 'node:child_process'
import { closeSync, ftruncateSync, openSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { temporary } from '../test/text-tree.js'
import { Opener } from './opener.js'
import { probeSlowly, probeSync, type Head, type Probe } from './probe.js'

type Take = (head: Head) => boolean

// The two ways of reading, and a wrong guess in the first.
const ways: readonly (readonly [string, (path: string, maxBytes: number, take: Take) => Probe | Promise<Probe>])[] = [
  ['synchronously, a file being likely', (path, maxBytes, take) => probeSync(path, true, maxBytes, take, undefined)],
  ['synchronously, a file being unlikely', (path, maxBytes, take) => probeSync(path, false, maxBytes, take, undefined)],
  ['with callbacks', (path, maxBytes, take) => probeSlowly(path, maxBytes, take, undefined)],
  ['with callbacks, opened at once', (path, maxBytes, take) => probeSlowly(path, maxBytes, take, undefined, new Opener())],
]

function openFiles(): number {
  return readdirSync('/proc/self/fd').length
}

function forbidden(): never {
  throw new Error('The file was read.')
}

describe.each(ways)('reading %s', (_way, look) => {
  /** The heads that were given, as text, with whether each was the whole file. */
  const headsOf = async (path: string, wanted: (head: Head) => boolean): Promise<{ readonly probe: Probe; readonly heads: [string, boolean][] }> => {
    const heads: [string, boolean][] = []
    const result = await look(path, 1024 * 1024, head => {
      heads.push([head.bytes.toString('utf8', 0, head.length), head.isWhole])
      return wanted(head)
    })
    return { probe: result, heads }
  }

  it('gives a short file whole', async () => {
    const { path } = temporary({ file: 'short' })
    expect(await headsOf(`${path}/file`, () => false)).toEqual({ probe: { found: 'file' }, heads: [['short', true]] })
  })

  it('gives an empty file', async () => {
    const { path } = temporary({ file: '' })
    expect((await headsOf(`${path}/file`, () => false)).heads).toEqual([['', true]])
  })

  it('gives the first 4 KiB of a longer one, and no more unless asked', async () => {
    const text = 'x'.repeat(4096) + 'y'
    const { path } = temporary({ file: text, exact: 'x'.repeat(4096) })
    expect((await headsOf(`${path}/file`, () => false)).heads).toEqual([['x'.repeat(4096), false]])
    expect((await headsOf(`${path}/file`, head => !head.isWhole)).heads).toEqual([['x'.repeat(4096), false], [text, true]])
    expect((await headsOf(`${path}/exact`, () => false)).heads).toEqual([['x'.repeat(4096), true]])
  })

  it('gives every byte of a long file, in growing steps', async () => {
    const text = Array.from({ length: 40_000 }, (_, at) => `${at}\n`).join('')
    const { path } = temporary({ file: text })
    const { heads } = await headsOf(`${path}/file`, head => !head.isWhole)
    expect(heads.at(-1)).toEqual([text, true])
    expect(heads.length).toBeLessThan(5)
    for (const [head] of heads) expect(text.startsWith(head)).toBe(true)
  })

  it('ends when more is wanted than there is', async () => {
    const { path } = temporary({ file: 'short' })
    const { heads, probe } = await headsOf(`${path}/file`, () => true)
    expect(probe).toEqual({ found: 'file' })
    expect(heads.at(-1)).toEqual(['short', true])
  })

  it('gives the stamps of the file that it opened', async () => {
    const { path } = temporary({ file: 'short' })
    let size = 0
    await look(`${path}/file`, 100, ({ stats }) => {
      size = stats.size
      return false
    })
    expect(size).toBe(5)
  })

  it('refuses a file that is too large without reading it', async () => {
    const { path } = temporary({ file: '' })
    const fd = openSync(`${path}/file`, 'w')
    ftruncateSync(fd, 10 * 1024 * 1024)
    closeSync(fd)
    expect(await look(`${path}/file`, 1024 * 1024, forbidden)).toEqual({ found: 'too-large', size: 10 * 1024 * 1024 })
  })

  it('takes a file of exactly the largest size', async () => {
    const { path } = temporary({ file: '12345' })
    expect(await look(`${path}/file`, 5, () => false)).toEqual({ found: 'file' })
    expect(await look(`${path}/file`, 4, forbidden)).toEqual({ found: 'too-large', size: 5 })
  })

  it('tells nothing, a link and what else there may be from a file', async () => {
    const { path } = temporary({
      file: '', link: { link: 'file' }, dangling: { link: 'nowhere' }, loop: { link: 'loop' }, folder: { dir: true },
    })
    execFileSync('mkfifo', [`${path}/pipe`])
    const kinds = [
      'nowhere', 'file/below', 'link', 'dangling', 'loop', 'folder', 'pipe',
    ].map(name => look(`${path}/${name}`, 100, forbidden))
    expect(await Promise.all(kinds)).toEqual([
      { found: 'nothing' }, { found: 'nothing' }, { found: 'link' }, { found: 'link' }, { found: 'link' },
      { found: 'other', kind: 'a folder' }, { found: 'other', kind: 'a named pipe' },
    ])
  })

  it('hands on what failed, and what its caller threw', async () => {
    const { path } = temporary({ file: 'text' })
    expect(await look(`${path}/${'x'.repeat(300)}`, 100, forbidden)).toMatchObject({ found: 'error', error: { code: 'ENAMETOOLONG' } })
    expect(await look(`${path}/file`, 100, forbidden)).toMatchObject({ found: 'error', error: { message: 'The file was read.' } })
  })

  it.runIf(process.platform === 'linux')('leaves no file open, what comes of it (counted where /proc tells)', async () => {
    const { path } = temporary({ file: 'text', long: 'x'.repeat(9000), link: { link: 'file' }, folder: { dir: true } })
    await look(`${path}/file`, 100, () => false)
    const before = openFiles()
    for (const name of ['file', 'long', 'link', 'folder', 'nowhere']) {
      await look(`${path}/${name}`, 10_000, () => false)
      await look(`${path}/${name}`, 10_000, head => !head.isWhole)
      await look(`${path}/${name}`, 10, forbidden)
    }
    expect(openFiles()).toBe(before)
  })
})
