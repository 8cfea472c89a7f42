// #region usage
import { skillsMiddleware } from '@skills/langchain'
import { createAgent } from 'langchain'
import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import type { HostSkills } from '@skills/host'

async function ask(skills: HostSkills, model: BaseChatModel, line: string) {
  const session = await skills.session({ onAsk: () => 'deny' })
  try {
    const agent = createAgent({ model, middleware: [skillsMiddleware(session)] })
    const { messages } = await agent.invoke({ messages: [{ role: 'user', content: (await session.send(line)).text }] })
    return messages.at(-1)?.text
  } finally {
    await session.end()
  }
}
// #endregion usage
import { ChatOpenAI } from '@langchain/openai'
import { openSkills } from '@skills/host'
import { modelServer } from '@skills/testing/model-server'
import { expect, onTestFinished, test } from 'vitest'
import { engineOver } from '../../../packages/distributions/test/engine-over.js'

test('the README answers', async () => {
  const server = await modelServer('openai', () => ({ text: 'Done.' }))
  onTestFinished(() => server.close())
  const model = new ChatOpenAI({ model: 'small', apiKey: 'none', configuration: { baseURL: server.url } })
  const skills = await openSkills(engineOver({}).distribution)
  onTestFinished(() => skills.close())
  expect(await ask(skills, model, 'Ship it.')).toBe('Done.')
})
