import { createSkills, defineProvider, loadResult, promptCommand, type LoadResult } from '@skills/core'
import { fakeClock, fakeHost } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'
import { watchSkills } from '../source.js'

const found = loadResult({
  commands: [promptCommand({ name: 'late', source: 'user', load: () => ({ template: 'x' }) })],
})

/** Makes a watched engine whose only source does not finish until the test lets it. */
async function watched(list = (): LoadResult => loadResult({ incomplete: 'The server does not answer.' })) {
  const clock = fakeClock()
  const source = { asked: 0, list }
  const skills = createSkills({
    host: fakeHost({ clock }),
    onDiagnostic: () => {},
    plugins: [
      defineProvider({
        kind: 'source',
        id: 'files',
        setup: () => ({
          source: 'user',
          list: () => {
            source.asked++
            return source.list()
          },
        }),
      }),
    ],
  })
  onTestFinished(() => skills.close())
  const added: string[] = []
  skills.hook('skills:changed', change => void added.push(...change.added))
  const watch = await watchSkills(skills, { onDiagnostic: () => {} })
  onTestFinished(() => watch.close())
  const begun = source.asked
  return { clock, source, skills, watch, added, asked: () => source.asked - begun }
}

it('asks a source again that did not finish, after longer and longer rests, until it does', async () => {
  const { clock, source, added, asked } = await watched()
  for (const [rest, times] of [
    [10_100, 1],
    [20_200, 2],
    [40_400, 3],
  ] as const) {
    await clock.advance(rest - 1)
    expect(asked()).toBe(times - 1)
    await clock.advance(1)
    expect(asked()).toBe(times)
  }
  source.list = () => found
  await clock.advance(80_799)
  expect([asked(), added]).toEqual([3, []])
  await clock.advance(1)
  expect([asked(), added]).toEqual([4, ['late']])
  source.list = () => loadResult({ incomplete: 'The server does not answer.' })
  await clock.advance(3_600_000)
  expect(asked(), 'while nothing is amiss').toBe(4)
})

it('begins with a short rest, also for a source that finished before', async () => {
  const { clock, source, skills, asked } = await watched(() => found)
  await clock.advance(3_600_000)
  expect(asked()).toBe(0)
  source.list = () => loadResult({ incomplete: 'The server does not answer.' })
  await skills.refresh()
  await clock.advance(1099)
  expect(asked()).toBe(1)
  await clock.advance(1)
  expect(asked()).toBe(2)
})

it('asks in time though another caller asked meanwhile', async () => {
  const { clock, skills, asked } = await watched()
  await clock.advance(10_050)
  await skills.catalog()
  expect(asked()).toBe(1)
  await clock.advance(20_200)
  expect(asked()).toBe(2)
})

it('does not ask for ever, nor once it is closed', async () => {
  const { clock, asked } = await watched()
  await clock.advance(3_600_000)
  expect(asked()).toBe(5)
  const other = await watched()
  await other.watch.close()
  await other.clock.advance(3_600_000)
  expect(other.asked()).toBe(0)
})
