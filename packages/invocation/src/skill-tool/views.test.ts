import fc from 'fast-check'
import { isHybrid, isModelVisible, isSlashVisible } from '@skills/core'
import { expect, test } from 'vitest'
import { listedBy, viewsOf } from '../skill-tool.js'
import type { Visibility } from './views.js'
import { engineOver, local, skill } from '../../test/engine.js'

const commands = [
  skill('a'),
  skill('b', { disableModelInvocation: true }),
  skill('c', { isSkill: false }),
  skill('d', { hasUserSpecifiedDescription: false, description: '' }),
  local('e'),
  skill('f', { isEnabled: () => false }),
]
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

const anyCommand = fc.oneof(
  fc
    .record({
      source: fc.constantFrom('user', 'builtin'),
      hasUserSpecifiedDescription: fc.boolean(),
      whenToUse: fc.constantFrom(undefined, '', 'Before a release.'),
      isSkill: fc.boolean(),
      disableModelInvocation: fc.boolean(),
      isEnabled: fc.constantFrom(
        () => true,
        () => false,
        () => {
          throw new Error('No one knows.')
        },
      ),
    })
    .map(parts => skill('a', parts)),
  fc.constant(local('a')),
)

test('what is listed is what core has as visible to models, but for what users keep and what is dormant', () => {
  const anyEntry = fc.record({
    name: fc.constant('a'),
    command: anyCommand,
    provider: fc.constant('test'),
    isQualified: fc.constant(false),
    override: fc.constantFrom('on', 'pinned', 'name-only', 'user-only'),
    dormant: fc.constantFrom(undefined, 'It waits for a file.'),
  })
  fc.assert(
    fc.property(anyEntry, entry => {
      expect(listedBy()(entry)).toBe(
        isModelVisible(entry.command) && entry.override !== 'user-only' && entry.dormant === undefined,
      )
    }),
    { numRuns: 1000 },
  )
})

test('the lists are those that core has, where a distribution has no rules of its own', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyCommand), async given => {
      const catalog = await engineOver({
        commands: given.map((command, at) => ({ ...command, name: `s${at}` })),
      }).catalog()
      const of = (rule: typeof isHybrid) => catalog.entries.filter(({ command }) => rule(command))
      expect(viewsOf(catalog)).toEqual({
        modelVisible: of(isModelVisible),
        slashVisible: of(isSlashVisible),
        hybrid: of(isHybrid),
      })
    }),
    { numRuns: 200 },
  )
})

test('a command that no longer says whether it is enabled takes no list along', async () => {
  let asked = 0
  const moody = skill('a', {
    isEnabled: () => {
      if (asked++ > 0) throw new Error('No one knows.')
      return true
    },
  })
  const catalog = await engineOver({ commands: [moody, skill('b')] }).catalog()
  asked = 0
  expect(names(viewsOf(catalog).modelVisible)).toContain('b')
})
