// #region usage
import { Agent, Runner, type Model } from '@openai/agents'
import { AgentSkills } from '@skills/invocation/agent-skills'
import { openAiSkills } from '@skills/openai-agents'
import type { Skills } from '@skills/core'

async function ask(skills: Skills, model: Model, line: string) {
  const conversation = await AgentSkills.open(skills, { onAsk: () => 'deny' })
  try {
    const parts = openAiSkills(conversation, { instructions: 'You are a helpful agent.' })
    const agent = new Agent({ name: 'Helper', model, ...parts })
    const { finalOutput } = await new Runner({ tracingDisabled: true }).run(agent, await conversation.turn(line))
    return finalOutput
  } finally {
    await conversation.end()
  }
}
// #endregion usage
import { OpenAIChatCompletionsModel } from '@openai/agents'
import { modelServer } from '@skills/testing/model-server'
import OpenAI from 'openai'
import { expect, onTestFinished, test } from 'vitest'
import { engineOver } from '../../../packages/distributions/test/engine-over.js'

test('the README answers', async () => {
  const server = await modelServer('openai', () => ({ text: 'Done.' }))
  onTestFinished(() => server.close())
  const model = new OpenAIChatCompletionsModel(new OpenAI({ apiKey: 'none', baseURL: server.url }), 'small')
  expect(await ask(engineOver({}).skills, model, 'Ship it.')).toBe('Done.')
})
