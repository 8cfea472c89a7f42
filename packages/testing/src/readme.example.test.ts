// #region usage
import { expect, test } from 'vitest'
import { createSkills, defineProvider, loadResult } from '@skills/core'
import { fakeClock, fakeHost, tempTree } from '@skills/testing'

const hangs = defineProvider({
  kind: 'source',
  id: 'hangs',
  setup: () => ({ source: 'user', list: () => new Promise(() => {}) }),
})
const finds = defineProvider({
  kind: 'source',
  id: 'finds',
  setup: ({ host }) => ({
    source: 'user',
    list: () => loadResult({ places: [{ path: `${host.cwd}/skills`, state: 'read', found: 0 }] }),
  }),
})

test('a source that hangs is given up, without waiting for it', async () => {
  const tree = tempTree({ 'skills/greet/SKILL.md': '---\nname: greet\n---\nSay hello.' })
  const clock = fakeClock()
  const skills = createSkills({
    plugins: [hangs, finds],
    host: fakeHost({ cwd: tree.path, clock }),
    onDiagnostic: () => {},
  })
  try {
    const loading = skills.catalog()
    await clock.advance(10_000)
    const catalog = await loading
    expect(catalog.errors).toMatchObject([{ code: 'provider-timeout', provider: 'hangs' }])
    expect(catalog.places[0]?.path).toBe(`${tree.path}/skills`)
  } finally {
    await skills.close()
    tree.dispose()
  }
  expect(clock.pending).toBe(0)
})
// #endregion usage

import { testFixedSource } from '@skills/testing/vitest'

testFixedSource('the source that finds nothing', () => ({ provider: finds }))
