import { execFileSync } from 'node:child_process'
import fs, { chmodSync, chownSync, existsSync, lstatSync, readFileSync, statSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { fakeHost } from '@skills/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isPosix, isRoot, opened, own, temporary, textOf } from '../test/opened.js'
import { openState } from './index.js'

const refusal = (text: string): unknown =>
  expect.objectContaining({ code: 'E_STATE', message: expect.stringContaining(text) })

describe('a state folder', () => {
  it('is not made by reading', async () => {
    const { tree, folder, read } = opened()
    tree.remove('state')
    expect(await read()).toBeUndefined()
    expect(existsSync(folder)).toBe(false)
  })

  it.runIf(isPosix)('is made for the user alone with the folders above it, and its files too', async () => {
    const { path } = temporary()
    const state = openState(fakeHost({ uid: process.getuid?.(), home: path }), { report: () => {} })
    await state.update('usage', () => ({ deploy: 1 }), { signal: new AbortController().signal })
    expect(
      ['.local', '.local/state', '.local/state/skills', '.local/state/skills/usage.json'].map(
        name => lstatSync(`${path}/${name}`).mode & 0o777,
      ),
    ).toEqual([0o700, 0o700, 0o700, 0o600])
  })

  it.runIf(isPosix).each([0o755, 0o710, 0o702])(
    'that others have rights to (mode %o) is refused with what to do',
    async mode => {
      const { tree, folder, read, update, names } = opened({ 'state/usage.json': own(textOf(1)) })
      chmodSync(folder, mode)
      for (const ask of [read(), update(() => 2)]) {
        await expect(ask).rejects.toThrow(
          expect.objectContaining({
            code: 'E_STATE',
            message: `${folder} is open to other users (its mode is ${mode.toString(8)}), so its content is ignored. Check that no other user has changed its content, then run "chmod 700" on that path.`,
          }),
        )
      }
      expect(names()).toEqual(['usage.json'])
      expect(readFileSync(`${tree.path}/state/usage.json`, 'utf8')).toBe(textOf(1))
    },
  )

  it.runIf(isPosix)('of another user is refused', async () => {
    const { read, update } = opened({}, { uid: 4242 })
    await expect(read()).rejects.toThrow(refusal('belongs to the user with the id'))
    await expect(update(() => 1)).rejects.toThrow(refusal('4242'))
  })

  it.runIf(isRoot)('of another user is refused to the superuser too', async () => {
    const { folder, read } = opened()
    chownSync(folder, 65534, 65534)
    await expect(read()).rejects.toThrow(refusal('65534'))
  })

  it.runIf(isPosix)('that is a link, a file, or lies below a file is refused', async () => {
    const { tree, read, update } = opened({ 'elsewhere/usage.json': own(textOf(1)) })
    chmodSync(`${tree.path}/elsewhere`, 0o700)
    tree.remove('state')
    tree.write({ state: { link: 'elsewhere' } })
    await expect(read()).rejects.toThrow(refusal('is a link'))
    await expect(update(() => 2)).rejects.toThrow(refusal('is a link'))
    tree.remove('state')
    tree.write({ state: 'a file' })
    await expect(read()).rejects.toThrow(refusal('is not a folder'))
    const below = openState(fakeHost({ uid: process.getuid?.() }), {
      dir: `${tree.path}/state/below`,
      report: () => {},
    })
    await expect(below.update('usage', () => 1, { signal: new AbortController().signal })).rejects.toThrow(
      refusal('/state/below'),
    )
  })

  it('has to be named by its whole path', () => {
    expect(() => openState(fakeHost(), { dir: 'state', report: () => {} })).toThrow(
      expect.objectContaining({ code: 'E_INVALID_OPTION' }),
    )
  })
})

describe('a state file', () => {
  it('holds the value of one name, and nothing is left beside it', async () => {
    const { folder, update, read, names } = opened()
    expect(await update(() => ({ deploy: { count: 1 } }))).toEqual({ deploy: { count: 1 } })
    await update(() => ['/work'], 'trust')
    expect(names()).toEqual(['trust.json', 'usage.json'])
    expect(readFileSync(`${folder}/usage.json`, 'utf8')).toBe(textOf({ deploy: { count: 1 } }))
    expect([await read(), await read('trust'), await read('approvals')]).toEqual([
      { deploy: { count: 1 } },
      ['/work'],
      undefined,
    ])
  })

  it('is replaced by what the change makes of its value, and removed by a change that gives nothing', async () => {
    const { update, read, names } = opened({ 'state/usage.json': own(textOf({ a: 1 })) })
    expect(await update(value => ({ before: value }))).toEqual({ before: { a: 1 } })
    expect(await update(() => null)).toBeNull()
    expect(await update(value => (value === null ? undefined : value))).toBeUndefined()
    expect(names()).toEqual([])
    expect(await read()).toBeUndefined()
  })

  it('loses no change of those that come at one time', async () => {
    const { update, read } = opened()
    await Promise.all(Array.from({ length: 50 }, () => update(value => (typeof value === 'number' ? value : 0) + 1)))
    expect(await read()).toBe(50)
  })

  it('is not written when nothing changed', async () => {
    const { folder, update } = opened({ 'state/usage.json': own(textOf({ a: 1 })) })
    const before = statSync(`${folder}/usage.json`)
    await update(value => value)
    expect(statSync(`${folder}/usage.json`)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs })
  })

  it.runIf(isPosix)('is on the disk before it takes the place of the old one, and its name afterwards', async () => {
    const { update, read } = opened({ 'state/usage.json': own(textOf(1)) })
    const { fsyncSync, renameSync } = fs
    const calls: string[] = []
    onTestFinished(() => {
      Object.assign(fs, { fsyncSync, renameSync })
      syncBuiltinESMExports()
    })
    fs.fsyncSync = descriptor => {
      calls.push(fs.fstatSync(descriptor).isDirectory() ? 'flush folder' : 'flush file')
      fsyncSync(descriptor)
    }
    fs.renameSync = (from, to) => {
      calls.push('rename')
      renameSync(from, to)
    }
    syncBuiltinESMExports()
    await update(() => 2)
    expect(calls).toEqual(['flush file', 'rename', 'flush folder'])
    expect(await read()).toBe(2)
  })

  it('stays as it was when the change throws, and others may go on', async () => {
    const { update, read, names } = opened({ 'state/usage.json': own(textOf(1)) })
    await expect(
      update(() => {
        throw Object.assign(new Error('no such thing'), { code: 'ENOENT' })
      }),
    ).rejects.toThrow(/^no such thing$/)
    expect(names()).toEqual(['usage.json'])
    expect(await update(value => [value])).toEqual([1])
    expect(await read()).toEqual([1])
  })

  it('takes no value that is no JSON, and stays as it was', async () => {
    const { update, read } = opened({ 'state/usage.json': own(textOf(1)) })
    const cyclic: unknown[] = []
    cyclic.push(cyclic)
    for (const value of [() => {}, Symbol('x'), cyclic, 1n, Promise.resolve(2), 'x'.repeat(17 * 1024 * 1024)]) {
      await expect(update(() => value)).rejects.toThrow(refusal('"usage" '))
    }
    expect(await read()).toBe(1)
  })

  it.runIf(isPosix)('that is a link, a folder, a pipe, or open to others is refused and left alone', async () => {
    const { tree, folder, update, read, names } = opened({
      'secret.json': own(textOf('secret')),
      'state/link.json': { link: '../secret.json' },
      'state/folder.json': { dir: true },
      'state/open.json': { content: textOf(1), mode: 0o640 },
    })
    execFileSync('mkfifo', ['-m', '600', `${folder}/pipe.json`])
    for (const [name, text] of [
      ['link', 'the path is a link'],
      ['folder', 'is not a file'],
      ['pipe', 'is not a file'],
      ['open', 'its mode is 640'],
    ] as const) {
      await expect(read(name), name).rejects.toThrow(refusal(text))
      await expect(
        update(() => 2, name),
        name,
      ).rejects.toThrow(refusal(text))
    }
    expect(names()).toEqual(['folder.json', 'link.json', 'open.json', 'pipe.json'])
    expect(readFileSync(`${tree.path}/secret.json`, 'utf8')).toBe(textOf('secret'))
  })

  it.runIf(isRoot)('of another user is refused', async () => {
    const { folder, read } = opened({ 'state/usage.json': own(textOf(1)) })
    chownSync(`${folder}/usage.json`, 65534, 65534)
    await expect(read()).rejects.toThrow(refusal('65534'))
  })

  it('of a later version is refused and left as it is', async () => {
    const { folder, read, update, names } = opened({ 'state/usage.json': own(textOf({ new: true }, 2)) })
    await expect(read()).rejects.toThrow(refusal('later version'))
    await expect(update(() => 1)).rejects.toThrow(refusal('later version'))
    expect(names()).toEqual(['usage.json'])
    expect(readFileSync(`${folder}/usage.json`, 'utf8')).toBe(textOf({ new: true }, 2))
  })

  it.each([
    '',
    '.',
    '..',
    '../x',
    'a/b',
    'a\\b',
    'A',
    'a.b',
    '__proto__',
    '-a',
    'nul',
    'com1',
    'a'.repeat(65),
    'a\0',
    'ä',
  ])('cannot be called %j', async name => {
    const { read, update, names } = opened()
    await expect(read(name)).rejects.toThrow(expect.objectContaining({ code: 'E_INVALID_OPTION' }))
    await expect(update(() => 1, name)).rejects.toThrow(expect.objectContaining({ code: 'E_INVALID_OPTION' }))
    expect(names()).toEqual([])
  })

  it('is neither read nor written after an abort', async () => {
    const { read, update, names } = opened()
    await expect(read('usage', AbortSignal.abort())).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
    await expect(update(() => 1, 'usage', AbortSignal.abort())).rejects.toThrow(
      expect.objectContaining({ name: 'AbortError' }),
    )
    expect(names()).toEqual([])
  })
})

