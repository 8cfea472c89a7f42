import { spawnSync } from 'node:child_process'
import fs, { readdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isPosix, opened, own, textOf } from '../test/opened.js'
import { thisHolder } from './lock-holder.js'

const isLinux = process.platform === 'linux'

/** Text of a lock that a running process on this machine holds: this process. */
const running = (): string => JSON.stringify(thisHolder())
const deadPid = spawnSync(process.execPath, ['-e', '']).pid

/** Returns the error that a promise rejects with, or undefined if it resolves. */
function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  )
}

describe('a lock that another process holds', () => {
  it('is waited for, without a timer that is left behind', async () => {
    const { tree, update, clock, names } = opened({
      'state/usage.json': own(textOf(1)),
      'state/usage.lock': own(running()),
    })
    const updating = update(value => [value])
    await clock.advance(1000)
    expect(clock.pending).toBe(1)
    tree.remove('state/usage.lock')
    await clock.advance(100)
    expect(await updating).toEqual([1])
    expect([clock.pending, names()]).toEqual([0, ['usage.json']])
  })

  it('does not hold up reading, nor other names', async () => {
    const { update, read } = opened({ 'state/usage.json': own(textOf(1)), 'state/usage.lock': own(running()) })
    expect(await read()).toBe(1)
    expect(await update(() => 2, 'trust')).toBe(2)
  })

  it('is waited for until the limit, and then the error says who has it and what to do', async () => {
    const { folder, update, read, clock, names } = opened({
      'state/usage.json': own(textOf(1)),
      'state/usage.lock': own(running()),
    })
    const failed = failureOf(update(() => 2))
    await clock.advance(6000)
    expect(await failed).toMatchObject({
      code: 'E_STATE',
      message: `${folder}/usage.lock has been held by the process ${process.pid} for 5000 ms. Try again. If that process no longer uses the lock, remove the file.`,
    })
    expect([await read(), clock.pending, names()]).toEqual([1, 0, ['usage.json', 'usage.lock']])
  })

  it('is not waited for any longer once the caller aborts', async () => {
    const { update, clock } = opened({ 'state/usage.lock': own(running()) })
    const controller = new AbortController()
    const failed = failureOf(update(() => 2, 'usage', controller.signal))
    await clock.advance(10)
    controller.abort()
    expect(await failed).toMatchObject({ name: 'AbortError' })
    expect(clock.pending).toBe(0)
  })
})

