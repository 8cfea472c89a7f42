import { expect, test } from 'vitest'
// #region usage
import { commandHooks } from '@skills/hooks-command'
import { decide, endSession, invocationKinds, startSession } from '@skills/invocation'
import { createSkills, type Plugin } from '@skills/core'

/** Does something with a tool, unless a hook is against it. */
async function withHooks(plugins: readonly Plugin[], toolName: string, toolInput: object, work: () => unknown) {
  const skills = createSkills({ kinds: invocationKinds, plugins: [...plugins, commandHooks()], onDiagnostic: ({ message }) => process.emitWarning(message) })
  try {
    await startSession(skills)
    const { block, reason } = await decide(skills, 'PreToolUse', { toolName, toolInput })
    if (block) return reason
    const toolResponse = await work()
    await decide(skills, 'PostToolUse', { toolName, toolInput, toolResponse })
    await endSession(skills)
    return toolResponse
  } finally {
    await skills.close()
  }
}
// #endregion usage

test('a tool is used unless a hook is against it', async () => {
  const { defineProvider, loadResult, promptCommand } = await import('@skills/core')
  const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'if grep -q "rm -rf"; then echo "Nothing is removed here." >&2; exit 2; fi' }] }] }
  const guard = promptCommand({ name: 'guard', source: 'plugin', hooks, load: () => ({ blocks: [] }) })
  const plugins: readonly Plugin[] = [
    defineProvider({ kind: 'source', id: 'own', setup: () => Object.assign({ source: 'plugin', list: () => loadResult({}) }, { hooks: () => [guard] }) }),
    defineProvider({ kind: 'trust', id: 'all', setup: () => ({ judge: () => ({ level: 'trusted', isApproved: true }) }) }),
  ]
  expect(await withHooks(plugins, 'Bash', { command: 'rm -rf x' }, () => 'done')).toBe('Nothing is removed here.')
  expect(await withHooks(plugins, 'Bash', { command: 'ls' }, () => 'done')).toBe('done')
})
