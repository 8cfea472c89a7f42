import { createSkills } from '@skills/core'
import { invocationKinds } from '@skills/invocation'
import { expect, it, vi } from 'vitest'
import * as runner from './index.js'

const loaded = vi.hoisted(() => vi.fn<() => void>())

vi.mock('ai', () => {
  loaded()
  return {}
})

it('exports these', () => {
  expect(Object.keys(runner).toSorted()).toEqual([
    'aiSdkRunner',
    'converse',
    'effortOptions',
    'heardModel',
    'idempotent',
    'modelFailure',
  ])
})

it('reads nothing of the AI SDK before an agent runs', async () => {
  const skills = createSkills({
    kinds: invocationKinds,
    onDiagnostic: () => {},
    plugins: [
      runner.aiSdkRunner({
        model() {
          throw new Error('No one is there.')
        },
      }),
    ],
  })
  try {
    const run = () =>
      skills
        .use('runner')
        .first((one, call) =>
          one.run(
            {
              agentId: 'a',
              agentType: 'general-purpose',
              messages: [],
              tools: { without: [] },
              maxSteps: 1,
              depth: 1,
              authorize: () => Promise.reject(new Error('No one asks.')),
              used: async () => {},
              progress() {},
            },
            call,
          ),
        )
    await skills.use('runner').first(() => undefined)
    expect(loaded).not.toHaveBeenCalled()
    await expect(run()).rejects.toThrow('No one is there.')
    expect(loaded).toHaveBeenCalledOnce()
  } finally {
    await skills.close()
  }
})
