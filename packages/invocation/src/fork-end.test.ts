import { describe, expect, onTestFinished, test } from 'vitest'
import { createSkills, defineProvider, loadResult, promptCommand, type PromptCommand, type Skills } from '@skills/core'
import { fakeHost } from '@skills/testing'
import { InvokedSkills, invocationKinds, Invoker, type Invocation } from './index.js'

function setUp(commands: readonly PromptCommand[]): {
  readonly skills: Skills
  readonly invoker: Invoker
  readonly executed: Invocation[]
} {
  const executed: Invocation[] = []
  const skills = createSkills({
    kinds: invocationKinds,
    host: fakeHost(),
    onDiagnostic: () => {},
    plugins: [
      defineProvider({
        kind: 'source',
        id: 'source',
        setup: () => ({ source: 'user', list: () => loadResult({ commands }) }),
      }),
      defineProvider({
        kind: 'permission',
        id: 'rules',
        setup: () => ({
          check: ({ content, tool }) => ({
            behavior: content === 'secret' ? 'deny' : 'allow',
            message: `${tool}: ${content}`,
            decisionReason: { type: 'default' },
          }),
        }),
      }),
      defineProvider({
        kind: 'executor',
        id: 'inline',
        setup: () => ({
          execute(invocation) {
            executed.push(invocation)
            return {
              data: { success: true, commandName: invocation.entry.name, status: 'inline' },
              newMessages: [{ type: 'user', isMeta: true, content: 'Text.' }],
            }
          },
        }),
      }),
    ],
  })
  onTestFinished(() => skills.close())
  return { skills, invoker: new Invoker(skills), executed }
}

const skill = (name: string, more: Partial<PromptCommand> = {}): PromptCommand =>
  promptCommand({ name, source: 'user', load: args => ({ template: `${name}(${args})` }), ...more })

describe('an invocation', () => {
  test('gives another skill as its agent would invoke it, without arguments', async () => {
    const { invoker, executed } = setUp([
      skill('outer'),
      skill('inner'),
      skill('secret'),
      skill('own', { disableModelInvocation: true }),
    ])
    await invoker.invoke({ name: 'outer', caller: 'user', args: 'x', agentId: 'a', depth: 3 })
    const [outer] = executed
    expect(await outer?.skill('/inner')).toMatchObject({
      body: { template: 'inner()' },
      args: '',
      caller: 'model',
      agentId: 'a',
      depth: 3,
      entry: { name: 'inner' },
    })
    await expect(outer?.skill('secret')).rejects.toMatchObject({ code: 'E_DENIED' })
    await expect(outer?.skill('own')).rejects.toMatchObject({ code: 'E_NOT_INVOCABLE' })
    await expect(outer?.skill('missing')).rejects.toMatchObject({ code: 'E_UNKNOWN_NAME' })
  })

  test('tells that a fork ended, also after its own end and that of the engine', async () => {
    const { skills, invoker, executed } = setUp([skill('outer')])
    const heard: unknown[] = []
    skills.hook('fork:ended', event => heard.push(event))
    await invoker.invoke({ name: 'outer', caller: 'user' })
    const end = { agentId: 'f', commandName: 'outer', isBackground: true, result: 'Done.' }
    executed[0]?.ended(end)
    await skills.close()
    executed[0]?.ended({ ...end, agentId: 'g' })
    await undefined
    expect(heard).toEqual([end, { ...end, agentId: 'g' }])
  })
})

test('what a fork was given is forgotten with it', async () => {
  const { skills, invoker, executed } = setUp([skill('outer')])
  const invoked = new InvokedSkills(skills)
  onTestFinished(() => invoked.stop())
  await invoker.invoke({ name: 'outer', caller: 'model', agentId: 'f' })
  await undefined
  expect(invoked.restore('f')).toHaveLength(1)
  executed[0]?.ended({ agentId: 'f', commandName: 'outer', isBackground: false })
  await undefined
  expect(invoked.restore('f')).toEqual([])
})
