import { expect, it } from 'vitest'
import { jsonSchema, tool, type ToolSet } from 'ai'
import { z } from 'zod'
import { gate } from '../test/gate.js'
import { running } from '../test/running.js'
import { call, callsTools, says, scriptedModel, type ScriptedModel } from '../test/scripted-model.js'
import type { PermissionDecision } from '@skills/rules'
import type { RunRequest } from '@skills/invocation'

const answer = (behavior: PermissionDecision['behavior'], message: string): PermissionDecision => ({
  behavior,
  message,
  decisionReason: { type: 'rule' },
})

/** Makes tools that record their calls. */
function loggingTools(names: readonly string[]): { readonly tools: ToolSet; readonly log: readonly string[] } {
  const log: string[] = []
  const made = names.map(name => [
    name,
    tool({
      inputSchema: jsonSchema<{ readonly command?: string }>({ type: 'object' }),
      execute(input) {
        log.push(`${name} ${JSON.stringify(input)}`)
        return 'Done.'
      },
    }),
  ])
  return { tools: Object.fromEntries(made), log }
}

const resultOf = ({ sent }: ScriptedModel, at = 1): unknown => sent[at]?.prompt.at(-1)

/** Matches the text of an error that the model reads: version 7 of the AI SDK writes `Error: ` before it. */
const errorText = (text: string): unknown =>
  expect.stringMatching(new RegExp(`^(?:Error: )?${text.replaceAll(/[()*.]/g, String.raw`\$&`)}$`))

it('does not call a tool that is denied, and the model reads why', async () => {
  const model = scriptedModel([callsTools(call('Bash', { command: 'git push' })), says('I may not.')])
  const { tools, log } = loggingTools(['Bash'])
  const { result, used, progress } = running(
    { model, tools },
    { authorize: async () => answer('deny', 'The rule Bash(git push:*) denies it.') },
  )
  expect((await result).text).toBe('I may not.')
  expect(log).toEqual([])
  expect(used).toEqual([])
  expect(progress.filter(({ type }) => type === 'tool')).toEqual([])
  expect(resultOf(model)).toMatchObject({
    content: [{ output: { type: 'error-text', value: errorText('The rule Bash(git push:*) denies it.') } }],
  })
})

it('takes a question that no one answered for a no', async () => {
  const model = scriptedModel([callsTools(call('Bash', { command: 'ls' })), says('No.')])
  const { tools, log } = loggingTools(['Bash'])
  await running({ model, tools }, { authorize: async () => answer('ask', 'Use Bash?') }).result
  expect(log).toEqual([])
})

it('takes a question that fails for a no, and says so', async () => {
  const model = scriptedModel([callsTools(call('Bash', { command: 'ls' })), says('No.')])
  const { tools, log } = loggingTools(['Bash'])
  const { result, diagnostics } = running(
    { model, tools },
    { authorize: () => Promise.reject(new Error('The rules are gone.')) },
  )
  expect((await result).text).toBe('No.')
  expect(log).toEqual([])
  expect(resultOf(model)).toMatchObject({
    content: [{ output: { type: 'error-text', value: expect.stringMatching(/ Bash .*: The rules are gone\.$/) } }],
  })
  expect(diagnostics).toMatchObject([
    { code: 'tool-permission-failed', message: expect.stringContaining('The rules are gone.') },
  ])
})

