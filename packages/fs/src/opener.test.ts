import { closeSync, readdirSync, readlinkSync } from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { temporary } from '../test/text-tree.js'
import { Opener } from './opener.js'
import { probeSlowly } from './probe.js'
import { systemCode } from './problem.js'

/** Undefined for a descriptor that is gone by now, as that is by which the others were listed. */
function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
    return undefined
  }
}

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
