import { expect, onTestFinished, test } from 'vitest'
import { createSkills, defineProvider, loadResult, promptCommand } from '@skills/core'
import { invocationKinds, Invoker, type Outcome } from '@skills/invocation'
import { stateKind } from '@skills/state'
import { expanderKind } from '@skills/expansion'
import { fakeHost } from '@skills/testing'
import { inlineExecutor } from './index.js'

test('what a fork was given is forgotten with it', async () => {
  const command = promptCommand({ name: 'deploy', source: 'user', load: () => ({ template: 'Ship it.' }) })
  const skills = createSkills({
    host: fakeHost(),
    kinds: [...invocationKinds, expanderKind, stateKind],
    onDiagnostic: () => {},
    plugins: [
      defineProvider({
        kind: 'source',
        id: 'source',
        setup: () => ({ source: 'user', list: () => loadResult({ commands: [command] }) }),
      }),
      defineProvider({
        kind: 'permission',
        id: 'all',
        setup: () => ({ check: () => ({ behavior: 'allow', message: 'Yes', decisionReason: { type: 'default' } }) }),
      }),
      inlineExecutor(),
    ],
  })
  onTestFinished(() => skills.close())
  const invoker = new Invoker(skills)
  const invoke = (): Promise<Outcome> => invoker.invoke({ name: 'deploy', caller: 'model', agentId: 'fork' })
  await invoke()
  expect((await invoke()).data).toMatchObject({ isRepeated: true })
  skills.emit('fork:ended', { agentId: 'fork', commandName: 'review', isBackground: false })
  await undefined
  expect((await invoke()).data).not.toHaveProperty('isRepeated')
})
