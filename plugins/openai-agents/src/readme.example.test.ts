// #region usage
import { Agent, Runner, type Model } from '@openai/agents'
import { openAiSkills } from '@skills/openai-agents'
import type { HostSkills } from '@skills/host'

async function ask(skills: HostSkills, model: Model, line: string) {
  const session = await skills.session({ onAsk: () => 'deny' })
  try {
    const parts = openAiSkills(session, { instructions: 'You are a helpful agent.' })
    const agent = new Agent({ name: 'Helper', model, ...parts })
    const { finalOutput } = await new Runner({ tracingDisabled: true }).run(agent, (await session.send(line)).text)
    return finalOutput
  } finally {
    await session.end()
  }
}
// #endregion usage
import { OpenAIChatCompletionsModel } from '@openai/agents'
import { openSkills } from '@skills/host'
import { modelServer } from '@skills/testing/model-server'
import OpenAI from 'openai'
import { expect, onTestFinished, test } from 'vitest'
import { engineOver } from '../../../packages/distributions/test/engine-over.js'

test('the README answers', async () => {
  const server = await modelServer('openai', () => ({ text: 'Done.' }))
  onTestFinished(() => server.close())
  const model = new OpenAIChatCompletionsModel(new OpenAI({ apiKey: 'none', baseURL: server.url }), 'small')
  const skills = await openSkills(engineOver({}).distribution)
  onTestFinished(() => skills.close())
  expect(await ask(skills, model, 'Ship it.')).toBe('Done.')
})
