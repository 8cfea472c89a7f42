import { execFileSync } from 'node:child_process'
import { closeSync, ftruncateSync, openSync, readdirSync, readlinkSync } from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { temporary } from '../test/text-tree.js'
import { systemCode } from './problem.js'
import { Opener, probeSlowly, probeSync, type Head, type Probe } from './probe.js'

type Take = (head: Head) => boolean

// The two ways of reading, and a wrong guess in the first.
const ways: readonly (readonly [string, (path: string, maxBytes: number, take: Take) => Probe | Promise<Probe>])[] = [
  ['synchronously, a file being likely', (path, maxBytes, take) => probeSync(path, true, maxBytes, take, undefined)],
  ['synchronously, a file being unlikely', (path, maxBytes, take) => probeSync(path, false, maxBytes, take, undefined)],
  ['with callbacks', (path, maxBytes, take) => probeSlowly(path, maxBytes, take, undefined)],
  ['with callbacks, opened at once', (path, maxBytes, take) => probeSlowly(path, maxBytes, take, undefined, new Opener())],
]

/** Undefined for a descriptor that is gone by now, as that is by which the others were listed. */
function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
    return undefined
  }
}

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

  it.runIf(process.platform === 'linux')('leaves no file open, whatever comes of it (counted where /proc tells)', async () => {
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

describe('an opener', () => {
  it('leaves the next files to callbacks once opening one was slow, and then tries again', async () => {
    const { path } = temporary({ file: 'text' })
    const clock = vi.spyOn(performance, 'now')
    onTestFinished(() => clock.mockRestore())
    const opener = new Opener()
    const openTaking = (ms: number): void => {
      clock.mockReturnValueOnce(1000).mockReturnValueOnce(1000 + ms)
      closeSync(opener.open(`${path}/file`))
    }
    openTaking(0.1)
    expect(opener.takesNext()).toBe(true)
    openTaking(5)
    expect(Array.from({ length: 66 }, () => opener.takesNext()).lastIndexOf(false)).toBe(63)
    // Meanwhile files are read all the same.
    openTaking(5)
    const heads: string[] = []
    const probe = await probeSlowly(`${path}/file`, 1000, ({ bytes, length }) => heads.push(bytes.toString('utf8', 0, length)) === 0, undefined, opener)
    expect([probe, heads]).toEqual([{ found: 'file' }, ['text']])
  })

  it.runIf(process.platform === 'linux')('has a file that cannot be closed reported, as one that cannot be read is (where /proc tells)', async () => {
    const { path } = temporary({ file: 'text' })
    const probe = await probeSlowly(`${path}/file`, 1000, () => {
      const fd = readdirSync('/proc/self/fd').find(one => linkTarget(`/proc/self/fd/${one}`) === `${path}/file`)
      closeSync(Number(fd))
      return false
    }, undefined, new Opener())
    expect(probe).toMatchObject({ found: 'error', error: { code: 'EBADF', syscall: 'close' } })
  })

  it('counts a slow failure too, and passes it on', () => {
    const opener = new Opener()
    const clock = vi.spyOn(performance, 'now').mockReturnValueOnce(1000).mockReturnValueOnce(1005)
    onTestFinished(() => clock.mockRestore())
    expect(() => opener.open('/nowhere/at/all')).toThrow('ENOENT')
    expect(opener.takesNext()).toBe(false)
  })
})
