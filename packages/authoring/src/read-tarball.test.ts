import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Header, type HeaderData } from 'tar/header'
import { Pax } from 'tar/pax'
import { readTarball, withoutFiles } from './read-tarball.js'

const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)])

/** Returns one entry as tar writes it. */
function entry(path: string, content: string | Buffer, { type = 'File', ...header }: HeaderData = {}): Buffer {
  const bytes = Buffer.from(content)
  const block = Buffer.alloc(512)
  new Header({ path, type, mode: 0o644, mtime: new Date(0), size: bytes.length, ...header }).encode(block, 0)
  return Buffer.concat([block, padded(bytes)])
}

const end = Buffer.alloc(1024)
const read = async (...parts: readonly Buffer[]) => {
  const files = await readTarball(gzipSync(Buffer.concat(parts)), '/x.tgz')
  return 'severity' in files ? files.message : files.map(({ path, bytes }) => [path, bytes.toString()])
}
const pax = (path: string): Buffer => new Pax({ path, mtime: new Date(1000) }).encode()

test('files have their paths, however long, and their bytes', async () => {
  expect(
    await read(
      entry('package/a.md', 'a'),
      entry(`package/${'deep/'.repeat(20)}b.md`, ''),
      pax(`package/${'é'.repeat(120)}`),
      entry('cut', 'c'.repeat(513)),
      entry('x', Buffer.from(`package/${'d'.repeat(120)}\0`), { type: 'NextFileHasLongPath' }),
      entry('cut', 'd'),
      entry('package/e', 'e'),
      end,
    ),
  ).toEqual([
    ['package/a.md', 'a'],
    [`package/${'deep/'.repeat(20)}b.md`, ''],
    [`package/${'é'.repeat(120)}`, 'c'.repeat(513)],
    [`package/${'d'.repeat(120)}`, 'd'],
    ['package/e', 'e'],
  ])
})

test('links, folders and records for the whole are left out', async () => {
  expect(
    await read(
      new Pax({ comment: 'no' }, true).encode(),
      entry('package/link', '', { type: 'SymbolicLink', linkpath: 'a' }),
      entry('package/dir', '', { type: 'Directory' }),
      entry('package/a', 'a'),
      end,
    ),
  ).toEqual([['package/a', 'a']])
})

test('what is damaged is no tarball', async () => {
  const whole = Buffer.concat([entry('package/a', 'a'.repeat(600)), end])
  expect(await read(whole.subarray(0, 700))).toContain('TAR_BAD_ARCHIVE')
  const other = Buffer.from(whole)
  other[0] = 0x71
  expect(await read(other)).toContain('TAR_ENTRY_INVALID')
  expect(await read(gzipSync(whole))).toContain('tar archive')
  expect(await readTarball(Buffer.from('no gzip'), '/x.tgz')).toMatchObject({
    severity: 'error',
    code: 'invalid-tarball',
    path: '/x.tgz',
  })
})

test('any bytes are a tarball or none, and never end in an error', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 2048 }), fc.nat(2560), async (bytes, at) => {
      const whole = Buffer.concat([entry('package/a', 'a'.repeat(600)), end])
      whole.set(bytes.subarray(0, Math.max(0, whole.length - at)), Math.min(at, whole.length))
      for (const data of [bytes, whole, whole.subarray(0, at)]) {
        const given = await readTarball(gzipSync(data), '/x.tgz')
        expect(Array.isArray(given) || 'severity' in given).toBe(true)
      }
    }),
  )
})

test('files are left out with their long names, and the rest stays as it is', async () => {
  const long = (name: string): string => `package/${name.repeat(120)}`
  const [first, last] = [entry('package/a', 'a'), entry('package/z', '')]
  const middle = (name: string): readonly Buffer[] => [pax(long(name)), entry('cut', name.repeat(600))]
  const whole = gzipSync(Buffer.concat([first, ...middle('d'), ...middle('k'), last, end]))
  const left = await withoutFiles(whole, '/x.tgz', path => path.includes('dd'))
  expect(await readTarball(left as Buffer, '/x.tgz')).toEqual(
    await readTarball(gzipSync(Buffer.concat([first, ...middle('k'), last, end])), '/x.tgz'),
  )
  expect(await withoutFiles(whole, '/x.tgz', () => false)).toBe(whole)
  expect(await withoutFiles(Buffer.from('x'), '/x.tgz', () => true)).toMatchObject({ code: 'invalid-tarball' })
})
