import { expect, it } from 'vitest'
import { memoryState } from './memory-state.js'
import { unsavedState } from './unsaved-state.js'

const signal = new AbortController().signal

it('reads what is stored, and keeps changes for itself', async () => {
  const stored = memoryState({ trust: { folders: ['a'] }, other: 1 })
  const state = await unsavedState(stored).setup({} as never)
  expect(await state.read('trust', { signal })).toEqual({ folders: ['a'] })
  const add = (name: string) => (value: unknown) => ({
    folders: [...(value as { readonly folders: readonly string[] }).folders, name],
  })
  await Promise.all([state.update('trust', add('b'), { signal }), state.update('trust', add('c'), { signal })])
  expect(await state.read('trust', { signal })).toEqual({ folders: ['a', 'b', 'c'] })
  expect(await stored.state.read('trust', { signal })).toEqual({ folders: ['a'] })
  await state.update('other', () => undefined, { signal })
  expect(await state.read('other', { signal })).toBeUndefined()
  expect(await stored.state.read('other', { signal })).toBe(1)
})