describe('a lock that was left behind', () => {
  const token = '00000000-0000-4000-8000-000000000000'

  it('by a process that is gone is taken over at once, with what it had begun to write', async () => {
    const { update, names } = opened({
      'state/usage.lock': own(JSON.stringify({ ...thisHolder(), pid: deadPid, token })),
      [`state/usage.lock.${token}`]: own('{"vers'),
      'state/usage.json': own(textOf(1)),
    })
    expect(await update(value => [value])).toEqual([1])
    expect(names()).toEqual(['usage.json'])
  })

  it.runIf(isLinux)('by a process whose id another one has by now is taken over', async () => {
    const { update, names } = opened({ 'state/usage.lock': own(JSON.stringify({ ...thisHolder(), start: '1' })) })
    expect(await update(() => 1)).toBe(1)
    expect(names()).toEqual(['usage.json'])
  })

  it('by a process that died while it took over another lock is taken over in turn', async () => {
    const dead = own(JSON.stringify({ ...thisHolder(), pid: deadPid }))
    const { update, names } = opened({
      'state/usage.lock': dead,
      'state/usage.lock.takeover': dead,
      'state/usage.lock.takeover.takeover': dead,
    })
    expect(await update(() => 1)).toBe(1)
    expect(names()).toEqual(['usage.json'])
  })

  it('is not taken over while another process takes it over', async () => {
    const { update, clock, names } = opened({
      'state/usage.lock': own(JSON.stringify({ ...thisHolder(), pid: deadPid })),
      'state/usage.lock.takeover': own(running()),
    })
    const failed = failureOf(update(() => 1))
    await clock.advance(6000)
    expect(await failed).toMatchObject({ code: 'E_STATE' })
    expect(names()).toEqual(['usage.lock', 'usage.lock.takeover'])
  })

  it('is left to a process that took it over first', async () => {
    const { folder, update, clock, names } = opened({
      'state/usage.lock': own(JSON.stringify({ ...thisHolder(), pid: deadPid })),
    })
    const theirs = running()
    const { openSync } = fs
    const restore = (): void => {
      fs.openSync = openSync
      syncBuiltinESMExports()
    }
    onTestFinished(restore)
    // This runs between the look at the lock and the look under the guard.
    fs.openSync = (path, ...rest) => {
      if (String(path).endsWith('.takeover')) {
        restore()
        writeFileSync(`${folder}/usage.lock`, theirs)
      }
      return openSync(path, ...rest)
    }
    syncBuiltinESMExports()
    const failed = failureOf(update(() => 1))
    await clock.advance(6000)
    expect(await failed).toMatchObject({ code: 'E_STATE' })
    expect(names()).toEqual(['usage.lock'])
    expect(readFileSync(`${folder}/usage.lock`, 'utf8')).toBe(theirs)
  })

  describe.each([
    ['another machine', JSON.stringify({ pid: 1, machine: 'elsewhere', token })],
    ['a process that ended before it wrote its id', ''],
    ['something that is no process', JSON.stringify({ pid: -1, machine: 'elsewhere', token: '../../x' })],
  ])('by %s', (_what, text) => {
    it.each([-86_400, 0, 86_400])(
      'is taken over once it was seen as it is for four seconds, and not before, with a date of %d s from now',
      async date => {
        const { folder, update, clock, names } = opened({ 'state/usage.lock': own(text) })
        const seconds = clock.now() / 1000 + date
        utimesSync(`${folder}/usage.lock`, seconds, seconds)
        const updating = update(() => 1)
        await clock.advance(3500)
        expect(names()).toEqual(['usage.lock'])
        await clock.advance(1000)
        expect(await updating).toBe(1)
        expect(names()).toEqual(['usage.json'])
      },
    )

    it('is not taken over as long as it is another one each time', async () => {
      const { folder, tree, update, clock, names } = opened({ 'state/usage.lock': own(text) })
      const failed = failureOf(update(() => 1))
      for (const date of [1, 2, 3]) {
        await clock.advance(2000)
        tree.write({ 'state/usage.lock': own(text) })
        utimesSync(`${folder}/usage.lock`, date, date)
      }
      expect(await failed).toMatchObject({ code: 'E_STATE', message: expect.stringContaining('for 5000 ms') })
      expect(names()).toEqual(['usage.lock'])
    })
  })

  it('is not read further than a holder is long, what lies there', async () => {
    const { folder, update, clock, names } = opened({ 'state/usage.lock': own('') })
    // The file is larger than a text can be. Reading a link to an endless device would end this process.
    truncateSync(`${folder}/usage.lock`, 600 * 1024 * 1024)
    const updating = update(() => 1)
    await clock.advance(4500)
    expect(await updating).toBe(1)
    expect(names()).toEqual(['usage.json'])
  })

  it('is no reason to remove what is not beside the lock for its sake', async () => {
    const { update, names } = opened({
      [`state/usage.lock.${token}`]: own('{"vers'),
      [`state/usage.lock.takeover.${token}`]: own(''),
      [`state/usage.${token}`]: own(''),
      'state/usage.lock.mine': own(''),
    })
    expect(await update(() => 1)).toBe(1)
    expect(names()).toEqual([`usage.${token}`, 'usage.json', 'usage.lock.mine'])
  })

  it.runIf(isPosix)('that is a folder is an error that names it', async () => {
    const { update, folder } = opened({ 'state/usage.lock': { dir: true } })
    await expect(update(() => 1)).rejects.toThrow(
      expect.objectContaining({ code: 'E_STATE', message: expect.stringContaining(`${folder}/usage.lock`) }),
    )
    expect(readdirSync(folder)).toEqual(['usage.lock'])
  })
})

it('a lock says who holds it from the moment it is there, and a file system without links has one too', async () => {
  const { folder, update, names } = opened()
  const { linkSync } = fs
  onTestFinished(() => {
    fs.linkSync = linkSync
    syncBuiltinESMExports()
  })
  const links: string[] = []
  fs.linkSync = (from, to) => {
    links.push(readFileSync(from, 'utf8'))
    linkSync(from, to)
  }
  syncBuiltinESMExports()
  const seen = (): string => readFileSync(`${folder}/usage.lock`, 'utf8')
  expect(links).toEqual([await update(seen)])
  expect(links[0]).toContain(`"pid":${process.pid}`)
  fs.linkSync = () => {
    throw Object.assign(new Error('There are no links here.'), { code: 'ENOTSUP' })
  }
  syncBuiltinESMExports()
  expect(await update(seen)).toContain(`"pid":${process.pid}`)
  expect(names()).toEqual(['usage.json'])
})

it('a process that was stopped for so long that its lock was taken over writes nothing', async () => {
  const { tree, update, read, names } = opened({ 'state/usage.json': own(textOf(1)) })
  await expect(
    update(() => {
      tree.write({ 'state/usage.lock': own(running()) })
      return 2
    }),
  ).rejects.toThrow(
    expect.objectContaining({ code: 'E_STATE', message: expect.stringContaining('while this process was paused') }),
  )
  expect(await read()).toBe(1)
  // The other process still has its lock.
  expect(names()).toEqual(['usage.json', 'usage.lock'])
})
