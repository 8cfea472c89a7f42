// #region usage
import { AgentSkills } from '@skills/invocation/agent-skills'
import { skillsMiddleware } from '@skills/langchain'
import { createAgent } from 'langchain'
import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import type { Skills } from '@skills/core'

async function ask(skills: Skills, model: BaseChatModel, line: string) {
  const conversation = await AgentSkills.open(skills, { onAsk: () => 'deny' })
  try {
    const agent = createAgent({ model, middleware: [skillsMiddleware(conversation)] })
    const { messages } = await agent.invoke({ messages: [{ role: 'user', content: await conversation.turn(line) }] })
    return messages.at(-1)?.text
  } finally {
    await conversation.end()
  }
}
// #endregion usage
import { ChatOpenAI } from '@langchain/openai'
import { modelServer } from '@skills/testing/model-server'
import { expect, onTestFinished, test } from 'vitest'
import { engineOver } from '../../../packages/distributions/test/engine-over.js'

test('the README answers', async () => {
  const server = await modelServer('openai', () => ({ text: 'Done.' }))
  onTestFinished(() => server.close())
  const model = new ChatOpenAI({ model: 'small', apiKey: 'none', configuration: { baseURL: server.url } })
  expect(await ask(engineOver({}).skills, model, 'Ship it.')).toBe('Done.')
})
