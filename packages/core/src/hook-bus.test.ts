import { expect, test } from 'vitest'
import { deferred, engine, settled } from '../test/engine.js'
import { HookBus } from './hook-bus.js'
import type { Diagnostic } from './index.js'

function bus() {
  const diagnostics: Diagnostic[] = []
  const heard: string[] = []
  return { hooks: new HookBus(diagnostic => diagnostics.push(diagnostic)), diagnostics, heard }
}

test('listeners hear in the order they registered', async () => {
  const { hooks, heard } = bus()
  for (const name of ['a', 'b', 'c']) hooks.on('sources:progress', () => void heard.push(name))
  hooks.emit('sources:progress', { provider: 's', done: 1 })
  await settled()
  expect(heard).toEqual(['a', 'b', 'c'])
})

test('emitting calls no one before it returns', async () => {
  const { hooks, heard } = bus()
  hooks.on('sources:progress', () => void heard.push('a'))
  hooks.emit('sources:progress', { provider: 's', done: 1 })
  expect(heard).toEqual([])
  await settled()
  expect(heard).toEqual(['a'])
})

test('a listener has one event after the other, in the order emitted', async () => {
  const { hooks, heard } = bus()
  const first = deferred()
  hooks.on('sources:progress', async ({ done }) => {
    if (done === 1) await first.promise
    heard.push(`a${done}`)
  })
  hooks.on('sources:progress', ({ done }) => void heard.push(`b${done}`))
  hooks.emit('sources:progress', { provider: 's', done: 1 })
  hooks.emit('sources:progress', { provider: 's', done: 2 })
  await settled()
  expect(heard).toEqual(['b1', 'b2'])
  first.resolve()
  await settled()
  expect(heard).toEqual(['b1', 'b2', 'a1', 'a2'])
})

test.each([
  [
    'throws',
    () => {
      throw new Error('deaf')
    },
  ],
  ['rejects', () => Promise.reject(new Error('deaf'))],
])('a listener that %s is reported and stops nothing, not even its own next event', async (_, listener) => {
  const { hooks, heard, diagnostics } = bus()
  hooks.on('sources:progress', listener)
  hooks.on('sources:progress', ({ done }) => void heard.push(`${done}`))
  hooks.emit('sources:progress', { provider: 's', done: 1 })
  hooks.emit('sources:progress', { provider: 's', done: 2 })
  await settled()
  expect(heard).toEqual(['1', '2'])
  expect(diagnostics).toEqual(
    Array.from({ length: 2 }, () => ({
      severity: 'warning',
      type: 'source',
      code: 'listener-failed',
      message: 'A listener of "sources:progress" failed: deaf',
    })),
  )
})

test('a listener that never ends holds up only itself', async () => {
  const { hooks, heard } = bus()
  hooks.on('sources:progress', () => new Promise(() => {}))
  hooks.on('sources:progress', ({ done }) => void heard.push(`${done}`))
  for (const done of [1, 2]) hooks.emit('sources:progress', { provider: 's', done })
  await settled()
  expect(heard).toEqual(['1', '2'])
})

test('a listener that was stopped hears nothing, not even what was emitted just before', async () => {
  const { hooks, heard } = bus()
  const stop = hooks.on('sources:progress', () => void heard.push('a'))
  hooks.on('sources:progress', () => void heard.push('b'))
  hooks.emit('sources:progress', { provider: 's', done: 1 })
  stop()
  stop()
  hooks.emit('sources:progress', { provider: 's', done: 2 })
  await settled()
  expect(heard).toEqual(['b', 'b'])
})

test('one function may listen twice, and each is stopped by itself', async () => {
  const { hooks, heard } = bus()
  const listener = (): void => void heard.push('a')
  const stop = hooks.on('sources:progress', listener)
  hooks.on('sources:progress', listener)
  stop()
  hooks.emit('sources:progress', { provider: 's', done: 1 })
  await settled()
  expect(heard).toEqual(['a'])
})

test('a caller that asks for the catalog after several events gets one that knows of all of them', async () => {
  const heard: string[] = []
  const { skills } = engine({ plugins: [] })
  skills.hook('file:touched', ({ paths }) => void heard.push(...paths))
  for (const path of ['/a', '/b', '/c', '/d']) skills.emit('file:touched', { paths: [path] })
  await skills.catalog()
  expect(heard).toEqual(['/a', '/b', '/c', '/d'])
})
