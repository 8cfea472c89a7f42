// #region usage
import { createAnthropic } from '@ai-sdk/anthropic'
import { createSkills, type Plugin } from '@skills/core'
import { invocationKinds } from '@skills/invocation'
import { aiSdkRunner } from '@skills/runner-ai-sdk'
import { tool, type ToolSet } from 'ai'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'

const tools: ToolSet = {
  Read: tool({
    description: 'Reads a text file.',
    inputSchema: z.object({ path: z.string() }),
    execute: ({ path }) => readFile(path, 'utf8'),
  }),
}

function engineWith(plugins: readonly Plugin[], baseURL?: string) {
  const anthropic = createAnthropic({
    apiKey: process.env['ANTHROPIC_API_KEY'] ?? 'none',
    ...(baseURL !== undefined && { baseURL }),
  })
  return createSkills({
    kinds: invocationKinds,
    plugins: [
      ...plugins,
      aiSdkRunner({ model: anthropic('claude-sonnet-5-5'), modelFor: name => anthropic(name), tools }),
    ],
    onDiagnostic: ({ message }) => process.emitWarning(message),
  })
}
// #endregion usage
// #region conversation
import { converse, type Model } from '@skills/runner-ai-sdk'
import type { HostSkills } from '@skills/host'
import type { OnAsk } from '@skills/rules'

async function talk(
  skills: Pick<HostSkills, 'session'>,
  model: Model,
  lines: AsyncIterable<string>,
  onAsk: OnAsk,
): Promise<void> {
  const conversation = await converse(skills, {
    model,
    tools,
    onAsk,
    contextWindow: 200_000,
    progress(event) {
      if (event.type === 'text') process.stdout.write(event.text)
      if (event.type === 'refused') process.stdout.write(`[${event.tool} ${event.content}] no: ${event.message}\n`)
    },
    onDiagnostic: ({ message }) => process.emitWarning(message),
  })
  try {
    for await (const line of lines) await conversation.say(line)
  } finally {
    await conversation.close()
  }
}
// #endregion conversation
// #region answer
import { heardModel, modelFailure } from '@skills/runner-ai-sdk'
import * as ai from 'ai'

async function answer(model: Model, prompt: string, warn: (message: string) => void): Promise<string> {
  const heard = heardModel(ai, model, warn)
  let text = ''
  for await (const part of ai.streamText({ model: heard, prompt, onError: () => {} }).fullStream) {
    if (part.type === 'error') throw modelFailure(heard, part.error)
    if (part.type === 'text-delta') text += part.text
  }
  return text
}
// #endregion answer
// #region search
import { enginePort, searchTool } from '@skills/invocation/skill-tool'
import { jsonSchema } from 'ai'
import type { Skills } from '@skills/core'

/** Makes a tool of the host that finds the skills which a listing has no room for. */
async function searchFor(skills: Skills): Promise<ToolSet> {
  const search = await searchTool(enginePort(skills))
  return {
    [search.name]: tool({
      description: search.description,
      inputSchema: jsonSchema(search.inputSchema),
      execute: async (input, { toolCallId, abortSignal }) =>
        search.toToolResult({ outcome: await search.call(input, { signal: abortSignal }) }, toolCallId).content,
    }),
  }
}
// #endregion search

import { expect, it, vi } from 'vitest'
import { conversing, skill } from '../test/conversing.js'
import { end, says, scriptedModel, start, text, type Part } from '../test/scripted-model.js'

it('registers in an engine as the README shows', async () => {
  const skills = engineWith([], 'http://127.0.0.1:9')
  try {
    expect(skills.use('runner').ids).toEqual(['ai-sdk'])
  } finally {
    await skills.close()
  }
})

it('hears a model as the README shows', async () => {
  const warnings: string[] = []
  const warned: Part = { type: 'stream-start', warnings: [{ type: 'unsupported', feature: 'topK' }] }
  expect(
    await answer(
      scriptedModel([[warned, ...text('Yes', '.'), end()]]),
      'Well?',
      message => void warnings.push(message),
    ),
  ).toBe('Yes.')
  expect(warnings).toEqual(['topK is not supported'])
  await expect(answer(scriptedModel([[start, ...text('Ye')]]), 'Well?', () => {})).rejects.toMatchObject({
    code: 'E_PROVIDER_FAILED',
  })
  expect(await answer(scriptedModel([says('No.')]), 'Well?', () => {})).toBe('No.')
})

it('talks as the README shows', async () => {
  const { host, conversation } = await conversing({ model: scriptedModel([]) })
  await conversation.close()
  let shown = ''
  const writing = vi.spyOn(process.stdout, 'write').mockImplementation(chunk => {
    shown += String(chunk)
    return true
  })
  try {
    await talk(
      host,
      scriptedModel([says('One.'), says(' Two.')]),
      (async function* lines() {
        yield 'First.'
        yield 'Second.'
      })(),
      () => 'deny',
    )
  } finally {
    writing.mockRestore()
  }
  expect(shown).toBe('One. Two.')
})

it('searches as the README shows', async () => {
  const { skills, conversation } = await conversing({
    model: scriptedModel([]),
    commands: [skill('greet'), skill('deploy')],
  })
  await conversation.close()
  const [[name, { execute, inputSchema }] = expect.fail('There is no tool.')] = Object.entries(await searchFor(skills))
  expect([name, await execute?.({ query: 'greet' }, { toolCallId: 'a', messages: [] })]).toEqual([
    'SkillSearch',
    '- greet: Does greet.',
  ])
  expect(inputSchema).toMatchObject({ jsonSchema: { required: ['query'] } })
})
