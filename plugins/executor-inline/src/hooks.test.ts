import { expect, onTestFinished, test } from 'vitest'
import { createSkills, defineProvider, loadResult, promptCommand } from '@skills/core'
import { invocationKinds, Invoker } from '@skills/invocation'
import { stateKind } from '@skills/state'
import { expanderKind } from '@skills/expansion'
import { fakeHost } from '@skills/testing'
import { inlineExecutor } from './index.js'

test('the hooks of a skill are registered before anything is expanded, and undone when that fails', async () => {
  const happened: string[] = []
  const commands = ['fine', 'wrong'].map(name =>
    promptCommand({ name, source: 'user', hooks: { Stop: [] }, load: () => ({ template: `@${name}` }) }),
  )
  const skills = createSkills({
    host: fakeHost(),
    kinds: [...invocationKinds, expanderKind, stateKind],
    onDiagnostic: ({ message }) => happened.push(message),
    plugins: [
      defineProvider({
        kind: 'source',
        id: 'source',
        setup: () => ({ source: 'user', list: () => loadResult({ commands }) }),
      }),
      defineProvider({
        kind: 'trust',
        id: 'trust',
        setup: () => ({ judge: () => ({ level: 'trusted', isApproved: true }) }),
      }),
      defineProvider({
        kind: 'permission',
        id: 'all',
        setup: () => ({ check: () => ({ behavior: 'allow', message: 'Yes', decisionReason: { type: 'default' } }) }),
      }),
      defineProvider({
        kind: 'hooks',
        id: 'hooks',
        setup: () => ({
          register({ command: { name }, trust, agentId }) {
            happened.push(`register ${name} ${trust} ${agentId}`)
            return () => happened.push(`undo ${name}`)
          },
          decide: () => ({}),
        }),
      }),
      defineProvider({
        kind: 'expander',
        id: 'at',
        setup: () => ({
          claims: '@',
          lex: (_text, at) => ({ end: at + 1 }),
          evaluate(_token, { command: { name } }) {
            happened.push(`expand ${name}`)
            if (name === 'wrong') throw new Error('It cannot be expanded.')
            return ''
          },
        }),
      }),
      inlineExecutor(),
    ],
  })
  onTestFinished(() => skills.close())
  const invoker = new Invoker(skills)
  await invoker.invoke({ name: 'fine', caller: 'model', agentId: 'fork' })
  expect(happened).toEqual(['register fine trusted fork', 'expand fine'])
  happened.length = 0
  await expect(invoker.invoke({ name: 'wrong', caller: 'model' })).rejects.toThrow('It cannot be expanded.')
  expect(happened).toEqual(['register wrong trusted undefined', 'expand wrong', 'undo wrong'])
})
