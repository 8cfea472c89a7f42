import { chmodSync, chownSync, readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { isPosix, isRoot, opened, own, temporary, textOf } from '../test/opened.js'
import { bundleChild, runToEnd } from '../test/processes.js'
import { tempTree, type TempTree } from '@skills/testing'

let program: TempTree
let child: string

beforeAll(async () => {
  program = tempTree()
  chmodSync(program.path, 0o755)
  child = await bundleChild(`${program.path}/child.mjs`)
  return () => program.dispose()
})

const run = (...args: readonly string[]): ReturnType<typeof runToEnd> => runToEnd(process.execPath, [child, ...args])

describe('several processes', () => {
  it('that save at one time lose nothing', async () => {
    const { folder, read, names } = opened()
    const ended = await Promise.all(Array.from({ length: 4 }, () => run(folder, 'count', '50')))
    expect(ended).toEqual(Array.from({ length: 4 }, () => ({ code: 0, signal: null, stdout: '', stderr: '' })))
    expect(await read()).toBe(200)
    expect(names()).toEqual(['usage.json'])
  })

  it('that save at one time lose nothing although another was killed while it saved', async () => {
    const { folder, read, names } = opened({ 'state/usage.json': own(textOf(7)) })
    expect(await run(folder, 'die')).toMatchObject({ signal: 'SIGKILL' })
    expect(names()).toEqual(['usage.json', 'usage.lock'])
    const ended = await Promise.all(Array.from({ length: 4 }, () => run(folder, 'count', '20')))
    expect(ended.map(({ code, stdout }) => [code, stdout])).toEqual(Array.from({ length: 4 }, () => [0, '']))
    expect(await read()).toBe(87)
    expect(names()).toEqual(['usage.json'])
  })
})

it('a process that is killed before any one of its system calls loses nothing and keeps no other process waiting', async () => {
  const { folder, read, update, names } = opened({ 'state/usage.json': own(textOf(0)) })
  let deaths = 0
  for (let before = 0, isOver = false; !isOver; before = Number(await read())) {
    const { signal } = await run(folder, 'die-at', String(deaths + 1))
    isOver = signal === null
    if (!isOver) deaths++
    expect([before, before + 1]).toContain(await read())
    // The clock stands still, so waiting for a lock would never end.
    expect(await update(value => Number(value) + 1)).toBe(Number(await read()))
    expect(names()).toEqual(['usage.json'])
  }
  expect(deaths).toBeGreaterThan(10)
})

describe.runIf(isPosix)('a disk that is full', () => {
  it('leaves the old value whole, and the error says so', async () => {
    const { folder, names } = opened({ 'state/usage.json': own(textOf('old')) })
    // `ulimit -f` counts blocks of 512 or 1,024 bytes, by shell: room for a lock but not for the value.
    const ended = await runToEnd('sh', [
      '-c',
      'ulimit -f 2; exec "$@"',
      'sh',
      process.execPath,
      child,
      folder,
      'write',
      '100000',
    ])
    expect(ended).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(new RegExp(`^E_STATE: "usage" .*${folder}/usage\\.json: `)),
    })
    expect(readFileSync(`${folder}/usage.json`, 'utf8')).toBe(textOf('old'))
    expect(names()).toEqual(['usage.json'])
  })

  it('that has no room for a lock leaves none behind', async () => {
    const { folder, names } = opened({ 'state/usage.json': own(textOf('old')) })
    const ended = await runToEnd('sh', [
      '-c',
      'ulimit -f 0; exec "$@"',
      'sh',
      process.execPath,
      child,
      folder,
      'write',
      '10',
    ])
    expect(ended).toMatchObject({ code: 1, stdout: expect.stringContaining('quota is full') })
    expect(names()).toEqual(['usage.json'])
    expect(await run(folder, 'read')).toMatchObject({ code: 0, stdout: '"old"' })
  })
})

describe.runIf(isRoot)('without the rights of the superuser', () => {
  const unprivileged = { uid: 65534, gid: 65534 }

  /** Makes a folder that belongs to the unprivileged user, with everything in it. */
  function theirs(mode: number, entries = {}): string {
    const { path } = temporary({ 'home/state': { dir: true }, ...entries })
    for (const name of ['', '/state', ...readdirSync(`${path}/home/state`).map(each => `/state/${each}`)])
      chownSync(`${path}/home${name}`, 65534, 65534)
    chmodSync(`${path}/home/state`, mode)
    return `${path}/home/state`
  }
  const asUnprivileged = (...args: readonly string[]): ReturnType<typeof runToEnd> =>
    runToEnd(process.execPath, [child, ...args], { ...unprivileged, cwd: program.path })

  it("a folder of one's own serves, and one that is missing is made", async () => {
    const folder = theirs(0o700)
    expect(await asUnprivileged(folder, 'count', '1')).toMatchObject({ code: 0, stdout: '' })
    expect(await asUnprivileged(`${folder}/deeper/still`, 'count', '1')).toMatchObject({ code: 0, stdout: '' })
    expect(await asUnprivileged(folder, 'read')).toMatchObject({ stdout: '1' })
  })

  it('a folder of root is refused, also with open rights', async () => {
    const { folder } = opened()
    for (const mode of [0o700, 0o777]) {
      chmodSync(folder, mode)
      expect(await asUnprivileged(folder, 'read')).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('E_STATE'),
      })
    }
  })

  it('a folder or file that may not be written to or read is an error that says so', async () => {
    const closed = theirs(0o500, { 'home/state/usage.json': own(textOf(1)) })
    expect(await asUnprivileged(closed, 'count', '1')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('permission'),
    })
    expect(await asUnprivileged(closed, 'read')).toMatchObject({ code: 0, stdout: '1' })
    const unreadable = theirs(0o700, { 'home/state/usage.json': { content: textOf(1), mode: 0 } })
    expect(await asUnprivileged(unreadable, 'read')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('permission'),
    })
    const { path } = temporary({ above: { dir: true, mode: 0o755 } })
    expect(await asUnprivileged(`${path}/above/state`, 'count', '1')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('permission'),
    })
  })
})
