import { expect, it } from 'vitest'
import { endpointOf } from './endpoint.js'

it.each([
  [{ ANTHROPIC_API_KEY: 'key' }, 'anthropic.messages', 'claude-sonnet-5-5'],
  [{ ANTHROPIC_API_KEY: 'key', AGENT_MODEL: 'other' }, 'anthropic.messages', 'other'],
  [
    { AGENT_BASE_URL: 'http://127.0.0.1:8080/v1', AGENT_PROTOCOL: 'anthropic', AGENT_MODEL: 'local' },
    'anthropic.messages',
    'local',
  ],
  [
    { AGENT_BASE_URL: 'http://127.0.0.1:11434/v1', AGENT_MODEL: 'local', ANTHROPIC_API_KEY: 'key' },
    'endpoint.chat',
    'local',
  ],
  [{ OPENAI_API_KEY: 'key', AGENT_MODEL: 'some' }, 'endpoint.chat', 'some'],
])('takes %j for an endpoint of %s', (env, provider, model) => {
  const endpoint = endpointOf(env)
  expect(endpoint?.model).toBe(model)
  expect(endpoint?.modelFor('named')).toMatchObject({ provider, modelId: 'named' })
})

it('finds none where none is named, and wants to know the model where no one can guess it', () => {
  expect(endpointOf({})).toBeUndefined()
  expect(() => endpointOf({ AGENT_BASE_URL: 'http://127.0.0.1:8080/v1' })).toThrow('AGENT_MODEL')
})
