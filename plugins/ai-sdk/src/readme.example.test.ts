// #region usage
import { aiSdkSkills } from '@skills/ai-sdk'
import { openSkills } from '@skills/host'
import { generateText, stepCountIs, type LanguageModel } from 'ai'

async function ask(model: LanguageModel, prompt: string) {
  const skills = await openSkills('standard', { onAsk: () => 'deny' })
  const session = await skills.session()
  try {
    const parts = aiSdkSkills(session, { system: 'You are a helpful agent.' })
    const { text } = await generateText({
      model,
      prompt: (await session.send(prompt)).text,
      stopWhen: stepCountIs(20),
      ...parts,
    })
    return text
  } finally {
    await session.end()
    await skills.close()
  }
}
// #endregion usage
// #region route
import { chatRoute, memoryChats } from '@skills/ai-sdk'
import type { HostSkills } from '@skills/host'

/** Makes `export const POST = chatOf(…)` for a framework with web requests. */
function chatOf(skills: HostSkills, model: LanguageModel, personOf: (request: Request) => Promise<string | undefined>) {
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
  const { distribution, path } = engineOver({})
  const skills = await openSkills(distribution)
  onTestFinished(() => skills.close())
  vi.spyOn(process, 'cwd').mockReturnValue(`${path}/repo`)
  vi.stubEnv('HOME', `${path}/home`)
  const model = createOpenAICompatible({ name: 'scripted', baseURL: server.url })('small')
  expect(await ask(model, 'Ship it.')).toBe('Done.')
  const page = new Page(await served(chatOf(skills, model, async () => 'ada')), 'ada')
  await page.sendMessage({ text: 'Hello.' })
  expect(page.shown).toEqual(['user: Hello.', 'assistant: Done.'])
})
