// #region usage
import { enginePort, ListingRecord, skillReminder, skillTool } from '@skills/invocation/skill-tool'
import type { Skills } from '@skills/core'
import type { Message } from '@skills/invocation'
import type { OnAsk } from '@skills/rules'

async function skillsFor(skills: Skills, onAsk: OnAsk) {
  const port = enginePort(skills, { onAsk })
  const record = new ListingRecord(skills)
  const tool = await skillTool(port)
  return {
    tool,
    /** Returns the news about skills, to be sent before each turn of the model. */
    async reminders(contextWindow: number): Promise<readonly Message[]> {
      const news = record.next(await port.listing({ contextWindow }))
      return news === undefined ? [] : [skillReminder(news)]
    },
    /** Returns the tool result for the model, and messages for the conversation. */
    async answer(id: string, input: unknown) {
      const permission = await tool.checkPermissions(input)
      if (permission.behavior === 'deny')
        return { result: tool.toToolResult({ error: new Error(permission.message) }, id), messages: [] }
      try {
        const outcome = await tool.call(input, { toolUseId: id })
        return { result: tool.toToolResult({ outcome }, id), messages: outcome.newMessages }
      } catch (error) {
        return { result: tool.toToolResult({ error }, id), messages: [] }
      }
    },
  }
}
// #endregion usage

import { createSkills, loadResult, promptCommand } from '@skills/core'
import { invocationKinds } from '@skills/invocation'
import { formatterKind } from '../skill-tool.js'
import type { Message as Said } from '@skills/invocation'
import { fakeHost } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'
import { namesFormatter } from '../../test/engine.js'

it('tells a model of skills and runs those it calls, as the README shows', async () => {
  const said: Said = { type: 'user', isMeta: true, content: [{ type: 'text', text: 'Ship it.' }] }
  const skills = createSkills({
    host: fakeHost(),
    onDiagnostic: () => {},
    kinds: [...invocationKinds, formatterKind],
    plugins: [
      {
        kind: 'source',
        id: 'user',
        setup: () => ({
          source: 'user',
          list: () =>
            loadResult({
              commands: [
                promptCommand({
                  name: 'deploy',
                  source: 'user',
                  description: 'Ships.',
                  load: () => ({ template: '' }),
                }),
              ],
            }),
        }),
      },
      { kind: 'formatter', id: 'names', setup: () => namesFormatter() },
      {
        kind: 'permission',
        id: 'not-now',
        setup: () => ({
          check: () => ({ behavior: 'ask', message: 'Execute skill', decisionReason: { type: 'default' } }),
        }),
      },
      {
        kind: 'executor',
        id: 'inline',
        setup: () => ({
          execute: ({ entry: { name } }) => ({
            data: { success: true, commandName: name, status: 'inline' },
            newMessages: [said],
          }),
        }),
      },
    ],
  })
  onTestFinished(() => skills.close())
  const { reminders, answer } = await skillsFor(skills, ({ request: { args } }) => (args === 'now' ? 'deny' : 'allow'))
  expect((await reminders(200_000)).map(({ content }) => content)).toEqual([
    '<system-reminder>\nThe following skills are available for use with the Skill tool:\n\n- deploy: Does deploy.\n</system-reminder>',
  ])
  expect(await reminders(200_000)).toEqual([])
  expect(await answer('t1', { skill: '/deploy' })).toEqual({
    result: { type: 'tool_result', tool_use_id: 't1', content: 'Launching skill: deploy' },
    messages: [{ ...said, toolUseId: 't1' }],
  })
  expect(await answer('t2', { skill: 'deploy', args: 'now' })).toMatchObject({
    result: { content: expect.stringMatching(/^Execute skill: .* no\./) as string, is_error: true },
    messages: [],
  })
  expect(await answer('t3', { skill: 'deplyo' })).toMatchObject({
    result: { content: 'Unknown skill: deplyo. Did you mean deploy?', is_error: true },
  })
})
