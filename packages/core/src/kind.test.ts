import { expect, test } from 'vitest'
import { engine, type Greeter } from '../test/engine.js'
import { defineKind, defineProvider, type KindDefinition, type KindMethods as Methods } from './index.js'

declare module '@skills/core' {
  interface ProviderKinds {
    counter: Greeter
  }
  interface KindMethods {
    counted(name: string): Promise<string | undefined>
  }
}

const counterKind = defineKind('counter', {
  arity: 'one',
  onFailure: 'throw',
  limitMs: 1000,
  methods: skills => ({ counted: async name => skills.use('counter').first(counter => counter.greet(name)) }),
})

test('an engine has the methods of its kinds, each engine its own', async () => {
  const counting = (from: number) => {
    let count = from
    return engine({
      kinds: [counterKind],
      plugins: [defineProvider({ kind: 'counter', id: 'c', setup: () => ({ greet: name => `${name} ${count++}` }) })],
    }).skills
  }
  const [one, other] = [counting(1), counting(100)]
  expect([await one.counted('a'), await other.counted('a'), await one.counted('a')]).toEqual(['a 1', 'a 100', 'a 2'])
})

test('a method of a kind does not stand in for one of the engine', async () => {
  const overreaching: KindDefinition = {
    ...counterKind,
    methods: () => ({ catalog: () => 'mine', counted: async () => 'here' }) as Partial<Methods>,
  }
  const { skills } = engine({ plugins: [], kinds: [overreaching] })
  expect((await skills.catalog()).size).toBe(0)
  expect(await skills.counted('a')).toBe('here')
})

test('a method of a kind asks no question before it is called', () => {
  let setUps = 0
  const setup = (): Greeter => {
    setUps++
    return { greet: name => name }
  }
  const { skills } = engine({ kinds: [counterKind], plugins: [defineProvider({ kind: 'counter', id: 'c', setup })] })
  expect([typeof skills.counted, setUps]).toEqual(['function', 0])
})