it('asks about each of several calls at once, and each is answered for itself', async () => {
  const model = scriptedModel([
    callsTools(
      call('Bash', { command: 'ls' }, 'a'),
      call('Bash', { command: 'rm x' }, 'b'),
      call('Read', { path: 'x' }, 'c'),
    ),
    says('Done.'),
  ])
  const { tools, log } = loggingTools(['Bash', 'Read'])
  const asked: unknown[] = []
  await running(
    { model, tools },
    {
      async authorize({ tool: name, content, toolUseId }) {
        asked.push([name, content, toolUseId])
        return content === 'rm x' ? answer('deny', 'Not that.') : answer('allow', 'Yes.')
      },
    },
  ).result
  expect(asked).toEqual([
    ['Bash', 'ls', 'a'],
    ['Bash', 'rm x', 'b'],
    ['Read', 'x', 'c'],
  ])
  expect(log).toEqual(['Bash {"command":"ls"}', 'Read {"path":"x"}'])
  expect(resultOf(model)).toMatchObject({ role: 'tool' })
  const { content } = resultOf(model) as {
    readonly content: readonly { readonly toolCallId: string; readonly output: unknown }[]
  }
  expect(Object.fromEntries(content.map(({ toolCallId, output }) => [toolCallId, output]))).toEqual({
    a: { type: 'text', value: 'Done.' },
    b: { type: 'error-text', value: errorText('Not that.') },
    c: { type: 'text', value: 'Done.' },
  })
})

it.each<[string, RunRequest['tools'], readonly string[]]>([
  ['all, without a list', { without: [] }, ['Bash', 'Read', 'Skill', 'mcp__docs__find', 'mcp__other__find']],
  [
    'all but those it does not have',
    { without: ['Skill', 'Bash(*)'] },
    ['Read', 'mcp__docs__find', 'mcp__other__find'],
  ],
  [
    'those of the list, a rule with content among them',
    { only: ['Bash(git:*)', 'Read'], without: [] },
    ['Bash', 'Read'],
  ],
  ['those of the list that it is not denied', { only: ['Bash(git:*)', 'Skill'], without: ['Skill'] }, ['Bash']],
  ['one of which only some calls are forbidden', { only: ['Bash'], without: ['Bash(rm:*)'] }, ['Bash']],
  ['all of a server', { only: ['mcp__docs__*'], without: [] }, ['mcp__docs__find']],
  ['all of a server by its name', { only: ['mcp__docs'], without: [] }, ['mcp__docs__find']],
  ['all but those of a server', { without: ['mcp__docs', 'Skill'] }, ['Bash', 'Read', 'mcp__other__find']],
  ['none', { only: [], without: [] }, []],
  ['none of just anyone, which no list can allow', { only: ['*', 'mcp__*', 'R*', 'Bash'], without: [] }, ['Bash']],
  ['none that a pattern takes away', { without: ['mcp__*', 'S*'] }, ['Bash', 'Read']],
  ['none where all are taken away', { only: ['Bash'], without: ['*'] }, []],
  ['none of another case', { only: ['bash'], without: [] }, []],
])('shows the model %s', async (_title, limits, shown) => {
  const model = scriptedModel([says('Yes.')])
  await running(
    { model, tools: loggingTools(['Bash', 'Read', 'Skill', 'mcp__docs__find', 'mcp__other__find']).tools },
    { tools: limits },
  ).result
  expect((model.sent[0]?.tools ?? []).map(({ name }) => name)).toEqual(shown)
})

it('does not run a tool that the model was not shown', async () => {
  const model = scriptedModel([callsTools(call('Bash', { command: 'ls' })), says('There is none.')])
  const { tools, log } = loggingTools(['Bash', 'Read'])
  const { result, asked } = running({ model, tools }, { tools: { only: ['Read'], without: [] } })
  await result
  expect([log, asked]).toEqual([[], []])
  expect(resultOf(model)).toMatchObject({
    content: [{ output: { type: 'error-text', value: expect.stringContaining('Bash') } }],
  })
})

it('names a tool of a list that there is not, once', async () => {
  const { tools } = loggingTools(['Bash'])
  const { result, diagnostics } = running(
    { model: scriptedModel([says('Yes.')]), tools },
    { tools: { only: ['Bash(git:*)', 'Reed', 'Reed(x)', 'mcp__later__x'], without: [] } },
  )
  await result
  expect(diagnostics).toMatchObject([
    { severity: 'warning', code: 'unknown-tool', message: expect.stringMatching(/"general-purpose" .*"Reed"/) },
  ])
})

