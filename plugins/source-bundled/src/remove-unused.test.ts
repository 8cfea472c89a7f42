import { chmodSync, lstatSync, mkdirSync, utimesSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fakeClock } from '@skills/testing'
import { removeUnused } from './remove-unused.js'
import { extracting } from '../test/bundled.js'
import { beforeRenaming, files } from '../test/extracted.js'

const day = 24 * 60 * 60 * 1000

describe('folders that no one uses', () => {
  const old = `${'a'.repeat(64)}`
  const leftover = `${'b'.repeat(64)}.00000000-0000-4000-8000-000000000000.partial`

  /** Makes folders whose last use was this long before `now`. */
  function aged(root: string, now: number, ages: Readonly<Record<string, number>>): void {
    for (const [name, ms] of Object.entries(ages)) {
      mkdirSync(`${root}/${name}`, { recursive: true })
      utimesSync(`${root}/${name}`, (now - ms) / 1000, (now - ms) / 1000)
    }
  }

  it('are removed after seven days, what was left behind too, and nothing that is not of here', async () => {
    const { root, clock, extract, names, told } = extracting()
    mkdirSync(root, { recursive: true, mode: 0o700 })
    chmodSync(root, 0o700)
    const recent = 'c'.repeat(64)
    aged(root, clock.now(), {
      [old]: 7 * day + 60_000,
      [leftover]: 8 * day,
      [recent]: 7 * day - 60_000,
      notes: 90 * day,
    })
    const folder = await extract(files)
    expect(names()).toEqual([folder.slice(root.length + 1), recent, 'notes'].sort())
    expect(told).toEqual([])
  })

  it('are looked for once a process, and never those that are in use', async () => {
    const { root, clock, extract, names } = extracting()
    const folder = await extract(files)
    aged(root, clock.now(), { [old]: 8 * day })
    await clock.advance(8 * day)
    await extract({ 'other.txt': 'Another.' })
    expect(names()).toContain(old)
    expect(names()).toContain(folder.slice(root.length + 1))
  })

  it('are those alone that no one has invoked: an invocation marks its folder', async () => {
    const { clock, extract } = extracting()
    const folder = await extract(files)
    const later = fakeClock(clock.now() + 5 * day)
    await extract(files, { clock: later })
    expect(Math.round(lstatSync(folder).mtimeMs)).toBe(later.now())
  })

  it('are left alone while this process uses them, however old they are', async () => {
    const { root, clock, told, names } = extracting()
    mkdirSync(root, { recursive: true })
    aged(root, clock.now(), { [old]: 30 * day, ['d'.repeat(64)]: 30 * day })
    await removeUnused(root, { inUse: new Set([`${root}/${old}`]), now: clock.now(), report: () => {} })
    expect([names(), told]).toEqual([[old], []])
  })

  it('stay where they are when a process begins to use them meanwhile', async () => {
    const { root, clock, told, names } = extracting()
    mkdirSync(root, { recursive: true })
    aged(root, clock.now(), { [old]: 30 * day })
    beforeRenaming('.removed', folder => utimesSync(folder, clock.now() / 1000, clock.now() / 1000))
    await removeUnused(root, { inUse: new Set(), now: clock.now(), report: diagnostic => void told.push(diagnostic) })
    expect([names(), told]).toEqual([[old], []])
  })

  it("are removed by several at one time that do not get in each other's way", async () => {
    const { root, clock, told, names } = extracting()
    mkdirSync(root, { recursive: true })
    aged(
      root,
      clock.now(),
      Object.fromEntries(Array.from({ length: 60 }, (_, at) => [String(at).padStart(64, '0'), 30 * day])),
    )
    await Promise.all(
      Array.from({ length: 4 }, () =>
        removeUnused(root, { inUse: new Set(), now: clock.now(), report: diagnostic => void told.push(diagnostic) }),
      ),
    )
    expect([names(), told]).toEqual([[], []])
  })

  it('cost nothing but a warning when one cannot be removed', async () => {
    const { root, clock, told } = extracting()
    await removeUnused(`${root}/missing`, {
      inUse: new Set(),
      now: clock.now(),
      report: diagnostic => void told.push(diagnostic),
    })
    expect(told).toMatchObject([{ severity: 'warning', code: 'cleanup-failed', path: `${root}/missing` }])
  })
})
