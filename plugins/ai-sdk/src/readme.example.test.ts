// #region usage
import { aiSdkSkills } from '@skills/ai-sdk'
import { createSkills } from '@skills/core'
import { standard } from '@skills/distributions'
import { AgentSkills } from '@skills/invocation/agent-skills'
import { generateText, stepCountIs, type LanguageModel } from 'ai'

async function ask(model: LanguageModel, prompt: string) {
  const distribution = standard({ onDiagnostic: ({ message }) => process.emitWarning(message) })
  const skills = createSkills(distribution)
  const agent = await AgentSkills.open(skills, { distribution, onAsk: () => 'deny' })
  try {
    const parts = aiSdkSkills(agent, { system: 'You are a helpful agent.' })
    const { text } = await generateText({
      model,
      prompt: await agent.turn(prompt),
      stopWhen: stepCountIs(20),
      ...parts,
    })
    return text
  } finally {
    await agent.end()
    await skills.close()
  }
}
// #endregion usage
// #region route
import { chatRoute, memoryChats } from '@skills/ai-sdk'
import type { Skills } from '@skills/core'

/** `export const POST = chatOf(…)` of a framework whose servers take web requests. */
function chatOf(skills: Skills, model: LanguageModel, personOf: (request: Request) => Promise<string | undefined>) {
  return chatRoute({
    skills,
    model,
    personOf,
    chats: memoryChats(),
    system: 'You are a helpful agent.',
    onError: error => process.emitWarning(String(error)),
  })
}
// #endregion route
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { modelServer } from '@skills/testing/model-server'
import { expect, onTestFinished, test, vi } from 'vitest'
import { engineOver } from '../../../packages/distributions/test/engine-over.js'
import { Page, served } from '../test/web-page.js'

test('the README answers, and its route chats', async () => {
  const server = await modelServer('openai', () => ({ text: 'Done.' }))
  onTestFinished(() => server.close())
  const { skills, path } = engineOver({})
  vi.spyOn(process, 'cwd').mockReturnValue(`${path}/repo`)
  vi.stubEnv('HOME', `${path}/home`)
  const model = createOpenAICompatible({ name: 'scripted', baseURL: server.url })('small')
  expect(await ask(model, 'Ship it.')).toBe('Done.')
  const page = new Page(await served(chatOf(skills, model, async () => 'ada')), 'ada')
  await page.sendMessage({ text: 'Hello.' })
  expect(page.shown).toEqual(['user: Hello.', 'assistant: Done.'])
})
