import { execFileSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { SkillsError } from '@skills/core'
import type { PermissionDecision } from '@skills/rules'
import { describe, expect, it, test } from 'vitest'
import { expectGroupGone, pipe, shell, type Given } from '../test/shell.js'
import { shellExpander } from './shell.js'

const denied: PermissionDecision = {
  behavior: 'deny',
  message: 'It is denied.',
  decisionReason: { type: 'rule', rule: 'Bash(touch:*)', source: 'projectSettings' },
}

/** Runs a body with each way to treat a failure, and returns the results. */
async function ways(
  given: Given,
  body: string,
): Promise<{ readonly inline: string; readonly skip: string; readonly abort: string }> {
  const inline = await shell({ ...given, onError: 'inline' })
  const skip = await shell({ ...given, onError: 'skip' })
  const abort = await shell({ ...given, onError: 'abort' })
  const answer = {
    inline: await inline.expand(body),
    skip: await skip.expand(body),
    abort: await messageOf(() => abort.expand(body)),
  }
  for (const { tree } of [inline, skip, abort]) expect(readdirSync(tree.path)).toEqual([])
  return answer
}

async function messageOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work()
  } catch (error) {
    if (SkillsError.is(error)) return `${error.code}: ${error.message}`
    throw error
  }
  return 'nothing was thrown'
}

describe('a command does not run', () => {
  it('in a skill that is not trusted', async () => {
    expect(await ways({ trust: 'untrusted', command: { source: 'project' } }, 'a !`touch ran` b')).toEqual({
      inline: 'a [shell command not run: the project skill is not trusted] b',
      skip: 'a  b',
      abort:
        'E_SHELL: The command "touch ran" embedded in the skill "release" was not run: the project skill is not trusted. First trust the folder of the skill.',
    })
  })

  it('in a skill of a server, also when rules allow it', async () => {
    expect(await ways({ trust: 'remote' }, '!`touch ran`')).toMatchObject({
      inline: '[shell command not run: commands in skills of a server never run]',
      skip: '',
    })
  })

  it('when it is not allowed, and the rule is shown', async () => {
    expect(await ways({ authorize: async () => denied }, '!`touch ran`\nb')).toEqual({
      inline: '[shell command not run: It is denied (rule Bash(touch:*) from projectSettings)]\nb',
      skip: '\nb',
      abort: expect.stringMatching(
        /^E_SHELL: .*"touch ran" .*"release" .*\(rule Bash\(touch:\*\) from projectSettings\)/,
      ) as string,
    })
  })

  it('when a rule wants a person to decide and no one is there, and that rule is shown', async () => {
    const unanswered: PermissionDecision = {
      behavior: 'deny',
      message: 'Use Bash for skill: release: no one was there to be asked.',
      decisionReason: { type: 'host', rule: 'Bash(touch:*)', source: 'user' },
    }
    expect(await ways({ authorize: async () => unanswered }, '!`touch ran`')).toEqual({
      inline:
        '[shell command not run: Use Bash for skill: release: no one was there to be asked (rule Bash(touch:*) from user)]',
      skip: '',
      abort:
        'E_SHELL: The command "touch ran" embedded in the skill "release" was not run: Use Bash for skill: release: no one was there to be asked (rule Bash(touch:*) from user). ' +
        'Answer yes to the question, or remove or narrow that rule.',
    })
  })

  it('when no rule is about it, and what would allow it is told', async () => {
    const none: PermissionDecision = {
      behavior: 'deny',
      message: 'No one was there to be asked.',
      decisionReason: { type: 'host' },
    }
    expect((await ways({ authorize: async () => none }, '!`touch ran`')).abort).toMatch(/^E_SHELL: .*allowed-tools/)
  })

  it('when no one decided', async () => {
    const decision: PermissionDecision = {
      behavior: 'ask',
      message: 'No one was there to ask.',
      decisionReason: { type: 'default' },
    }
    expect(await ways({ authorize: async () => decision }, '!`touch ran`')).toMatchObject({
      inline: expect.stringMatching(/: No one /),
    })
  })

  it('when a policy forbids it, which is said in its place for each `onError`', async () => {
    const text = '[shell command execution disabled by policy]'
    const given: Given = { forbids: async () => "The machine's owner wants it so.", trust: 'untrusted' }
    expect(await ways(given, '!`touch ran`')).toEqual({ inline: text, skip: text, abort: 'nothing was thrown' })
  })

  it('when there is nothing in it', async () => {
    const { expand, asked } = await shell()
    expect(await expand('a\n```!\n \n```\nb')).toBe('a\n\nb')
    expect(asked).toEqual([])
  })
})

