/* oxlint-disable no-restricted-imports -- the README imports the package by its name, as its readers do */
import { expect, test } from 'vitest'
// #region usage
import { inlineExecutor } from '@skills/executor-inline'
import { invocationKinds, Invoker } from '@skills/invocation'
import { expanderKind } from '@skills/expansion'
import { createSkills, type Plugin } from '@skills/core'

async function instructionsOf(name: string, plugins: readonly Plugin[]) {
  const skills = createSkills({
    kinds: [...invocationKinds, expanderKind],
    plugins: [...plugins, inlineExecutor({ strict: true })],
    onDiagnostic: ({ message }) => process.emitWarning(message),
  })
  try {
    const { newMessages, contextModifier } = await new Invoker(skills).invoke({ name, caller: 'model' })
    return {
      read: newMessages.filter(({ isMeta }) => isMeta),
      context: contextModifier?.({ options: { mainLoopModel: 'small[1m]' } }),
    }
  } finally {
    await skills.close()
  }
}
// #endregion usage

test('a model gets the text of a skill, and its agent what the skill asks for', async () => {
  const { defineProvider, loadResult, promptCommand } = await import('@skills/core')
  const deploy = promptCommand({
    name: 'deploy',
    source: 'user',
    model: 'large',
    load: () => ({ template: 'Ship it.' }),
  })
  const plugins: readonly Plugin[] = [
    defineProvider({
      kind: 'source',
      id: 'user',
      setup: () => ({ source: 'user', list: () => loadResult({ commands: [deploy] }) }),
    }),
    defineProvider({
      kind: 'permission',
      id: 'all',
      setup: () => ({ check: () => ({ behavior: 'allow', message: 'Yes', decisionReason: { type: 'default' } }) }),
    }),
  ]
  expect(await instructionsOf('deploy', plugins)).toEqual({
    read: [{ type: 'user', isMeta: true, content: [{ type: 'text', text: 'Ship it.' }] }],
    context: { options: { mainLoopModel: 'large[1m]' } },
  })
})
