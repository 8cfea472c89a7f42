import { expect, test } from 'vitest'
import { promptCommand } from '@skills/core'
import { fieldTable, ownFields } from '@skills/core/fields'
import { writeSkillsJson } from './skill-json.js'
import type { Listed } from '@skills/inspect/internal'

function written(items: readonly Listed[]): string {
  let text = ''
  writeSkillsJson(items, part => {
    text += part
  })
  return text
}

test.each([0, 1, 255, 256, 257, 600])('%i skills are an array with one on each line', count => {
  // The name contains the separator of two elements: inside a text it must not change.
  const items = Array.from({ length: count }, (_, at): Listed => ({
    state: 'active',
    name: `},{"name":${at}`,
    source: 'user',
    provider: 'user',
    path: undefined,
    command: undefined,
    shadowedBy: { name: 'x', source: 'user', provider: 'user' },
  }))
  const text = written(items)
  expect(JSON.parse(text)).toMatchObject(items.map(({ name }) => ({ name })))
  expect(text.split('\n')).toHaveLength(count === 0 ? 2 : count + 3)
})

test('has every field of the table that lists have, and those of a host that are set', () => {
  const plain = promptCommand({ name: 'a', source: 'user', load: () => ({ template: '' }) })
  const command = Object.assign(plain, { [ownFields]: { owner: ['ops'] } })
  const [json = {}, without = {}] = JSON.parse(
    written(
      [command, undefined].map(one => ({
        state: 'active',
        name: 'a',
        source: 'user',
        provider: 'user',
        path: undefined,
        command: one,
      })),
    ),
  ) as Record<string, unknown>[]
  const listed = fieldTable.filter(({ list }) => list === true).map(({ property }) => property)
  expect(Object.keys(without)).toEqual(expect.arrayContaining(listed))
  expect(Object.keys(json)).toEqual([...Object.keys(without), 'fields'])
  expect(json['fields']).toEqual({ owner: ['ops'] })
  expect(Object.keys(without).slice(-2)).toEqual(['shadowedBy', 'reason'])
})
