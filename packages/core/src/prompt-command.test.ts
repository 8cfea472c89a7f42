import { expect, test } from 'vitest'
import { isModelVisible, isUserVisible, mayModelInvoke, mayUserInvoke, promptCommand } from './index.js'
import { checkedResult } from './source.js'

const load = () => ({ template: '' })

test('what is not said has a default', async () => {
  const command = promptCommand({ name: 'deploy', source: 'team', load })
  expect((await checkedResult('team', { commands: [command] }, { context: [], shell: [] }))?.errors).toEqual([])
  expect(command).toMatchObject({
    type: 'prompt',
    name: 'deploy',
    displayName: 'deploy',
    source: 'team',
    description: 'deploy',
    hasUserSpecifiedDescription: false,
    context: 'inline',
    load,
  })
  expect([mayUserInvoke(command), mayModelInvoke(command), isModelVisible(command)]).toEqual([true, true, false])
})

test('what is said counts, and what follows from it', () => {
  const command = promptCommand({
    name: 'deploy',
    source: 'team',
    load,
    description: 'Ships.',
    userInvocable: false,
    isSkill: false,
    displayName: 'Deploy it',
    contentLength: 7,
  })
  expect(command).toMatchObject({
    displayName: 'Deploy it',
    hasUserSpecifiedDescription: true,
    isHidden: true,
    progressMessage: 'running',
    contentLength: 7,
  })
  expect(isUserVisible(command)).toBe(false)
})
