import { describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { tempTree } from '@skills/testing'
import { engine, expectGroupGone, hooks, skill } from '../test/engine.js'

const after = 'echo after >> log'

describe('a hook that fails is reported, and what it was asked about goes on', () => {
  test.each([
    ['exits with 1', 'echo "what went wrong" >&2; exit 1', 'ended with exit code 1: what went wrong'],
    ['exits with 139', 'exit 139', 'ended with exit code 139'],
    ['dies of a signal', 'kill -SEGV $$', 'was ended by SIGSEGV'],
    ['has a program that dies of a signal', '(kill -SEGV $BASHPID); exit $?', 'ended with exit code 139'],
    ['prints broken JSON', `printf '{"decision": "block"'`, 'wrote output that begins like JSON but is not JSON'],
    [
      'prints JSON with text behind it',
      `printf '{"decision": "block"} x'`,
      'wrote output that begins like JSON but is not JSON',
    ],
    ['has a command that there is not', 'no-such-program-here', 'ended with exit code 127'],
  ])('%s', async (_, command, message) => {
    const { ask, invoke, lines, told } = engine([
      skill('a', hooks('PreToolUse', command, after), { filePath: '/skills/a/SKILL.md' }),
    ])
    await invoke('a')
    expect(await ask('PreToolUse', { toolName: 'Read' })).toEqual({})
    expect(lines('log')).toEqual(['after'])
    expect(told).toMatchObject([
      {
        severity: 'warning',
        code: 'hook-failed',
        name: 'a',
        path: '/skills/a/SKILL.md',
        field: 'hooks.PreToolUse[0].hooks[0]',
        provider: 'command',
      },
    ])
    expect(told[0]?.message).toContain(`"hooks.PreToolUse[0].hooks[0]" of the skill "a" ${message}`)
  })
})

test('a hook that exits with 2 blocks, with all that it wrote to standard error as the reason, without what would move a cursor', async () => {
  const { ask, invoke } = engine([
    skill(
      'a',
      hooks(
        'PreToolUse',
        String.raw`printf 'one\n\033[31mtwo\033[0m\r\n\a' >&2; echo '{"decision":"approve"}'; exit 2`,
      ),
    ),
  ])
  await invoke('a')
  expect(await ask('PreToolUse', { toolName: 'Read' })).toEqual({ block: true, reason: 'one\ntwo' })
})

test('a hook that exits with 2 and says nothing blocks all the same', async () => {
  const { ask, invoke } = engine([skill('a', hooks('PreToolUse', 'exit 2'))])
  await invoke('a')
  expect(await ask('PreToolUse', { toolName: 'Read' })).toEqual({
    block: true,
    reason: 'A hook blocked it and gave no reason.',
  })
})

test('a reason is cut off somewhere, and no character of it torn', async () => {
  const { ask, invoke } = engine([skill('a', hooks('PreToolUse', 'printf x >&2; printf 😀%.0s {1..3000} >&2; exit 2'))])
  await invoke('a')
  const { reason = '' } = await ask('PreToolUse', { toolName: 'Read' })
  // One code unit less than 2,000, and the mark.
  expect(reason).toMatch(/^x(?:😀){999} …$/u)
})

describe('a hook that hangs', () => {
  const hanging = 'echo $$ >> group; (sleep 1000; true) & sleep 1000'

  it('is ended with all that it started after 60 seconds', async () => {
    const { ask, invoke, lines, told, clock } = engine([skill('a', hooks('PreToolUse', hanging, after))])
    await invoke('a')
    const asked = ask('PreToolUse', { toolName: 'Read' })
    await vi.waitFor(() => expect(lines('group')).toHaveLength(1), { timeout: 10_000 })
    await clock.advance(59_999)
    expect(lines('log')).toEqual([])
    await clock.advance(1)
    expect(await asked).toEqual({})
    await expectGroupGone(lines('group')[0])
    expect(lines('log')).toEqual(['after'])
    expect(told).toMatchObject([{ code: 'hook-failed', message: expect.stringContaining('took longer than 60000 ms') }])
  })

  it('has the time that it gives itself, in seconds', async () => {
    const { ask, invoke, lines, told, clock } = engine([
      skill('a', { Stop: [{ hooks: [{ type: 'command', command: hanging, timeout: 1.5 }] }] }),
    ])
    await invoke('a')
    const asked = ask('Stop')
    await vi.waitFor(() => expect(lines('group')).toHaveLength(1), { timeout: 10_000 })
    await clock.advance(1500)
    await asked
    expect(told).toMatchObject([{ message: expect.stringContaining('took longer than 1500 ms') }])
  })

  it('is ended when a caller that asks gives up, who hears of it', async () => {
    const { ask, invoke, lines, told } = engine([skill('a', hooks('Stop', hanging, after))])
    await invoke('a')
    const controller = new AbortController()
    const asked = ask('Stop', {}, controller.signal)
    await vi.waitFor(() => expect(lines('group')).toHaveLength(1), { timeout: 10_000 })
    controller.abort()
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
    await expectGroupGone(lines('group')[0])
    expect([lines('log'), told]).toEqual([[], []])
  })

  it('is ended when the engine closes, and nothing of it is left then', async () => {
    const { ask, invoke, lines, skills } = engine([skill('a', hooks('Stop', hanging))])
    await invoke('a')
    const asked = ask('Stop').catch((error: unknown) => error)
    await vi.waitFor(() => expect(lines('group')).toHaveLength(1), { timeout: 10_000 })
    await skills.close()
    await expectGroupGone(lines('group')[0])
    expect(await asked).toMatchObject({ name: 'AbortError' })
  })

  it('at the end of a session holds a closing engine up for five seconds at most', async () => {
    const { invoke, lines, skills, clock, told } = engine([skill('a', hooks('SessionEnd', hanging, after))])
    await invoke('a')
    const closed = skills.close()
    await vi.waitFor(() => expect(lines('group')).toHaveLength(1), { timeout: 10_000 })
    await clock.advance(5000)
    await closed
    await expectGroupGone(lines('group')[0])
    expect(lines('log')).toEqual([])
    expect(told).toMatchObject([{ code: 'hook-failed', field: 'hooks.SessionEnd' }])
    expect(clock.pending).toBe(0)
  })
})

test('a hook that floods is ended, whichever stream it writes to', async () => {
  for (const command of ['echo $$ >> group; yes', 'echo $$ >> group; yes >&2']) {
    const { ask, invoke, lines, told } = engine([skill('a', hooks('PreToolUse', command, after))])
    await invoke('a')
    expect(await ask('PreToolUse', { toolName: 'Read' })).toEqual({})
    await expectGroupGone(lines('group')[0])
    expect(lines('log')).toEqual(['after'])
    expect(told).toMatchObject([
      { code: 'hook-failed', message: expect.stringContaining('wrote more than 1048576 bytes') },
    ])
  }
})

test('a hook that deletes its own file, and the skill, fails from then on and costs nothing else', async () => {
  const tree = tempTree({
    'skill/SKILL.md': 'x',
    'skill/hook.sh': { content: '#!/bin/bash\nrm -r "$CLAUDE_PLUGIN_ROOT"\necho gone >&2\nexit 2\n', mode: 0o755 },
  })
  const { ask, invoke, lines, told } = engine(
    [skill('a', hooks('PreToolUse', '"$CLAUDE_PLUGIN_ROOT"/hook.sh', after), { baseDir: `${tree.path}/skill` })],
    { tree, host: { cwd: tree.path } },
  )
  await invoke('a')
  expect(await ask('PreToolUse', { toolName: 'Read' })).toEqual({ block: true, reason: 'gone' })
  expect(await ask('PreToolUse', { toolName: 'Read' })).toEqual({})
  expect(lines('log')).toEqual(['after'])
  expect(told).toMatchObject([{ code: 'hook-failed', message: expect.stringContaining('ended with exit code 127') }])
})

test('a hook need not read what it is given, however much that is', async () => {
  const { ask, invoke, told, lines } = engine([
    skill('a', hooks('PreToolUse', 'exec <&-; echo done >> log', 'wc -c >> log')),
  ])
  await invoke('a')
  expect(await ask('PreToolUse', { toolName: 'Write', toolInput: 'x'.repeat(4_000_000) })).toEqual({})
  expect(lines('log')[0]).toBe('done')
  expect(Number(lines('log')[1])).toBeGreaterThan(4_000_000)
  expect(told).toEqual([])
})

test('what cannot be written as JSON, a command with a NUL, no shell and no working folder are reported', async () => {
  const loop: Record<string, unknown> = {}
  loop['loop'] = loop
  const circular = engine([skill('a', hooks('PreToolUse', after))])
  await circular.invoke('a')
  expect(await circular.ask('PreToolUse', { toolName: 'Read', toolInput: loop })).toEqual({})
  const nul = engine([skill('a', hooks('Stop', 'echo a\0b'))])
  const tree = tempTree()
  onTestFinished(() => tree.dispose())
  const nowhere = `${tree.path}/nowhere`
  const without = engine([skill('a', hooks('Stop', after))], { program: `${nowhere}/bash` })
  const lost = engine([skill('a', hooks('Stop', 'true'))], { host: { cwd: nowhere } })
  for (const { invoke, ask } of [nul, without, lost]) {
    await invoke('a')
    expect(await ask('Stop')).toEqual({})
  }
  expect(lost.told.map(({ message }) => message)).toEqual([expect.stringContaining(`working folder ${nowhere} `)])
  expect([circular, nul, without, lost].map(({ told }) => told.map(({ code }) => code))).toEqual([
    ['hook-failed'],
    ['hook-failed'],
    ['hook-failed'],
    ['hook-failed'],
  ])
})

test('a variable that its plugin refuses costs that hook alone', async () => {
  const resolveVariable = (name: string): string | undefined => {
    if (name === 'user_config.unset') throw new Error('It has no value.')
    return undefined
  }
  const command = { ...skill('a', hooks('Stop', 'echo ${user_config.unset} >> log', after)), resolveVariable }
  const { ask, invoke, lines, told } = engine([command])
  await invoke('a')
  await ask('Stop')
  expect(lines('log')).toEqual(['after'])
  expect(told).toMatchObject([{ code: 'hook-failed', message: expect.stringContaining(': It has no') }])
})

describe('a regular expression', () => {
  const matched = (matcher: string): Record<string, unknown> => ({
    PreToolUse: [{ matcher, hooks: [{ type: 'command', command: 'echo run >> log' }] }],
  })

  it('that would take for ever is given up, once for each name, and the hook is asked to be on the safe side', async () => {
    const { ask, invoke, lines, told, skills } = engine([skill('a', matched('^(a+)+$'))])
    await invoke('a')
    const toolName = `${'a'.repeat(60)}!`
    for (let at = 0; at < 3; at++) await ask('PreToolUse', { toolName })
    expect(lines('log')).toHaveLength(3)
    expect(told).toMatchObject([
      {
        code: 'undecided-matcher',
        name: 'a',
        field: 'hooks.PreToolUse[0].hooks[0]',
        message: expect.stringContaining('took longer than 50 ms'),
      },
    ])
    await ask('PreToolUse', { toolName: 'Read' })
    expect(lines('log')).toHaveLength(3)
    expect(await skills.use('hooks').first(one => one.hasHooks?.('PreToolUse', { toolName: 'Read' }))).toBe(false)
  })

  it('that is none costs its hooks alone', async () => {
    const { ask, invoke, lines, told } = engine([skill('a', { ...matched('('), ...hooks('Stop', after) })])
    await invoke('a')
    await ask('PreToolUse', { toolName: '(' })
    await ask('Stop')
    expect(lines('log')).toEqual(['after'])
    expect(told).toMatchObject([
      { code: 'invalid-hook', field: 'hooks.PreToolUse[0]', message: expect.stringContaining('matcher') },
    ])
  })
})
