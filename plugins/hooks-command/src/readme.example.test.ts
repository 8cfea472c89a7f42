import { expect, test } from 'vitest'
// #region usage
import { commandHooks } from '@skills/hooks-command'
import { endSession, invocationKinds, startSession } from '@skills/invocation'
import { createSkills, type Plugin } from '@skills/core'

/** Uses a tool unless a hook blocks it. */
async function withHooks(plugins: readonly Plugin[], toolName: string, toolInput: object, work: () => unknown) {
  const skills = createSkills({
    kinds: invocationKinds,
    plugins: [...plugins, commandHooks()],
    onDiagnostic: ({ message }) => process.emitWarning(message),
  })
  try {
    await startSession(skills)
    const { block, reason } = await skills.decide('PreToolUse', { toolName, toolInput })
    if (block) return reason
    const toolResponse = await work()
    await skills.decide('PostToolUse', { toolName, toolInput, toolResponse })
    await endSession(skills)
    return toolResponse
  } finally {
    await skills.close()
  }
}
// #endregion usage

// #region stop
import { hookReminder } from '@skills/invocation'
import type { Skills } from '@skills/core'

/** Has a model answer a prompt. While hooks of `Stop` object, the model continues, eight times at most. */
async function answer(skills: Skills, prompt: string, ask: (message: string) => Promise<string>) {
  const verdict = await skills.decide('UserPromptSubmit', { prompt })
  if (verdict.block) return verdict.reason
  let next = [hookReminder('UserPromptSubmit', verdict), prompt].filter(text => text !== undefined).join('\n')
  for (let times = 0; ; times += 1) {
    const message = await ask(next)
    const { block, reason } = await skills.decide('Stop', { message, stopHookActive: times > 0 })
    if (!block || times === 8) return message
    next = reason ?? 'Go on.'
  }
}
// #endregion stop

test('a tool is used unless a hook is against it', async () => {
  const { defineProvider, loadResult, promptCommand } = await import('@skills/core')
  const hooks = {
    PreToolUse: [
      {
        matcher: 'Bash',
        hooks: [
          { type: 'command', command: 'if grep -q "rm -rf"; then echo "Nothing is removed here." >&2; exit 2; fi' },
        ],
      },
    ],
  }
  const guard = promptCommand({ name: 'guard', source: 'plugin', hooks, load: () => ({ blocks: [] }) })
  const plugins: readonly Plugin[] = [
    defineProvider({
      kind: 'source',
      id: 'own',
      setup: () => Object.assign({ source: 'plugin', list: () => loadResult({}) }, { hooks: () => [guard] }),
    }),
    defineProvider({
      kind: 'trust',
      id: 'all',
      setup: () => ({ judge: () => ({ level: 'trusted', isApproved: true }) }),
    }),
  ]
  expect(await withHooks(plugins, 'Bash', { command: 'rm -rf x' }, () => 'done')).toBe('Nothing is removed here.')
  expect(await withHooks(plugins, 'Bash', { command: 'ls' }, () => 'done')).toBe('done')
})

test('a conversation goes on with what a hook has against its end, reads what one adds, and ends at last', async () => {
  const { defineProvider, loadResult, promptCommand } = await import('@skills/core')
  const of = (command: string): unknown => [{ hooks: [{ type: 'command', command }] }]
  const hooks = {
    UserPromptSubmit: of('echo "The main branch is closed."'),
    Stop: of(`grep -q 'Done' || { echo "Not yet." >&2; exit 2; }`),
  }
  const guard = promptCommand({ name: 'guard', source: 'plugin', hooks, load: () => ({ blocks: [] }) })
  const skills = createSkills({
    kinds: invocationKinds,
    onDiagnostic: ({ message }) => process.emitWarning(message),
    plugins: [
      defineProvider({
        kind: 'source',
        id: 'own',
        setup: () => Object.assign({ source: 'plugin', list: () => loadResult({}) }, { hooks: () => [guard] }),
      }),
      defineProvider({
        kind: 'trust',
        id: 'all',
        setup: () => ({ judge: () => ({ level: 'trusted', isApproved: true }) }),
      }),
      commandHooks(),
    ],
  })
  const asked: string[] = []
  const saying =
    (last: string) =>
    (message: string): Promise<string> =>
      Promise.resolve(asked.push(message) === 3 ? last : 'Working.')
  expect(await answer(skills, 'Release it.', saying('Done.'))).toBe('Done.')
  expect(asked.splice(0)).toEqual([
    '<system-reminder>\nA hook of UserPromptSubmit says:\nThe main branch is closed.\n</system-reminder>\nRelease it.',
    'Not yet.',
    'Not yet.',
  ])
  expect(await answer(skills, 'Release it.', saying('Working.'))).toBe('Working.')
  expect(asked).toHaveLength(9)
  await skills.close()
})
