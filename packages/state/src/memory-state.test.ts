import { createSkills, defineProvider, type Provider } from '@skills/core'
import { fakeHost } from '@skills/testing'
import { expect, it } from 'vitest'
import { memoryState, stateKind, stateStore, type State } from './index.js'
import { temporary } from '../test/opened.js'

const call = { signal: new AbortController().signal }

it('remembers under the rules of the store, without a file', async () => {
  const { state } = memoryState({ usage: { __proto__: null, deploy: 1 } })
  expect(await state.read('usage', call)).toEqual({ deploy: 1 })
  expect(await state.update('usage', value => ({ before: value }), call)).toEqual({ before: { deploy: 1 } })
  expect(await state.update('usage', () => undefined, call)).toBeUndefined()
  expect(await state.read('usage', call)).toBeUndefined()
  const reading = async (name: string, signal = call.signal): Promise<unknown> => state.read(name, { signal })
  await expect(reading('../x')).rejects.toThrow(expect.objectContaining({ code: 'E_INVALID_OPTION' }))
  await expect(reading('usage', AbortSignal.abort())).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
  const changing = async (): Promise<unknown> => state.update('usage', () => 1n, call)
  await expect(changing()).rejects.toThrow(expect.objectContaining({ code: 'E_STATE' }))
})

it('gives copies, so that no one changes what is remembered without saying so', async () => {
  const given = { list: [1] }
  const { state } = memoryState({ usage: given })
  given.list.push(2)
  const read = (await state.read('usage', call)) as typeof given
  read.list.push(3)
  expect(await state.read('usage', call)).toEqual({ list: [1] })
})

it.each([
  ['memory', () => memoryState()],
  ['files', () => stateStore({ dir: `${temporary({ state: { dir: true, mode: 0o700 } }).path}/state` })],
] as const)('a provider %s of the kind is asked by the code that needs it', async (id, make) => {
  const seen: unknown[] = []
  const provider: Provider<'state'> = make()
  expect(provider).toMatchObject({ kind: 'state', id })
  const asking = defineProvider({
    kind: 'source',
    id: 'asking',
    needs: ['state'],
    setup: ctx => ({
      source: 'user',
      async list({ signal }) {
        const ask = <T>(question: (state: State, inner: typeof call) => T): Promise<unknown> =>
          ctx.use('state').first(question, { signal })
        seen.push(
          await ask((state, inner) => state.update('usage', () => 1, inner)),
          await ask((state, inner) => state.read('usage', inner)),
        )
        throw new Error('that is all')
      },
    }),
  })
  const skills = createSkills({
    host: fakeHost({ uid: process.getuid?.() }),
    plugins: [provider, asking],
    kinds: [stateKind],
    onDiagnostic: () => {},
  })
  await skills.catalog()
  await skills.close()
  expect(seen).toEqual([1, 1])
})