describe('a state file that cannot be understood', () => {
  it.each([
    ['empty', '', 'is empty'],
    ['cut off', textOf({ a: 1 }).slice(0, 20), 'is not JSON'],
    ['no object', '1', 'has no version'],
    ['a list', '[]', 'has no version'],
    ['of a version that is a text', '{"version":"1","value":1}', 'has an invalid version'],
    ['of version 0', '{"version":0,"value":1}', 'has an invalid version'],
    ['without a value', '{"version":1}', 'has no value'],
    ['no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 'is not UTF-8'],
    [
      'nested without end',
      `{"version":1,"value":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      'is nested too deeply',
    ],
    ['larger than anything', new Uint8Array(17 * 1024 * 1024), 'is larger than any file that this program writes'],
  ])('because it is %s is set aside whole, told of, and begun anew', async (_what, content, because) => {
    const { folder, read, update, names, told } = opened({
      'state/usage.json': own(content),
      'state/trust.json': own(textOf(1)),
    })
    expect(await read()).toBeUndefined()
    const aside = `${folder}/usage.corrupt-20240101T000000000Z`
    expect(told).toEqual([
      {
        severity: 'warning',
        type: 'parse',
        code: 'corrupt-state',
        path: aside,
        message: `The stored "usage" could not be read and starts empty: ${folder}/usage.json ${because}. The old file is now ${aside}.`,
        hint: 'Remove the old file when you no longer need it.',
      },
    ])
    expect(readFileSync(aside).equals(Buffer.from(content))).toBe(true)
    expect(await update(value => [value ?? 'nothing'])).toEqual(['nothing'])
    expect(await read('trust')).toBe(1)
    expect(names()).toEqual(['trust.json', 'usage.corrupt-20240101T000000000Z', 'usage.json'])
  })

  it('is set aside by a change too, beside one of the same moment', async () => {
    const { tree, update, names, told } = opened({ 'state/usage.json': own('{') })
    expect(await update(value => [value ?? 'nothing'])).toEqual(['nothing'])
    tree.write({ 'state/usage.json': own('[') })
    expect(await update(value => [value ?? 'nothing'])).toEqual(['nothing'])
    expect(names()).toEqual(['usage.corrupt-20240101T000000000Z', 'usage.corrupt-20240101T000000000Z-2', 'usage.json'])
    expect(told.map(({ code }) => code)).toEqual(['corrupt-state', 'corrupt-state'])
  })

  it('is read when it is sound again by the time that its turn comes', async () => {
    const { tree, read, told, clock } = opened({ 'state/usage.json': own('{'), 'state/usage.lock': own('') })
    const reading = read()
    tree.write({ 'state/usage.json': own(textOf('sound')) })
    tree.remove('state/usage.lock')
    await clock.advance(100)
    expect(await reading).toBe('sound')
    expect(told).toEqual([])
  })
})
