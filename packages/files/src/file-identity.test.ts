import { statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { temporary } from '../test/text-tree.js'
import { identityOf, isSettled, isUnchanged } from './file-identity.js'

describe('a file', () => {
  it('is unchanged while every stamp is as it was', () => {
    const { path } = temporary({ file: 'text' })
    const stats = statSync(`${path}/file`)
    const file = identityOf(`${path}/file`, stats)
    const later = stats.ctimeMs + 60_000
    expect(file).toEqual({
      realPath: `${path}/file`,
      dev: stats.dev,
      ino: stats.ino,
      size: 4,
      mtimeMs: stats.mtimeMs,
      ctimeMs: stats.ctimeMs,
    })
    expect(isUnchanged(file, stats, later)).toBe(true)
    for (const key of ['dev', 'ino', 'size', 'mtimeMs', 'ctimeMs'] as const) {
      expect(isUnchanged({ ...file, [key]: file[key] + 1 }, stats, later), key).toBe(false)
    }
  })

  it('is not surely unchanged when it was written just before it was read', () => {
    const { path } = temporary({ file: 'text' })
    const stats = statSync(`${path}/file`)
    expect(isUnchanged(identityOf(`${path}/file`, stats), stats, stats.ctimeMs + 50)).toBe(false)
  })
})

describe('a time stamp', () => {
  it('is settled after 100 ms, and after 2 s where only seconds are kept', () => {
    expect(isSettled(5000.5, 5100)).toBe(false)
    expect(isSettled(5000.5, 5101)).toBe(true)
    expect(isSettled(5000, 7000)).toBe(false)
    expect(isSettled(5000, 7001)).toBe(true)
  })

  it('in the future is never settled', () => {
    expect(isSettled(9000.5, 5000)).toBe(false)
  })
})
