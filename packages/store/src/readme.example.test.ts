import { expect, it } from 'vitest'
// #region memory
import { MemoryStore } from '@skills/store'

const store = new MemoryStore({ 'deploy/SKILL.md': '---\ndescription: Ship it.\n---\nShip $ARGUMENTS.\n' })
// #endregion memory

it('lists what it was given', () => {
  expect(store.list('memory:', { signal: new AbortController().signal })).toMatchObject({
    folders: ['deploy'],
    files: [],
    links: [],
  })
})