describe('a command that fails', () => {
  it('aborts, is shown or is skipped', async () => {
    expect(await ways({}, 'a !`echo out; echo "no such file" >&2; exit 3` b')).toEqual({
      inline: 'a [shell command failed: exit code 3: no such file] b',
      skip: 'a  b',
      abort:
        'E_SHELL: The command "echo out; echo "no such file" >&2; exit 3" embedded in the skill "release" failed: exit code 3: no such file. ' +
        'Correct the command, or set on-shell-error to continue without its output.',
    })
  })

  it('does what its skill says rather than the option', async () => {
    const skips = await shell({ onError: 'abort', command: { onShellError: 'skip' } })
    expect(await skips.expand('a !`false`')).toBe('a ')
    const aborts = await shell({ onError: 'skip', command: { onShellError: 'abort' } })
    await expect(aborts.expand('a !`false`')).rejects.toMatchObject({ code: 'E_SHELL' })
  })

  it('is shown in place by default', async () => {
    const { expand } = await shell()
    expect(await expand('!`false`')).toBe('[shell command failed: exit code 1]')
  })

  it('is named by its first line', async () => {
    const { expand } = await shell({ onError: 'abort' })
    expect(await messageOf(() => expand(`\`\`\`!\n# ${'x'.repeat(200)}\nfalse\n\`\`\``))).toContain(
      `The command "# ${'x'.repeat(118)} …" embedded`,
    )
  })
})

describe('the commands of a body', () => {
  it('run one after another', async () => {
    const { expand } = await shell()
    expect(await expand('!`ls; touch a`, !`ls; touch b`, !`ls`')).toBe(', a, a\nb')
  })

  it('are side by side when told so, each in its place', async () => {
    const { expand, tree } = await shell({ order: 'parallel', args: 'x' })
    execFileSync('mkfifo', [`${tree.path}/one`, `${tree.path}/two`])
    // Each command waits for the other: run one after another, they would never end.
    expect(await expand('!`cat one; echo a >two; echo $ARGUMENTS` !`echo b >one; cat two`')).toBe('b\nx a')
  })

  it('are all ended when one of them fails and is to abort', async () => {
    const { expand, tree, clock } = await shell({ order: 'parallel', onError: 'abort' })
    const { path, line, ended } = pipe(tree)
    const runs = `exec 9>${path}; echo $$ >&9; sleep 1000`
    execFileSync('mkfifo', [`${tree.path}/go`])
    const message = messageOf(() => expand(`!\`${runs}\` !\`read -r _ <go; exit 3\` !\`${runs}\``))
    const groups = [await line(), await line()]
    writeFileSync(`${tree.path}/go`, '\n')
    expect(await message).toContain('exit code 3')
    await ended()
    for (const group of groups) await expectGroupGone(group)
    expect(clock.pending).toBe(0)
  })

  it('are shown in their places side by side too when they fail', async () => {
    const { expand } = await shell({ order: 'parallel' })
    expect(await expand('!`exit 2` \\!`x` !`echo a`')).toContain('exit code 2] !`x` a')
  })

  it('are aborted side by side', async () => {
    const controller = new AbortController()
    const { expand, tree } = await shell({ order: 'parallel', signal: controller.signal })
    const { path, line, ended } = pipe(tree)
    const expanding = expand(
      `!\`exec 9>${path}; echo $$ >&9; sleep 1000\` !\`exec 9>${path}; echo $$ >&9; sleep 1000\``,
    )
    expanding.catch(() => undefined)
    const groups = [await line(), await line()]
    controller.abort()
    await expect(expanding).rejects.toMatchObject({ name: 'AbortError' })
    await ended()
    for (const group of groups) await expectGroupGone(group)
  })
})

it('leaves a mark where a backslash stands before a command', async () => {
  const { expand } = await shell()
  expect(await expand('Write \\!`date` for the date.')).toBe('Write !`date` for the date.')
})

test.each([
  [{ timeoutMs: 0 }],
  [{ timeoutMs: 2 ** 31 }],
  [{ maxOutputBytes: 1.5 }],
  [{ graceMs: Number.NaN }],
  [{ onError: 'stop' }],
  [{ order: 'random' }],
  [{ fences: true }],
  [{ inline: 'never' }],
])('an option that is not accepted is an error at once: %j', options => {
  // @ts-expect-error -- a program without types may give anything
  expect(() => shellExpander(options)).toThrow(expect.objectContaining({ code: 'E_INVALID_OPTION' }))
})
