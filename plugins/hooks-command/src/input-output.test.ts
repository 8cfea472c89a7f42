import { describe, expect, it, test } from 'vitest'
import { tempTree } from '@skills/testing'
import { engine, hooks, skill } from '../test/engine.js'
import type { HookPayload } from '@skills/invocation'

describe('what a hook is given', () => {
  const everything: HookPayload = {
    toolName: 'Bash',
    toolInput: { command: 'ls' },
    toolResponse: ['x'],
    toolUseId: 't1',
    prompt: 'p',
    message: 'm',
    reason: 'r',
    agentId: 'f',
    stopHookActive: true,
  }

  test.each([
    ['PreToolUse', { reason: 'r' }],
    ['SessionStart', { source: 'r' }],
    ['PreCompact', { trigger: 'r' }],
    ['Stop', { reason: 'r', stop_hook_active: true }],
  ] as const)('is the event as JSON: %s', async (event, own) => {
    const { ask, invoke, lines, tree } = engine([skill('a', hooks(event, 'cat > input'))])
    await invoke('a')
    await ask(event, everything)
    expect(JSON.parse(lines('input').join('\n'))).toEqual({
      session_id: 's-1',
      cwd: tree.path,
      hook_event_name: event,
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      tool_response: ['x'],
      tool_use_id: 't1',
      prompt: 'p',
      message: 'm',
      agent_id: 'f',
      ...own,
    })
  })

  it("is its folders and the session in the environment, and no one's start-up files", async () => {
    const tree = tempTree({ startup: 'echo started >> log' })
    const { ask, invoke, lines } = engine(
      [
        skill(
          'a',
          hooks(
            'Stop',
            'printf "%s\\n" "$CLAUDE_PLUGIN_ROOT" "$CLAUDE_SKILL_DIR" "$CLAUDE_PROJECT_DIR" "$CLAUDE_SESSION_ID" "$MINE" "$PWD" >> log',
          ),
          { baseDir: '/skills/a' },
        ),
      ],
      {
        tree,
        host: {
          cwd: tree.path,
          env: { PATH: process.env['PATH'], BASH_ENV: `${tree.path}/startup`, MINE: 'mine', CLAUDE_SKILL_DIR: 'other' },
        },
      },
    )
    await invoke('a')
    await ask('Stop')
    expect(lines('log')).toEqual(['/skills/a', '/skills/a', tree.path, 's-1', 'mine', tree.path])
  })

  it('do not name its folder where a distribution has it so', async () => {
    const { ask, invoke, lines } = engine(
      [skill('a', hooks('Stop', 'echo "$CLAUDE_PLUGIN_ROOT|$CLAUDE_SKILL_DIR" >> log'), { baseDir: '/skills/a' })],
      { skillFolder: false },
    )
    await invoke('a')
    await ask('Stop')
    expect(lines('log')).toEqual(['/skills/a|'])
  })

  it('are the variables of its plugin, never as a part of the script', async () => {
    const values: Record<string, string> = {
      CLAUDE_PLUGIN_ROOT: '/plugins/p',
      CLAUDE_PLUGIN_DATA: '/data/p',
      'user_config.key': '$(echo evil >> log); "',
    }
    const command = {
      ...skill(
        'a',
        hooks('Stop', 'printf "%s\\n" "${CLAUDE_PLUGIN_ROOT}" "${CLAUDE_PLUGIN_DATA}" "${user_config.key}" >> log'),
        { baseDir: '/skills/a' },
      ),
      resolveVariable: (name: string) => values[name],
    }
    const { ask, invoke, lines } = engine([command])
    await invoke('a')
    await ask('Stop')
    expect(lines('log')).toEqual(['/plugins/p', '/data/p', '$(echo evil >> log); "'])
  })
})

test('a hook never allows, with any output', async () => {
  const said = [
    '{"decision":"approve"}',
    '{"decision":"allow","continue":true}',
    '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"Fine."}}',
    '{"suppressOutput":true,"decision":null}',
    '[]',
    'yes',
  ]
  const { ask, invoke, told } = engine([skill('a', hooks('PreToolUse', ...said.map(one => `echo '${one}'`)))])
  await invoke('a')
  expect(await ask('PreToolUse', { toolName: 'Read' })).toEqual({})
  expect(told).toEqual([])
})

test.each([
  ['{"decision":"block","reason":"Because."}', 'Because.'],
  ['{"decision":"deny"}', 'A hook blocked it and gave no reason.'],
  [
    '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Never."}}',
    'Never.',
  ],
  ['{"decision":"block","reason":"\\u001b[31mred\\u001b[0m\\u0007"}', 'red'],
])('a hook blocks with JSON on its standard output: %s', async (output, reason) => {
  const { ask, invoke } = engine([skill('a', hooks('PreToolUse', `cat <<'END'\n${output}\nEND`))])
  await invoke('a')
  expect(await ask('PreToolUse', { toolName: 'Read' })).toEqual({ block: true, reason })
})
