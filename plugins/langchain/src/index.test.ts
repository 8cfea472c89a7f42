import { tool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent } from 'langchain'
import { expect, test } from 'vitest'
import { langchainTools, skillsMiddleware } from './index.js'
import {
  adapterSuite,
  sessionOver,
  call,
  deploy,
  scripted,
  type AdapterRun,
} from '../../../packages/host/test/adapter-suite.js'
import { engineOver } from '../../../packages/distributions/test/engine-over.js'

async function messagesOf({ server, session, system, use }: AdapterRun) {
  const own = (name: string) =>
    tool(input => use?.(`${name} ${(input as { readonly file_path: string }).file_path}`) ?? '', {
      name,
      description: name,
      schema: { type: 'object', properties: { file_path: { type: 'string' } }, required: ['file_path'] },
    })
  const model = { model: 'small', apiKey: 'none', configuration: { baseURL: server.url }, maxRetries: 0 }
  const { messages } = await createAgent({
    model: new ChatOpenAI(model),
    ...(system !== undefined && { systemPrompt: system }),
    tools: use === undefined ? [] : ['Read', 'Write'].map(own),
    middleware: [skillsMiddleware(session)],
  }).invoke({ messages: [{ role: 'user', content: 'Go.' }] })
  return messages
}

adapterSuite('LangChain', async given => (await messagesOf(given)).at(-1)?.text)

test('what is refused is a message with the status of an error', async () => {
  const server = await scripted(call('Skill', { skill: 'deplo' }))
  const messages = await messagesOf({ server, session: await sessionOver(engineOver(deploy)) })
  expect(messages.find(message => message.type === 'tool')).toMatchObject({ status: 'error' })
})

test('the tools stand alone beside a model', async () => {
  const [skill] = langchainTools(await sessionOver(engineOver(deploy)))
  expect(await skill?.invoke({ skill: 'deploy', args: 'prod' })).toContain('Deploy prod now.')
})
