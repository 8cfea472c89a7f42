import { expect, test } from 'vitest'
import { listedBy, viewsOf, type Visibility } from './index.js'
import { engineOver, local, skill } from '../test/engine.js'

const commands = [skill('a'), skill('b', { disableModelInvocation: true }), skill('c', { isSkill: false }), skill('d', { hasUserSpecifiedDescription: false }), local('e'), skill('f', { isEnabled: () => false })]
const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name).join('')

test('a catalog has three lists', async () => {
  const { modelVisible, slashVisible, hybrid } = viewsOf(await engineOver({ commands }).catalog())
  expect([names(modelVisible), names(slashVisible), names(hybrid)]).toEqual(['a', 'c', 'ab'])
})

test('a distribution says what is described and whether models are told of skills only', async () => {
  const catalog = await engineOver({ commands }).catalog()
  expect(names(viewsOf(catalog, { isDescribed: () => true }).modelVisible)).toBe('ad')
  expect(names(viewsOf(catalog, { skillsOnly: false }).modelVisible)).toBe('ac')
})

test('the lists of a catalog are made once for each set of rules', async () => {
  const skills = engineOver({ commands })
  const visibility: Visibility = {}
  const first = viewsOf(await skills.catalog(), visibility)
  expect(viewsOf(await skills.catalog(), visibility)).toBe(first)
  skills.invalidate()
  expect(viewsOf(await skills.catalog(), visibility)).not.toBe(first)
})

test('what a user keeps is not listed by the same rules', async () => {
  const { entries } = await engineOver({ commands, overrides: { a: 'user-only' } }).catalog()
  expect(names(entries.filter(listedBy({ skillsOnly: false })))).toBe('c')
})
