/* oxlint-disable no-restricted-imports -- the README imports the package by its name, as its readers do */
import { expect, test } from 'vitest'
// #region usage
import { createSkills, type Plugin } from '@skills/core'
import { forkExecutor } from '@skills/executor-fork'
import { invocationKinds, Invoker } from '@skills/invocation'
import { stateKind } from '@skills/state'
import { expanderKind } from '@skills/expansion'

const reviewer = { name: 'reviewer', system: 'You read carefully and change nothing.', tools: ['Read', 'Bash(git:*)'] }

async function resultOf(name: string, plugins: readonly Plugin[]) {
  const skills = createSkills({
    kinds: [...invocationKinds, expanderKind, stateKind],
    plugins: [...plugins, forkExecutor({ agents: [reviewer] })],
    onDiagnostic: ({ message }) => process.emitWarning(message),
  })
  skills.hook('fork:ended', ({ commandName, isBackground }) =>
    isBackground ? process.emitWarning(`${commandName} has ended.`) : undefined,
  )
  try {
    const { data } = await new Invoker(skills).invoke({ name, caller: 'model' })
    return data['result']
  } finally {
    await skills.close()
  }
}
// #endregion usage

test('a skill is run by a sub-agent with tools of its own', async () => {
  const { defineProvider, loadResult, promptCommand } = await import('@skills/core')
  const review = promptCommand({
    name: 'review',
    source: 'user',
    context: 'fork',
    agent: 'reviewer',
    load: () => ({ template: 'Look at the last change.' }),
  })
  const allow = { behavior: 'allow', message: 'Yes', decisionReason: { type: 'default' } } as const
  expect(
    await resultOf('review', [
      defineProvider({
        kind: 'source',
        id: 'user',
        setup: () => ({ source: 'user', list: () => loadResult({ commands: [review] }) }),
      }),
      defineProvider({ kind: 'permission', id: 'all', setup: () => ({ check: () => allow }) }),
      defineProvider({
        kind: 'runner',
        id: 'asks',
        setup: () => ({
          run: async ({ authorize }) => ({
            text: (
              await Promise.all(
                ['git log', 'git log; id'].map(
                  async content => (await authorize({ tool: 'Bash', content, input: content })).behavior,
                ),
              )
            ).join(', '),
          }),
        }),
      }),
    ]),
  ).toBe('allow, deny')
})
