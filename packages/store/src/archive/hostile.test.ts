import { SkillsError } from '@skills/core'
import { execFileSync } from 'node:child_process'
import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { tempTree } from '@skills/testing'
import type { Store } from '../store.js'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { tarOf, tgzOf, zip64Of, zipOf, type TarPart } from '../../test/make-archive.js'
import { archiveErrorCodes, archiveStore, type ArchiveStoreOptions } from '../archive.js'

const root = 'archive:!'
const call = { signal: new AbortController().signal, maxBytes: 16 * 1024 * 1024 }
const over = (bytes: Uint8Array, options: Partial<ArchiveStoreOptions> = {}): Store =>
  archiveStore({ bytes, ...options })
const listed = async (store: Store, folder = root): Promise<unknown> => store.list(folder, call)
const text = async (store: Store, path: string): Promise<string | undefined> => {
  const found = await store.read(`${root}/${path}`, call)
  return found?.found === 'file' ? found.bytes.subarray(0, found.length).toString() : found?.found
}
const tar = (...parts: readonly (readonly [string, TarPart])[]): Buffer => tarOf(parts)
const sound: readonly [string, TarPart] = ['a/SKILL.md', { content: 'Sound.' }]

describe('an archive is refused as a whole', () => {
  const unsafe = ['../a', 'a/../../b', '/etc/passwd', 'C:/a', 'c:a', 'a\\..\\b', '..']
  it.each(unsafe)('with an entry %j, a zip', async name => {
    await expect(listed(over(zipOf({ [name]: 'x', 'a/SKILL.md': 'y' })))).rejects.toMatchObject({
      code: 'E_ARCHIVE_UNSAFE',
      message: expect.stringContaining(JSON.stringify(name)),
    })
  })
  it.each(unsafe)('with an entry %j, a tar', async name => {
    await expect(listed(over(tar([name, { content: 'x' }], sound)))).rejects.toMatchObject({ code: 'E_ARCHIVE_UNSAFE' })
  })
  it('with a NUL in a name', async () => {
    await expect(listed(over(zipOf({ 'a\0.md': 'x' })))).rejects.toMatchObject({ code: 'E_ARCHIVE_UNSAFE' })
  })
  it.each([
    ['twice', ['a/SKILL.md', 'a/SKILL.md']],
    ['twice, written otherwise', ['a/SKILL.md', './a//SKILL.md']],
    ['in two cases', ['a/SKILL.md', 'a/skill.md']],
    ['of two folders in two cases', ['Docs/a.md', 'docs/b.md']],
    ['composed and not', ['\u00e9.md', 'e\u0301.md']],
    ['as a file and as a folder', ['a', 'a/SKILL.md']],
    ['as a folder and as a file', ['a/SKILL.md', 'a']],
  ])('with a name %s', async (_how, names) => {
    await expect(
      listed(over(tar(...names.map((name): [string, TarPart] => [name, { content: name }])))),
    ).rejects.toMatchObject({ code: 'E_ARCHIVE_AMBIGUOUS' })
    const zipped = names.map((name, at) => `${at}${name}`)
    let bytes = zipOf(Object.fromEntries(zipped.map(name => [name, name])))
    // No library writes two entries with the same name, so `./` replaces the start of a name of the right length.
    bytes = Buffer.from(
      bytes
        .toString('latin1')
        .replaceAll(
          `0${Buffer.from(names[0] ?? '').toString('latin1')}`,
          `/${Buffer.from(names[0] ?? '').toString('latin1')}`,
        ),
      'latin1',
    )
    await expect(listed(over(bytes))).rejects.toMatchObject({ code: 'E_ARCHIVE_UNSAFE' })
  })
  it('with two entries of one name in the directory of a zip', async () => {
    const bytes = Buffer.from(
      zipOf({ 'one/SKILL.md': 'x', 'two/SKILL.md': 'y' }).toString('latin1').replaceAll('two/', 'one/'),
      'latin1',
    )
    await expect(listed(over(bytes))).rejects.toMatchObject({
      code: 'E_ARCHIVE_AMBIGUOUS',
      message: expect.stringContaining('"one/SKILL.md" twice'),
    })
  })
  it('with more entries than are allowed', async () => {
    const names = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at}/SKILL.md`, 'x']))
    await expect(listed(over(zipOf(names), { maxEntries: 20 }))).rejects.toMatchObject({
      code: 'E_ARCHIVE_LIMIT',
      message: expect.stringContaining('more than 20 entries'),
    })
    await expect(listed(over(tgzOf(names), { maxEntries: 20 }))).rejects.toMatchObject({ code: 'E_ARCHIVE_LIMIT' })
  })
  it('with a hard link to what is not in it', async () => {
    for (const linkpath of ['/etc/passwd', '../a', 'nowhere'])
      await expect(listed(over(tar(sound, ['b/SKILL.md', { type: 'Link', linkpath }])))).rejects.toMatchObject({
        code: 'E_ARCHIVE_UNSAFE',
      })
  })
  it('that is none', async () => {
    for (const bytes of [
      Buffer.of(),
      Buffer.from('text'),
      gzipSync('text'),
      gzipSync(gzipSync(Buffer.alloc(1_000_000))),
      gzipSync(tar(sound)).subarray(0, 60),
      Buffer.from('PK\x03\x04 and no more'),
    ])
      await expect(listed(over(bytes))).rejects.toMatchObject({ code: 'E_ARCHIVE_FORMAT' })
    const zip = zipOf({ 'a/SKILL.md': 'x'.repeat(1000) })
    await expect(listed(over(zip.subarray(0, zip.length - 30)))).rejects.toMatchObject({ code: 'E_ARCHIVE_FORMAT' })
    // Bytes before a zip shift everything that its directory points to.
    await expect(listed(over(Buffer.concat([Buffer.from('#!/bin/sh\n'), zip])))).rejects.toMatchObject({
      code: 'E_ARCHIVE_FORMAT',
    })
    await expect(listed(over(tar(sound).subarray(0, 515)))).rejects.toMatchObject({ code: 'E_ARCHIVE_FORMAT' })
    const wrong = tar(sound)
    wrong[0] = 66
    await expect(listed(over(wrong))).rejects.toMatchObject({
      code: 'E_ARCHIVE_FORMAT',
      message: expect.stringContaining('checksum'),
    })
  })
})

describe('an archive that costs more than it is large is refused by the name of the limit', () => {
  const refusal = async (bytes: Uint8Array): Promise<string> =>
    listed(over(bytes)).then(
      () => 'read',
      (error: unknown) => (SkillsError.is(error) ? `${error.code}: ${error.message}` : String(error)),
    )
  /** Makes a header of a header in the POSIX format, which names the entry that follows. */
  const named = (path: string): readonly (readonly [string, TarPart])[] => {
    const line = (length: number): string => `${length} path=${path}\n`
    const length = line(path.length + 10).length
    const content = line([length - 2, length - 1, length].find(one => line(one).length === one) ?? length)
    return [
      ['x', { type: 'ExtendedHeader', content }],
      ['f', { content: '' }],
    ]
  }
  it.each([
    ['folders within folders', `${'d/'.repeat(64)}f`, 'more than 64 parts'],
    ['a name of many parts that are none', `${'./'.repeat(2000)}f`, 'more than 64 parts'],
    ['a long name', 'n'.repeat(5000), 'more than 4096 bytes'],
    ['a long part of a name', 'n'.repeat(256), 'a part of more than 255 bytes'],
  ])('%s, in a tar and in a zip', async (_what, path, limit) => {
    expect(await refusal(gzipSync(tarOf([...named(path), sound])))).toContain(limit)
    expect(await refusal(zipOf({ [path]: 'x' }))).toContain(limit)
  })
  it('a large header', async () => {
    expect(await refusal(tarOf([...named('n'.repeat(70_000)), sound]))).toContain(' 65536 bytes')
  })
  it('headers that name nothing', async () => {
    const one = named('name')[0]
    expect(await refusal(tarOf([...Array.from({ length: 50_001 }, () => one ?? sound), sound]))).toContain(
      'more than 50000 entries',
    )
  })
  it('entries of no bytes', async () => {
    const names = Array.from({ length: 50_001 }, (_, at): readonly [string, TarPart] => [`f${at}`, {}])
    expect(await refusal(gzipSync(tarOf(names)))).toContain('more than 50000 entries')
  })
  it('a directory that says to unpack to more than is allowed', async () => {
    expect(await refusal(zipOf({ a: 'x', b: 'y' }, { a: 2 ** 28, b: 2 ** 28 }))).toContain(' 268435456 bytes')
  })
  it('bytes that several entries share', async () => {
    const bytes = zipOf({ 'a/SKILL.md': 'x'.repeat(100), 'b/SKILL.md': 'y'.repeat(100) })
    // The second entry of the directory points to the start of the first one.
    bytes.writeUInt32LE(0, bytes.lastIndexOf('b/SKILL.md') - 46 + 42)
    expect(await refusal(bytes)).toMatch(/^E_ARCHIVE_AMBIGUOUS: .*uses the same bytes for/)
  })
  it('and a link whose target no file system could hold leads nowhere', async () => {
    const store = over(tar(sound, ['l', { type: 'SymbolicLink', linkpath: `${'./'.repeat(45)}a` }]))
    expect(await store.stat(`${root}/l`, call)).toMatchObject({ kind: 'link' })
    const long = over(zipOf({ 'a/SKILL.md': 'x', l: { link: `${'./'.repeat(100)}a` } }))
    expect(await listed(long)).toMatchObject({ others: [{ name: 'l', what: 'a link with too long a target' }] })
  })
  it.each([
    ['a tar', () => tarOf(Array.from({ length: 20_000 }, (_, at): readonly [string, TarPart] => [`f${at}`, {}]))],
    ['a zip', () => zipOf(Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`f${at}`, ''])))],
  ])('and %s that is given up while it is read gives the rest of the process its turns', async (_what, make) => {
    const controller = new AbortController()
    const listing = Promise.resolve(over(make()).list(root, { signal: controller.signal }))
    setImmediate(() => controller.abort())
    await expect(listing).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('a bomb', () => {
  it('in a zip is inflated to the limit and no further, be its size true or not', async () => {
    const content = Buffer.alloc(64 * 1024 * 1024)
    const honest = over(zipOf({ 'a/SKILL.md': content }))
    expect(await honest.read(`${root}/a/SKILL.md`, { ...call, maxBytes: 1_000_000 })).toEqual({
      found: 'too-large',
      size: content.length,
    })
    await expect(honest.read(`${root}/a/SKILL.md`, { ...call, maxBytes: 100_000_000 })).rejects.toMatchObject({
      code: 'E_ARCHIVE_LIMIT',
      message: expect.stringContaining('more than 200 times its size'),
    })
    const lying = over(zipOf({ 'a/SKILL.md': content }, { 'a/SKILL.md': 100 }))
    await expect(lying.read(`${root}/a/SKILL.md`, call)).rejects.toMatchObject({ code: 'E_ARCHIVE_FORMAT' })
  })
  it('in a tar ends the reading at the limit', async () => {
    const bytes = gzipSync(
      Buffer.concat([
        tar(sound).subarray(0, 1024),
        ...Array.from({ length: 40 }, (_, at) =>
          tar([`${at}`, { content: Buffer.alloc(1024 * 1024) }]).subarray(0, -1024),
        ),
      ]),
    )
    await expect(listed(over(bytes))).rejects.toMatchObject({
      code: 'E_ARCHIVE_LIMIT',
      message: expect.stringContaining('more than 200 times'),
    })
    await expect(listed(over(bytes, { maxRatio: 1e9, maxBytes: 20_000_000 }))).rejects.toMatchObject({
      code: 'E_ARCHIVE_LIMIT',
      message: expect.stringContaining('more than 20000000 bytes'),
    })
  })
})

describe('what is read', () => {
  it('of a zip has the checksum and the name that the directory says', async () => {
    const zip = zipOf({ 'a/SKILL.md': 'Sound text.', 'b/SKILL.md': 'Other.' })
    zip.writeUInt32LE(1, zip.lastIndexOf('a/SKILL.md') - 46 + 16)
    await expect(text(over(zip), 'a/SKILL.md')).rejects.toMatchObject({
      code: 'E_ARCHIVE_FORMAT',
      message: expect.stringContaining('another checksum'),
    })
    const renamed = zipOf({ 'a/SKILL.md': 'Sound text.' })
    renamed.write('b', renamed.indexOf('a/SKILL.md'))
    await expect(text(over(renamed), 'a/SKILL.md')).rejects.toMatchObject({ code: 'E_ARCHIVE_AMBIGUOUS' })
  })
  it('of a zip with 64 bits and sizes behind the bytes is as of any other', async () => {
    expect(await text(over(await zip64Of({ 'a/SKILL.md': 'Text.' })), 'a/SKILL.md')).toBe('Text.')
  })
  it('is told of where it is encrypted, packed otherwise or a device', async () => {
    const encrypted = zipOf({ 'a/SKILL.md': 'Secret.', 'b/SKILL.md': 'Open.' })
    encrypted.writeUInt16LE(1, encrypted.lastIndexOf('a/SKILL.md') - 46 + 8)
    const store = over(encrypted)
    expect(await store.read(`${root}/a/SKILL.md`, call)).toEqual({ found: 'other', what: 'an encrypted file' })
    expect(await text(store, 'b/SKILL.md')).toBe('Open.')
    const devices = over(
      tar(
        ['a/SKILL.md', { type: 'FIFO' }],
        ['b/SKILL.md', { type: 'CharacterDevice', devmaj: 1, devmin: 3 }],
        sound.with(0, 'c/SKILL.md') as [string, TarPart],
      ),
    )
    expect(await listed(devices, `${root}/a`)).toMatchObject({
      files: [],
      others: [{ name: 'SKILL.md', what: 'a device or a pipe' }],
    })
    expect(await listed(devices, `${root}/b`)).toMatchObject({ files: [], others: [{ name: 'SKILL.md' }] })
  })
  it('of a hard link is the file that it is a second name of', async () => {
    const store = over(tar(sound, ['b/SKILL.md', { type: 'Link', linkpath: 'a/SKILL.md' }]))
    expect(await text(store, 'b/SKILL.md')).toBe('Sound.')
  })
  it('of a large file in a tar is looked up again', async () => {
    const large = Array.from({ length: 60_000 }, (_, at) => `Line ${at}.\n`).join('')
    for (const bytes of [
      tar(sound, ['b/big.md', { content: large }], ['c/end.md', { content: 'End.' }]),
      tgzOf({ 'a/SKILL.md': 'Sound.', 'b/big.md': large }),
    ])
      expect(await text(over(bytes), 'b/big.md')).toBe(large)
  })
  it('may be followed by zeros in a gzip, and by nothing else', async () => {
    const packed = tgzOf({ 'a/SKILL.md': 'Sound.' })
    expect(await text(over(Buffer.concat([packed, Buffer.alloc(1000)])), 'a/SKILL.md')).toBe('Sound.')
    await expect(listed(over(Buffer.concat([packed, Buffer.from('garbage')])))).rejects.toMatchObject({
      code: 'E_ARCHIVE_FORMAT',
    })
  })
  it('of a file that was written meanwhile is refused', async () => {
    const tree = tempTree()
    onTestFinished(() => tree.dispose())
    const path = `${tree.path}/skills.zip`
    writeFileSync(path, zipOf({ 'a/SKILL.md': 'First.' }))
    const store = archiveStore({ path })
    await store.list(`${path}!`, call)
    appendFileSync(path, 'x')
    await expect(store.read(`${path}!/a/SKILL.md`, call)).rejects.toMatchObject({ code: 'E_ARCHIVE_CHANGED' })
    writeFileSync(path, zipOf({ 'a/SKILL.md': 'Second.' }))
    await store.changes?.(undefined, call)
    rmSync(path)
    execFileSync('mkfifo', [path])
    await expect(store.read(`${path}!/a/SKILL.md`, call)).rejects.toMatchObject({ code: 'E_ARCHIVE_CHANGED' })
    await expect(archiveStore({ path }).list(`${path}!`, call)).rejects.toMatchObject({
      code: 'E_ARCHIVE_FORMAT',
      message: expect.stringContaining('is not a file'),
    })
  })
})

test('a folder that wraps everything is left out where that is asked for, and only such', async () => {
  const wrapped = { 'package/a/SKILL.md': 'A.', 'package/b/SKILL.md': { link: '../a/SKILL.md' } }
  expect(await text(over(tgzOf(wrapped), { strip: true }), 'a/SKILL.md')).toBe('A.')
  expect(await over(zipOf(wrapped), { strip: true }).realPath?.(`${root}/b/SKILL.md`, call)).toBe(`${root}/a/SKILL.md`)
  expect(await text(over(tgzOf({ ...wrapped, 'README.md': 'R.' }), { strip: true }), 'package/a/SKILL.md')).toBe('A.')
})

test('an archive that is not there has nothing in it', async () => {
  const tree = tempTree()
  onTestFinished(() => tree.dispose())
  const path = `${tree.path}/skills.zip`
  const store = archiveStore({ path })
  expect(await store.list(`${path}!`, call)).toBeUndefined()
  expect(await store.stat(`${path}!`, call)).toBeUndefined()
})

test('options are one of two places, and limits above zero', () => {
  for (const options of [
    {},
    { path: '/a', bytes: Buffer.of() },
    { path: '/a', maxRatio: 0 },
    { path: '/a', maxEntries: Number.NaN },
  ])
    expect(() => archiveStore(options)).toThrow(expect.objectContaining({ code: 'E_INVALID_OPTION' }))
})

test('with any byte changed, an archive is read or refused by a code, and no byte comes from elsewhere', async () => {
  const texts = { 'a/SKILL.md': 'The first text.', 'b/SKILL.md': 'The second text.' }
  for (const sample of [
    zipOf(texts),
    tar(...Object.entries(texts).map(([name, content]): [string, TarPart] => [name, { content }])),
    tgzOf(texts),
  ]) {
    await fc.assert(
      fc.asyncProperty(fc.nat(sample.length - 1), fc.nat(255), async (at, byte) => {
        const bytes = Buffer.from(sample)
        bytes[at] = byte
        const store = over(bytes, { maxBytes: 1_000_000 })
        const ended = await Promise.allSettled([listed(store), ...Object.keys(texts).map(path => text(store, path))])
        const odd = ended.filter(
          one =>
            one.status === 'rejected' &&
            !(SkillsError.is(one.reason) && Object.hasOwn(archiveErrorCodes, one.reason.code)),
        )
        expect(odd).toEqual([])
      }),
      { numRuns: 300 },
    )
  }
})
