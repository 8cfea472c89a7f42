import { expect, test } from 'vitest'
import { SkillsError } from '@skills/core'
import { Listings } from '../skill-tool.js'
import { engineOver, local, namesFormatter, skill } from '../../test/engine.js'

const commands = [
  skill('a'),
  skill('b', { disableModelInvocation: true }),
  skill('c'),
  skill('d', { isSkill: false }),
  local('e'),
  skill('f', { hasUserSpecifiedDescription: false, description: '' }),
  skill('g'),
]

test('a model is told of the described skills it may invoke, except those the user keeps for themselves', async () => {
  const skills = engineOver({ commands, formatter: namesFormatter(), overrides: { c: 'user-only' } })
  const { entries } = await new Listings(skills).listing()
  expect(entries.map(({ name }) => name)).toEqual(['a', 'g'])
})

test('a distribution says who is listed', async () => {
  const skills = engineOver({ commands, formatter: namesFormatter() })
  const { entries } = await new Listings(skills, {
    isListed: ({ command }) => command.type === 'prompt' && !command.disableModelInvocation,
  }).listing()
  expect(entries.map(({ name }) => name)).toEqual(['a', 'c', 'd', 'f', 'g'])
})

test('each new listing is told of once, with the names that found no room', async () => {
  const skills = engineOver({ commands, formatter: namesFormatter(1) })
  const told: unknown[] = []
  skills.hook('listing:formatted', event => told.push(['formatted', event.listing.entries.length, event.agentId]))
  skills.hook('listing:truncated', event => told.push(['truncated', event]))
  const listings = new Listings(skills)
  const first = await listings.listing({ agentId: 'a1' })
  expect(await listings.listing()).toBe(first)
  await new Promise(resolve => {
    setImmediate(resolve)
  })
  expect(told).toEqual([
    ['formatted', 1, 'a1'],
    [
      'truncated',
      {
        agentId: 'a1',
        omitted: ['c', 'g'],
        truncated: [],
        omittedCount: 2,
        truncatedCount: 0,
        total: 3,
        budgetChars: 8000,
        usedChars: first.usedChars,
      },
    ],
  ])
})

test('without a formatter no one says which skills there are', async () => {
  await expect(new Listings(engineOver({ commands })).listing()).rejects.toSatisfy(
    error => SkillsError.is(error) && error.code === 'E_MISSING_PROVIDER',
  )
})

test.each([
  ['text', 'it is not an object'],
  [null, 'it is not an object'],
  [{}, 'its text is not a string'],
  [{ text: '', entries: [], omitted: 'a' }, 'its omitted is not a list'],
  [{ text: '', entries: [], omitted: [], truncated: [] }, 'its budgetChars or usedChars is not a number'],
])('what a formatter gives is checked: %j', async (given, problem) => {
  await expect(
    new Listings(engineOver({ commands, formatter: { format: () => given as never } })).listing(),
  ).rejects.toMatchObject({ code: 'E_PROVIDER_FAILED', message: expect.stringContaining(problem) as string })
})
