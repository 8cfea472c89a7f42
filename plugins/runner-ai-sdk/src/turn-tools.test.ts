import { jsonSchema, tool } from 'ai'
import { createSkills, defineProvider, loadResult, promptCommand, type Skills } from '@skills/core'
import { AgentSession } from '@skills/host/session'
import { fakeHost } from '@skills/testing'
import { invocationKinds } from '@skills/invocation'
import { expect, onTestFinished, test } from 'vitest'
import { TurnTools } from './turn-tools.js'

const model = { contextModifier: <C>(context: C): C => ({ ...context, options: { mainLoopModel: 'other' } }) }

async function turnWith(
  signal: AbortSignal,
  run: () => void,
): Promise<{ readonly turn: TurnTools; readonly session: AgentSession }> {
  const data = { success: true, commandName: 'deploy', status: 'inline' } as const
  const commands = [promptCommand({ name: 'deploy', source: 'user', load: () => ({ template: '' }) })]
  const skills: Skills = createSkills({
    kinds: invocationKinds,
    host: fakeHost(),
    onDiagnostic: () => {},
    plugins: [
      defineProvider({
        kind: 'source',
        id: 'test',
        setup: () => ({ source: 'user', list: () => loadResult({ commands }) }),
      }),
      defineProvider({
        kind: 'permission',
        id: 'test',
        setup: () => ({ check: () => ({ behavior: 'allow', message: 'Yes.', decisionReason: { type: 'host' } }) }),
      }),
      defineProvider({
        kind: 'executor',
        id: 'inline',
        setup: () => ({
          execute() {
            run()
            return { data, newMessages: [], ...model }
          },
        }),
      }),
    ],
  })
  onTestFinished(() => skills.close())
  const session = await AgentSession.open(skills, { gives: 'messages' })
  const turn = new TurnTools({
    ai: { tool, jsonSchema },
    tracers: skills.use('tracer'),
    own: {},
    session,
    contentOf: () => '',
    progress: () => {},
    report: () => {},
    signal,
  })
  return { turn, session }
}

test.each([true, false])(
  'a skill that ends when its line was given up (%s) changes nothing for the next one',
  async isGivenUp => {
    const controller = new AbortController()
    const { turn, session } = await turnWith(controller.signal, () => isGivenUp && controller.abort())
    await turn.shown()
    const used = turn.use([{ toolCallId: 'c1', toolName: 'Skill', input: { skill: 'deploy' } }], [])
    expect(await used.catch((error: unknown) => error)).toMatchObject(
      isGivenUp ? { name: 'AbortError' } : { results: [{}] },
    )
    expect(session.wanted.model).toBe(isGivenUp ? undefined : 'other')
  },
)

test.each(['constructor', '__proto__', 'Bash'])('there is no tool %s that no one offered', async toolName => {
  const { turn } = await turnWith(new AbortController().signal, () => {})
  await turn.shown()
  const { results } = await turn.use([{ toolCallId: 'c1', toolName, input: {} }], [])
  expect(results).toMatchObject([
    { content: [{ output: { type: 'error-text', value: `There is no tool "${toolName}".` } }] },
  ])
})
