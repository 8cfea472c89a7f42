import { existsSync, readFileSync } from 'node:fs'
import { createSkills, defineProvider, type Diagnostic } from '@skills/core'
import { Invoker, type Runner } from '@skills/invocation'
import { tempTree } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { standard } from './agents/standard/index.js'

/** Returns a skill that forks, with hooks of one command each. */
function forked(hooks: Readonly<Record<string, string>>, more: readonly string[] = []): string {
  const declared = Object.entries(hooks).flatMap(([event, command]) => [
    `  ${event}:`,
    '    - hooks:',
    '        - type: command',
    `          command: ${JSON.stringify(command)}`,
  ])
  return [
    '---',
    'description: Forks.',
    'context: fork',
    'allowed-tools: Skill, Bash',
    ...more,
    'hooks:',
    ...declared,
    '---',
    'Do it.',
  ].join('\n')
}

const logged = (name: string): Readonly<Record<string, string>> => ({
  PreToolUse: `echo ${name} >> "$CLAUDE_PROJECT_DIR/log"`,
})
const bash = { tool: 'Bash', content: 'ls', input: { command: 'ls' } }

function opened(skills: Readonly<Record<string, string>>, run: (invoker: Invoker) => Runner['run']) {
  const tree = tempTree({
    'repo/.git/HEAD': '',
    ...Object.fromEntries(Object.entries(skills).map(([name, text]) => [`home/.claude/skills/${name}/SKILL.md`, text])),
  })
  const told: Diagnostic[] = []
  let invoker: Invoker
  const runner = defineProvider({
    kind: 'runner',
    id: 'scripted',
    setup: () => ({ run: (request, call) => run(invoker)(request, call) }),
  })
  const engine = createSkills(
    standard({
      host: { cwd: `${tree.path}/repo`, home: `${tree.path}/home` },
      plugins: [runner],
      onDiagnostic: diagnostic => told.push(diagnostic),
    }),
  )
  onTestFinished(async () => {
    await engine.close()
    tree.dispose()
  })
  invoker = new Invoker(engine, { onAsk: () => 'allow' })
  const log = `${tree.path}/repo/log`
  return { told, invoker, engine, log: () => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []) }
}

test('a tool of a fork three deep is asked about by the hooks of all of them, the outermost first, and one of them may block it', async () => {
  const { invoker, log } = opened(
    {
      a: forked(logged('a')),
      b: forked(logged('b')),
      c: forked({ PreToolUse: 'echo c >> "$CLAUDE_PROJECT_DIR/log"; echo "Not here." >&2; exit 2' }),
    },
    inner =>
      async ({ agentId, depth, authorize }) => {
        const next = { 1: 'b', 2: 'c' }[depth]
        if (next === undefined) return { text: (await authorize(bash)).message }
        const { data } = await inner.invoke({ name: next, caller: 'model', agentId, depth })
        return { text: String(data['result']) }
      },
  )
  const { data } = await invoker.invoke({ name: 'a', caller: 'user' })
  expect(data).toMatchObject({ result: 'Not here.' })
  expect(log()).toEqual(['a', 'b', 'c'])
})

test('a fork in the background is not asked about the hooks of a fork that has ended, and goes on with those of what is left around it', async () => {
  let goOn: () => void = () => undefined
  const outerEnded = new Promise<void>(resolve => {
    goOn = resolve
  })
  const { invoker, engine, log } = opened(
    { a: forked(logged('a')), b: forked(logged('b')), c: forked(logged('c'), ['background: true']) },
    inner =>
      async ({ agentId, depth, authorize }) => {
        if (depth === 3) {
          await outerEnded
          return { text: (await authorize(bash)).behavior }
        }
        await inner.invoke({ name: depth === 1 ? 'b' : 'c', caller: 'model', agentId, depth })
        // The middle one has ended here, and this one is still running.
        if (depth === 1) {
          goOn()
          await ended
        }
        return { text: '' }
      },
  )
  const ended = new Promise(resolve => {
    engine.hook('fork:ended', end => void (end.isBackground && resolve(end.result)))
  })
  await invoker.invoke({ name: 'a', caller: 'user' })
  expect(await ended).toBe('allow')
  expect(log()).toEqual(['a', 'c'])
})

test('a fork goes on with what a hook has against its end, and the hook is told that it does', async () => {
  const check = `if grep -q '"stop_hook_active":true'; then exit 0; fi; echo "Say what you tested." >&2; exit 2`
  for (const event of ['SubagentStop', 'Stop']) {
    const next: unknown[] = []
    const { invoker, told } = opened({ a: forked({ [event]: check }) }, () => async ({ onStop }) => {
      for (const text of ['First.', 'Second.']) {
        const message = await onStop?.(text)
        next.push(message)
        if (message === undefined) return { text }
      }
      return { text: 'Never.' }
    })
    expect((await invoker.invoke({ name: 'a', caller: 'user' })).data).toMatchObject({ result: 'Second.' })
    expect(next).toEqual([[{ type: 'text', text: 'Say what you tested.' }], undefined])
    expect(told).toEqual([])
  }
})

test('what a hook adds to a tool of a fork its model reads, and a hook that ends it ends it', async () => {
  const said = (answer: unknown): string => `printf '%s' '${JSON.stringify(answer)}'`
  const adds = said({ hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'It was slow.' } })
  const { invoker } = opened(
    { a: forked({ PostToolUse: adds }), b: forked({ PostToolUse: said({ continue: false, stopReason: 'Enough.' }) }) },
    () =>
      async ({ authorize, used }) => {
        await authorize(bash)
        return { text: String(await used(bash, 'ok')) }
      },
  )
  expect((await invoker.invoke({ name: 'a', caller: 'user' })).data).toMatchObject({
    result: '<system-reminder>\nA hook of PostToolUse (Bash) says:\nIt was slow.\n</system-reminder>',
  })
  await expect(invoker.invoke({ name: 'b', caller: 'user' })).rejects.toMatchObject({
    code: 'E_DENIED',
    message: expect.stringContaining('Enough.'),
  })
})
