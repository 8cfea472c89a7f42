import { expect, test } from 'vitest'
import { writeSkillsJson } from './skill-json.js'
import type { Listed } from './listed.js'

function written(items: readonly Listed[]): string {
  let text = ''
  writeSkillsJson(items, part => {
    text += part
  })
  return text
}

test.each([0, 1, 255, 256, 257, 600])('%i skills are an array with one on each line', count => {
  // What stands between two elements, as a name: within a text it must stay.
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
