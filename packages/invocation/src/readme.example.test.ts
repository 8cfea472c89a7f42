import { expect, test } from 'vitest'
// #region usage
import { createSkills, defineProvider, type Plugin } from '@skills/core'
import { InvokedSkills, invocationKinds, Invoker } from '@skills/invocation'

async function invokeOnce(plugins: readonly Plugin[], line: string) {
  const skills = createSkills({
    kinds: invocationKinds,
    plugins,
    onDiagnostic: ({ message }) => process.emitWarning(message),
  })
  const invoker = new Invoker(skills, {
    onAsk: ({ decision }) => (decision.message.includes('deploy') ? 'allow' : 'deny'),
  })
  const invoked = new InvokedSkills(skills)
  try {
    const outcomes = await invoker.run(line)
    return { said: outcomes?.flatMap(({ newMessages }) => newMessages), toRestore: invoked.restore() }
  } finally {
    await skills.close()
  }
}
// #endregion usage
// #region own-tool
import { askPermission, type AgentContext } from '@skills/invocation'
import type { OnAsk } from '@skills/rules'
import type { Skills } from '@skills/core'
import { readFile } from 'node:fs/promises'

/** Returns the answer of a host's own tool, or why the model may not call it. */
async function readFor(
  skills: Skills,
  input: { readonly path: string },
  context: AgentContext,
  onAsk: OnAsk,
  signal: AbortSignal,
): Promise<string> {
  const { behavior, message } = await askPermission(skills, { tool: 'Read', input }, { context, onAsk, signal })
  return behavior === 'allow' ? readFile(input.path, { encoding: 'utf8', signal }) : message
}
// #endregion own-tool

test('a line that a person typed is run', async () => {
  const { loadResult, promptCommand } = await import('@skills/core')
  const deploy = promptCommand({ name: 'deploy', source: 'team', load: () => ({ template: 'Ship it.' }) })
  const plugins: readonly Plugin[] = [
    defineProvider({
      kind: 'source',
      id: 'team',
      setup: () => ({ source: 'team', list: () => loadResult({ commands: [deploy] }) }),
    }),
    defineProvider({
      kind: 'permission',
      id: 'ask',
      setup: () => ({
        check: ({ content }) => ({
          behavior: 'ask',
          message: `Execute skill: ${content}`,
          decisionReason: { type: 'default' },
        }),
      }),
    }),
    defineProvider({
      kind: 'executor',
      id: 'inline',
      setup: () => ({
        execute: ({ body, args }) => ({
          data: { success: true, commandName: 'deploy', status: 'inline' },
          newMessages: [{ type: 'user', isMeta: true, content: `${'template' in body ? body.template : ''} ${args}` }],
        }),
      }),
    }),
  ]
  expect(await invokeOnce(plugins, '/deploy to staging')).toEqual({
    said: [{ type: 'user', isMeta: true, content: 'Ship it. to staging' }],
    toRestore: [{ name: 'deploy', args: 'to staging', content: 'Ship it. to staging' }],
  })
})

test('a tool of the host is asked about', async () => {
  const { tempTree } = await import('@skills/testing')
  const tree = tempTree({ 'notes.txt': 'One.', 'secret.txt': 'Two.' })
  const rules = defineProvider({
    kind: 'permission',
    id: 'rules',
    setup: () => ({
      check: ({ content }) => ({
        behavior: content.endsWith('notes.txt') ? 'allow' : 'ask',
        message: `Use Read: ${content.replace(tree.path, '')}`,
        decisionReason: { type: 'default' },
      }),
    }),
  })
  const skills = createSkills({
    kinds: invocationKinds,
    plugins: [rules],
    onDiagnostic: ({ message }) => process.emitWarning(message),
  })
  try {
    const read = (name: string, context: AgentContext = {}): Promise<string> =>
      readFor(skills, { path: `${tree.path}/${name}` }, context, () => 'deny', skills.signal)
    expect(await read('notes.txt')).toBe('One.')
    expect(await read('secret.txt')).toMatch(/^Use Read: \/secret\.txt: .* no\.$/)
    expect(await read('notes.txt', { toolPermissionContext: { disallowedTools: ['Read'] } })).toMatch(/ Read\.$/)
  } finally {
    await skills.close()
    tree.dispose()
  }
})
