import { expect, test } from 'vitest'
// #region usage
import { createSkills, defineProvider, type Plugin } from '@skills/core'
import { InvokedSkills, invocationKinds, Invoker } from '@skills/invocation'

async function invokeOnce(plugins: readonly Plugin[], line: string) {
  const skills = createSkills({ kinds: invocationKinds, plugins, onDiagnostic: ({ message }) => process.emitWarning(message) })
  const invoker = new Invoker(skills, { onAsk: ({ decision }) => decision.message.includes('deploy') ? 'allow' : 'deny' })
  const invoked = new InvokedSkills(skills)
  try {
    const outcomes = await invoker.run(line)
    return { said: outcomes?.flatMap(({ newMessages }) => newMessages), toRestore: invoked.restore() }
  } finally {
    await skills.close()
  }
}
// #endregion usage

test('a line that a person typed is carried out', async () => {
  const { loadResult, promptCommand } = await import('@skills/core')
  const deploy = promptCommand({ name: 'deploy', source: 'team', load: () => ({ template: 'Ship it.' }) })
  const plugins: readonly Plugin[] = [
    defineProvider({ kind: 'source', id: 'team', setup: () => ({ source: 'team', list: () => loadResult({ commands: [deploy] }) }) }),
    defineProvider({ kind: 'permission', id: 'ask', setup: () => ({ check: ({ content }) => ({ behavior: 'ask', message: `Execute skill: ${content}`, decisionReason: { type: 'default' } }) }) }),
    defineProvider({
      kind: 'executor', id: 'inline', setup: () => ({
        execute: ({ body, args }) => ({
          data: { success: true, commandName: 'deploy', status: 'inline' },
          newMessages: [{ type: 'user', isMeta: true, content: `${'template' in body ? body.template : ''} ${args}` }],
        }),
      }),
    }),
  ]
  expect(await invokeOnce(plugins, '/deploy to staging')).toEqual({
    said: [{ type: 'user', isMeta: true, content: 'Ship it. to staging' }], toRestore: [{ name: 'deploy', content: 'Ship it. to staging' }],
  })
})