it('does not ask about input that does not fit the tool, and the model hears of it', async () => {
  const model = scriptedModel([callsTools(call('Read', { path: 3 })), says('I see.')])
  const { result, asked } = running({
    model,
    tools: { Read: tool({ inputSchema: z.object({ path: z.string() }), execute: () => 'text' }) },
  })
  await result
  expect(asked).toEqual([])
  expect(resultOf(model)).toMatchObject({ content: [{ output: { type: 'error-text' } }] })
})

it('refuses a tool that runs elsewhere, where no one could be asked', async () => {
  const { result } = running({ model: scriptedModel([]), tools: { web: tool({ inputSchema: z.object({}) }) } })
  await expect(result).rejects.toMatchObject({
    code: 'E_INVALID_OPTION',
    message: expect.stringMatching(/"web" .*execute/),
  })
})

it('does not mind such a tool where the agent does not have it', async () => {
  const { result } = running(
    { model: scriptedModel([says('Yes.')]), tools: { web: tool({ inputSchema: z.object({}) }) } },
    { tools: { without: ['web'] } },
  )
  expect((await result).text).toBe('Yes.')
})

it('asks about a tool that wants an approval of its own as about any other, and goes on', async () => {
  const model = scriptedModel([callsTools(call('Bash', { command: 'ls' })), says('Done.')])
  const { result, asked } = running({
    model,
    tools: {
      Bash: tool({ inputSchema: z.object({ command: z.string() }), needsApproval: true, execute: () => 'ran' }),
    },
  })
  expect((await result).text).toBe('Done.')
  expect(asked).toHaveLength(1)
})

it('tells of a call that failed, and the model reads why', async () => {
  const model = scriptedModel([callsTools(call('Bash', { command: 'ls' })), says('It failed.')])
  const { result, used } = running({
    model,
    tools: {
      Bash: tool({
        inputSchema: z.object({ command: z.string() }),
        execute: async (): Promise<string> => {
          throw new Error('no such file')
        },
      }),
    },
  })
  await result
  expect(used).toMatchObject([{ call: { tool: 'Bash', content: 'ls' }, result: { error: 'no such file' } }])
  expect(resultOf(model)).toMatchObject({
    content: [{ output: { type: 'error-text', value: errorText('no such file') } }],
  })
})

it('gives the model the result although who had to hear of it failed, and says so', async () => {
  const model = scriptedModel([callsTools(call('Bash', { command: 'ls' })), says('Done.')])
  const { tools } = loggingTools(['Bash'])
  const { result, diagnostics } = running(
    { model, tools },
    { used: () => Promise.reject(new Error('The hook is gone.')) },
  )
  await result
  expect(resultOf(model)).toMatchObject({ content: [{ output: { type: 'text', value: 'Done.' } }] })
  expect(diagnostics).toMatchObject([
    { severity: 'warning', code: 'tool-use-untold', message: expect.stringMatching(/^Bash .*: The hook is gone\.$/) },
  ])
})

it('asks in other words where the host has them', async () => {
  const { tools } = loggingTools(['Bash'])
  const { result, asked } = running({
    model: scriptedModel([callsTools(call('Bash', { command: ' ls ' })), says('Yes.')]),
    tools,
    contentOf: name => `${name} as the host sees it`,
  })
  await result
  expect(asked).toMatchObject([{ content: 'Bash as the host sees it' }])
})

it('begins no call that was allowed after the run was aborted', async () => {
  const { tools, log } = loggingTools(['Bash'])
  const asked = gate()
  const answered = gate()
  const { result, abort, clock, diagnostics } = running(
    { model: scriptedModel([callsTools(call('Bash', { command: 'ls' }))]), tools },
    {
      async authorize() {
        asked.open()
        await answered.opened
        return answer('allow', 'Yes.')
      },
    },
  )
  await asked.opened
  abort()
  await expect(result).rejects.toMatchObject({ name: 'AbortError' })
  // An open question does not count as a running tool.
  await clock.advance(5000)
  answered.open()
  await clock.advance(0)
  expect([log, diagnostics]).toEqual([[], []])
})
