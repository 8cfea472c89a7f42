import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTarball, withoutFiles } from './read-tarball.js'

const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)])

/** One entry as tar writes it. */
function entry(name: string, content: string | Buffer, { type = '0', prefix = '' } = {}): Buffer {
  const bytes = Buffer.from(content)
  const header = Buffer.alloc(512)
  header.write(name, 0)
  header.write('0000644\0', 100)
  header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write('        ', 148)
  header.write(type, 156)
  header.write('ustar\x0000', 257)
  header.write(prefix, 345)
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  )
  return Buffer.concat([header, padded(bytes)])
}

const end = Buffer.alloc(1024)
const read = async (...parts: readonly Buffer[]) => {
  const files = await readTarball(gzipSync(Buffer.concat(parts)), '/x.tgz')
  return 'severity' in files ? files.message : files.map(({ path, bytes }) => [path, bytes.toString()])
}
const pax = (path: string): Buffer => {
  const tail = ` path=${path}\n`
  let length = Buffer.byteLength(tail) + 1
  while (Buffer.byteLength(`${length}${tail}`) !== length) length++
  return Buffer.from(`11 mtime=1\n${length}${tail}`)
}

test('files have their paths, however long, and their bytes', async () => {
  expect(
    await read(
      entry('package/a.md', 'a'),
      entry('b.md', '', { prefix: 'package/deep' }),
      entry('x', pax(`package/${'é'.repeat(120)}`), { type: 'x' }),
      entry('cut', 'c'.repeat(513)),
      entry('x', Buffer.from(`package/${'d'.repeat(120)}\0`), { type: 'L' }),
      entry('cut', 'd'),
      entry('package/e', 'e'),
      end,
    ),
  ).toEqual([
    ['package/a.md', 'a'],
    ['package/deep/b.md', ''],
    [`package/${'é'.repeat(120)}`, 'c'.repeat(513)],
    [`package/${'d'.repeat(120)}`, 'd'],
    ['package/e', 'e'],
  ])
})

test('links, folders and records for the whole are left out', async () => {
  expect(
    await read(
      entry('g', pax('package/no'), { type: 'g' }),
      entry('package/link', '', { type: '2' }),
      entry('package/dir', '', { type: '5' }),
      entry('package/a', 'a'),
      end,
    ),
  ).toEqual([['package/a', 'a']])
})

test('what is damaged is no tarball', async () => {
  const whole = Buffer.concat([entry('package/a', 'a'.repeat(600)), end])
  expect(await read(whole.subarray(0, 700))).toContain('it ends in the middle of a file')
  expect(await read(whole.subarray(0, 1536))).toContain('it has no end')
  const other = Buffer.from(whole)
  other[0] = 0x71
  expect(await read(other)).toContain('a header in it is damaged')
  expect(await readTarball(Buffer.from('no gzip'), '/x.tgz')).toMatchObject({
    severity: 'error',
    code: 'invalid-tarball',
    path: '/x.tgz',
  })
})

test('any bytes are a tarball or none, and never end in an error', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 2048 }), async bytes => {
      const given = await readTarball(gzipSync(bytes), '/x.tgz')
      expect(Array.isArray(given) || 'severity' in given).toBe(true)
    }),
  )
})

test('files are left out with their long names, and the rest stays byte for byte', async () => {
  const long = (name: string): Buffer => entry('x', pax(`package/${name.repeat(120)}`), { type: 'x' })
  const kept = [entry('package/a', 'a'), long('k'), entry('cut', 'k'), entry('package/z', '')]
  const whole = gzipSync(
    Buffer.concat([...kept.slice(0, 1), long('d'), entry('cut', 'd'.repeat(600)), ...kept.slice(1), end]),
  )
  const left = await withoutFiles(whole, '/x.tgz', path => path.includes('dd'))
  expect(Buffer.isBuffer(left) && gunzipSync(left).equals(Buffer.concat([...kept, end]))).toBe(true)
  expect(await withoutFiles(whole, '/x.tgz', () => false)).toBe(whole)
  expect(await withoutFiles(Buffer.from('x'), '/x.tgz', () => true)).toMatchObject({ code: 'invalid-tarball' })
})
