import { chmodSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isPosix, temporary } from '../test/opened.js'
import { makePrivateFolder, systemRefusal } from './index.js'

const owner = process.getuid?.()
const refusal = (text: string): unknown =>
  expect.objectContaining({ code: 'E_STATE', message: expect.stringContaining(text) })

describe.runIf(isPosix)('a private folder', () => {
  it('is made for the user alone, with those above it that are missing', () => {
    const { path } = temporary()
    makePrivateFolder(`${path}/a/b`, owner)
    expect(['a', 'a/b'].map(name => statSync(`${path}/${name}`).mode & 0o777)).toEqual([0o700, 0o700])
  })

  it('is refused when others may enter it, or when it is something else', () => {
    const { path } = temporary({ open: { dir: true, mode: 0o755 }, link: { link: 'open' }, file: 'text' })
    expect(() => makePrivateFolder(`${path}/open`, owner)).toThrow(refusal('its mode is 755'))
    expect(() => makePrivateFolder(`${path}/link`, owner)).toThrow(
      refusal('is a link, and private files are not kept in a linked folder'),
    )
    expect(() => makePrivateFolder(`${path}/file`, owner)).toThrow(refusal(`${path}/file is not a folder`))
    chmodSync(`${path}/open`, 0o700)
    expect(() => makePrivateFolder(`${path}/open`, owner)).not.toThrow()
  })
})

it('the refusal of a system is a sentence, and anything else that was thrown stays what it is', () => {
  expect(
    systemRefusal('The folder /x could not be made', Object.assign(new Error('full'), { code: 'ENOSPC' })),
  ).toEqual(refusal('The folder /x could not be made: the disk or your quota is full'))
  const other = new TypeError('a mistake')
  expect(systemRefusal('The folder /x could not be made', other)).toBe(other)
})
