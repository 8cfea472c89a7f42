import { expect, test } from 'vitest'
import { isAbortError, promptCommand } from '@skills/core'
import { bodiesOf, type UnreadBody } from './search-bodies.js'
import type { SearchableCommand } from './searchable-command.js'

function commandsOf(count: number, load: (at: number) => string | Promise<string>): readonly SearchableCommand[] {
  return Array.from({ length: count }, (_, at) => {
    const name = `skill-${at}`
    const path = `/skills/${name}/SKILL.md`
    const command = promptCommand({
      name,
      source: 'user',
      description: 'x',
      filePath: path,
      load: async () => ({ template: await load(at) }),
    })
    return { name, state: 'active', provider: 'user', path, command }
  })
}

const refuse = (): never => {
  throw new Error('Nothing is unread.')
}

test('bodies come in order, and no more are read than wait side by side', async () => {
  let begun = 0
  let taken = 0
  const all = commandsOf(50, async at => {
    begun++
    // The first of each ten take the longest.
    for (let turns = 10 - (at % 10); turns > 0; turns--) await undefined
    return `body ${at}`
  })
  const bodies: (string | undefined)[] = []
  for await (const body of bodiesOf(all, refuse)) {
    expect(begun - taken++).toBeLessThanOrEqual(8)
    bodies.push(body)
  }
  expect(bodies).toEqual(all.map((_, at) => `body ${at}`))
})

test('those that cannot be read are told of in order, and the others come', async () => {
  const unread: UnreadBody[] = []
  const bodies: (string | undefined)[] = []
  const all = commandsOf(20, at => {
    if (at % 3 === 1) throw new Error(`no ${at}`)
    return 'x'
  })
  for await (const body of bodiesOf(all, one => unread.push(one))) bodies.push(body)
  expect(bodies.map((body, at) => (body === undefined ? at : -1)).filter(at => at >= 0)).toEqual([
    1, 4, 7, 10, 13, 16, 19,
  ])
  expect(unread.map(({ name, problem }) => `${name} ${problem}`)).toEqual(
    [1, 4, 7, 10, 13, 16, 19].map(at => `skill-${at} no ${at}`),
  )
})

test('an abort ends it, what was begun', async () => {
  const controller = new AbortController()
  const bodies = bodiesOf(
    commandsOf(20, () => 'x'),
    refuse,
    controller.signal,
  )
  expect(await bodies.next()).toEqual({ value: 'x', done: false })
  controller.abort()
  const rest = async (): Promise<void> => {
    for await (const body of bodies) expect(body).toBe('x')
  }
  await expect(rest()).rejects.toSatisfy(isAbortError)
})
