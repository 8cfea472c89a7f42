import { jsonSchema, tool } from 'ai'
import { createSkills } from '@skills/core'
import { fakeHost } from '@skills/testing'
import { invocationKinds, Session, type Outcome } from '@skills/invocation'
import { expect, onTestFinished, test } from 'vitest'
import { TurnTools, type TurnToolsOptions } from './turn-tools.js'

const outcome: Outcome = { data: { success: true, commandName: 'deploy', status: 'inline' }, newMessages: [] }

function turnWith(
  signal: AbortSignal,
  run: () => Promise<Outcome>,
): { readonly turn: TurnTools; readonly taken: Outcome[] } {
  const taken: Outcome[] = []
  const skills = createSkills({ kinds: invocationKinds, plugins: [], host: fakeHost(), onDiagnostic: () => {} })
  onTestFinished(() => skills.close())
  const skillTool: Pick<TurnToolsOptions['skillTool'], 'name' | 'inputSchema' | 'describe' | 'call' | 'toToolResult'> =
    {
      name: 'Skill',
      inputSchema: { type: 'object' },
      describe: async () => 'Runs a skill.',
      call: run,
      toToolResult: (_end, toolUseId) => ({ type: 'tool_result', tool_use_id: toolUseId, content: 'It ran.' }),
    }
  const turn = new TurnTools({
    ai: { tool, jsonSchema },
    skills,
    skillTool: skillTool as TurnToolsOptions['skillTool'],
    own: {},
    session: Session.open(skills),
    onAsk: undefined,
    contentOf: () => '',
    progress: () => {},
    report: () => {},
    signal,
    take(one) {
      taken.push(one)
      return []
    },
  })
  return { turn, taken }
}

test('a skill that ends when its line was given up changes nothing for the next one', async () => {
  const controller = new AbortController()
  const { turn, taken } = turnWith(controller.signal, async () => {
    controller.abort()
    return outcome
  })
  await turn.shown(undefined)
  await expect(
    turn.use([{ toolCallId: 'c1', toolName: 'Skill', input: { skill: 'deploy' } }], []),
  ).rejects.toMatchObject({ name: 'AbortError' })
  expect(taken).toEqual([])
})

test.each(['constructor', '__proto__', 'Bash'])('there is no tool %s that no one offered', async toolName => {
  const { turn } = turnWith(new AbortController().signal, async () => outcome)
  await turn.shown(undefined)
  const { results } = await turn.use([{ toolCallId: 'c1', toolName, input: {} }], [])
  expect(results).toMatchObject([
    { content: [{ output: { type: 'error-text', value: `There is no tool "${toolName}".` } }] },
  ])
})
