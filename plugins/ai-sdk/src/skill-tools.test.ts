import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { SkillsError } from '@skills/core'
import { AgentSession } from '@skills/host/session'
import { generateText, stepCountIs, tool } from 'ai'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { aiSdkSkills } from './index.js'
import { adapterSuite, sessionOver, call, deploy, scripted, sent } from '../../../packages/host/test/adapter-suite.js'
import { engineOver, skillMd } from '../../../packages/distributions/test/engine-over.js'
import type { ModelServer } from '@skills/testing/model-server'

const modelAt = ({ url }: ModelServer) => createOpenAICompatible({ name: 'scripted', baseURL: url })('small')

adapterSuite('the AI SDK', async ({ server, session, system, use }) => {
  const own = (name: string) =>
    tool({
      description: name,
      inputSchema: z.object({ file_path: z.string() }),
      execute: ({ file_path }) => use?.(`${name} ${file_path}`),
    })
  const tools = use && { Read: own('Read'), Write: own('Write') }
  const parts = aiSdkSkills(session, { system, tools })
  const { text } = await generateText({ model: modelAt(server), prompt: 'Go.', stopWhen: stepCountIs(5), ...parts })
  session.endTurn()
  return text
})

describe('the tools in the loop of the AI SDK', () => {
  test('as approvals end the answer with a question, and a yes is one to that call alone', async () => {
    const opened = engineOver({
      'repo/.claude/skills/build/SKILL.md': skillMd('Builds.', 'Now: !`echo built`', 'allowed-tools: Read'),
    })
    const server = await scripted(call('Skill', { skill: 'build' }))
    const session = await sessionOver(opened)
    const parts = aiSdkSkills(session, { approvals: true })
    const first = await generateText({ model: modelAt(server), prompt: 'Build.', stopWhen: stepCountIs(3), ...parts })
    const request = first.content.find(({ type }) => type === 'tool-approval-request')
    expect(request).toMatchObject({ toolCall: { toolName: 'Skill', input: { skill: 'build' } } })
    const approvalId = request?.type === 'tool-approval-request' ? request.approvalId : ''
    await generateText({
      model: modelAt(server),
      messages: [
        { role: 'user', content: 'Build.' },
        ...first.response.messages,
        { role: 'tool', content: [{ type: 'tool-approval-response', approvalId, approved: true }] },
      ],
      stopWhen: stepCountIs(3),
      ...parts,
    })
    // The skill was allowed, but not the command in it, which is a separate question.
    expect(sent(server, 1)).toMatch(/echo built|Bash/)
    expect(sent(server, 1)).not.toContain('Now: built')
  })

  test('an option that there is not is refused', async () => {
    const session = await sessionOver(engineOver({}))
    expect(() => aiSdkSkills(session, { tool: {} } as never)).toThrow(SkillsError)
  })
})

describe('a conversation', () => {
  test('goes on in another object with what was at work in it', async () => {
    const opened = engineOver(deploy)
    const first = await AgentSession.open(opened.skills, { distribution: opened.distribution, onAsk: () => 'allow' })
    expect((await first.send('/deploy prod')).text).toContain('Deploy prod now.')
    const state: unknown = JSON.parse(JSON.stringify(await first.value()))
    await first.close()
    const second = await sessionOver(opened, { restore: state })
    expect(second.lost).toEqual([])
    expect(second.id).toBe(first.id)
    expect(JSON.stringify(await second.value())).toContain('deploy')
  })

  test('reads a line that is no command as it is', async () => {
    const session = await sessionOver(engineOver(deploy))
    expect((await session.send('Ship it.')).text).toBe('Ship it.')
  })
})
