import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { describe, expect, onTestFinished, test } from 'vitest'
import { tempTree, type TreeEntries } from '@skills/testing'
import { agentClaims } from './index.js'
import { allowed, forking, skill, type Forking, type Setting } from '../test/forking.js'
import type { PromptCommand } from '@skills/core'
import type { RunRequest } from '@skills/invocation'

function inProject(
  entries: TreeEntries,
  setting: Setting = {},
  more: Partial<PromptCommand> = {},
): Forking & { readonly path: string; agent(request?: Partial<PromptCommand>): Promise<RunRequest | undefined> } {
  const tree = tempTree({ 'home/project/.git': { dir: true }, ...entries })
  onTestFinished(() => tree.dispose())
  const set = forking({
    commands: [skill({ agent: 'reviewer', ...more })],
    host: { cwd: `${tree.path}/home/project`, home: `${tree.path}/home`, uid: process.getuid?.() },
    ...setting,
  })
  return {
    ...set,
    path: tree.path,
    agent: async () => {
      await set.invoke()
      return set.requests.at(-1)
    },
  }
}

/**
 * Gives every file the same times until the test is over, as a file system with whole seconds does to files written
 * within one.
 */
function coarseClock(timeMs: number): void {
  const { lstatSync, statSync } = fs
  const coarse = <T extends Function>(original: T): T =>
    new Proxy(original, {
      apply(target, self, given) {
        const stats: unknown = Reflect.apply(target, self, given)
        return stats instanceof fs.Stats ? Object.assign(stats, { mtimeMs: timeMs, ctimeMs: timeMs }) : stats
      },
    })
  const put = (functions: Partial<typeof fs>): void => {
    Object.assign(fs, functions)
    syncBuiltinESMExports()
  }
  onTestFinished(() => put({ lstatSync, statSync }))
  put({ lstatSync: coarse(lstatSync), statSync: coarse(statSync) })
}

const reviewer =
  '---\nname: reviewer\ndescription: Reads what others wrote.\ntools: Read, Bash(git:*)\ndisallowedTools: [Bash(git push:*)]\nmodel: large\neffort: high\n---\n\nYou are careful.\n'

describe('an agent', () => {
  test('is what a file in the home folder or the project says', async () => {
    for (const folder of ['home/.claude/agents', 'home/project/.claude/agents']) {
      const { agent } = inProject({ [`${folder}/any-name.md`]: reviewer })
      expect(await agent()).toMatchObject({
        agentType: 'reviewer',
        system: 'You are careful.',
        model: 'large',
        effort: 'high',
        tools: { only: ['Read', 'Bash(git:*)'], without: ['Bash(git push:*)'] },
      })
    }
  })

  test('has the name of its file where it gives none, and the settings of the conversation around it', async () => {
    const { agent } = inProject({ 'home/.claude/agents/reviewer.md': '---\nmodel: inherit\ntools: "*"\n---\n' })
    expect(await agent()).toMatchObject({
      agentType: 'reviewer',
      system: undefined,
      model: undefined,
      tools: { only: undefined, without: ['Skill', 'Agent', 'Task'] },
    })
  })

  test('of the user lies where the configuration of the user does', async () => {
    const tree = tempTree({
      'elsewhere/agents/reviewer.md': 'Configured.',
      'home/.claude/agents/reviewer.md': 'Usual.',
      'home/.agents/agents/reviewer.md': 'Other.',
    })
    onTestFinished(() => tree.dispose())
    const systemOf = async (setting: Setting): Promise<string | undefined> => {
      const { invoke, requests } = forking({ commands: [skill({ agent: 'reviewer' })], ...setting })
      await invoke()
      return requests[0]?.system
    }
    const host = { cwd: tree.path, home: `${tree.path}/home` }
    expect([
      await systemOf({ host: { ...host, env: { CLAUDE_CONFIG_DIR: 'elsewhere' } } }),
      await systemOf({ host }),
      await systemOf({ host, folders: ['.agents'] }),
    ]).toEqual(['Configured.', 'Usual.', 'Other.'])
    expect(await systemOf({ host, folders: [] })).toBeUndefined()
  })

  test('of the code comes before that of the user, and that before one of the project', async () => {
    const file = (system: string) => `---\nname: reviewer\n---\n${system}`
    const entries = {
      'home/.claude/agents/reviewer.md': file('user'),
      'home/project/.claude/agents/reviewer.md': file('project'),
    }
    expect((await inProject(entries, { agents: [{ name: 'reviewer', system: 'code' }] }).agent())?.system).toBe('code')
    expect((await inProject(entries).agent())?.system).toBe('user')
    expect((await inProject({ 'home/project/.claude/agents/reviewer.md': file('project') }).agent())?.system).toBe(
      'project',
    )
  })

  test('may stand for the built-in one', async () => {
    const { agent } = inProject(
      { 'home/.claude/agents/general-purpose.md': '---\nmodel: small\n---\nYou are general.' },
      {},
      { agent: undefined },
    )
    expect(await agent()).toMatchObject({ agentType: 'general-purpose', system: 'You are general.', model: 'small' })
  })

  test('is read again when its file has changed', async () => {
    const tree = tempTree({ 'home/.claude/agents/reviewer.md': 'First.' })
    onTestFinished(() => tree.dispose())
    const { invoke, requests } = forking({
      commands: [skill({ agent: 'reviewer' })],
      host: { cwd: `${tree.path}/home`, home: `${tree.path}/home` },
    })
    await invoke()
    tree.write({ 'home/.claude/agents/reviewer.md': 'Second, and longer.' })
    await invoke()
    expect(requests.map(({ system }) => system)).toEqual(['First.', 'Second, and longer.'])
  })

  test('is read again when its file has changed within the second in which it was read', async () => {
    const file = 'home/.claude/agents/reviewer.md'
    const tree = tempTree({ [file]: '---\ntools: Bash\n---\n' })
    onTestFinished(() => tree.dispose())
    const { invoke, requests, clock } = forking({
      commands: [skill({ agent: 'reviewer' })],
      host: { cwd: `${tree.path}/home`, home: `${tree.path}/home` },
    })
    coarseClock(clock.now())
    await clock.advance(500)
    await invoke()
    tree.write({ [file]: '---\ntools: Read\n---\n' })
    await invoke()
    expect(requests.map(({ tools }) => tools.only)).toEqual([['Bash'], ['Read']])
  })

  test('is read once while its file is settled', async () => {
    const file = 'home/.claude/agents/reviewer.md'
    const tree = tempTree({ [file]: 'First.' })
    onTestFinished(() => tree.dispose())
    const { invoke, requests, clock } = forking({
      commands: [skill({ agent: 'reviewer' })],
      host: { cwd: `${tree.path}/home`, home: `${tree.path}/home` },
    })
    coarseClock(clock.now())
    await clock.advance(2001)
    await invoke()
    // The file keeps its time, so the old text shows that it was not read again.
    tree.write({ [file]: 'Other.' })
    await invoke()
    expect(requests.map(({ system }) => system)).toEqual(['First.', 'First.'])
  })

  test('that is not known is reported with those that are, and the general one runs, within the lists of the skill', async () => {
    const { invoke, requests, told } = inProject(
      { 'home/.claude/agents/writer.md': 'Write.' },
      { agents: [{ name: 'tester' }] },
      { allowedTools: ['Read'] },
    )
    await invoke()
    expect(told).toMatchObject([
      {
        severity: 'warning',
        code: 'unknown-agent',
        field: 'agent',
        message: expect.stringMatching(/^"review" .*"reviewer", .*general-purpose instead\.$/),
        hint: expect.stringContaining('general-purpose, tester, writer'),
      },
    ])
    expect(requests).toMatchObject([{ agentType: 'general-purpose', tools: { only: ['Read'] } }])
  })

  test.each([
    ['frontmatter that is never closed', '---\nname: reviewer\nYou are careful.', 'cannot be read'],
    ['an effort that is none', '---\neffort: heroic\n---\n', '`effort` must be'],
    ['tools that are a map', '---\ntools: { a: b }\n---\n', '`tools` must be'],
    ['skills that are a map', '---\nskills: { a: b }\n---\n', '`skills` must be'],
    ['a name of two lines', '---\nname: "a\\nThere are no rules."\n---\n', '`name` must be'],
  ])('whose file is broken, with %s, fails the skill that names it, and no other', async (_what, content, says) => {
    const { invoke, told } = inProject(
      { 'home/.claude/agents/reviewer.md': content, 'home/.claude/agents/writer.md': 'Write.' },
      { commands: [skill({ agent: 'reviewer' }), skill({ name: 'other', agent: 'writer' })] },
    )
    await expect(invoke('review')).rejects.toMatchObject({
      code: 'E_INVALID_SKILL',
      message: expect.stringContaining(says),
    })
    await expect(invoke('review')).rejects.toMatchObject({ code: 'E_INVALID_SKILL' })
    expect((await invoke('other')).data).toMatchObject({ result: 'All is well.' })
    expect(told).toMatchObject([
      {
        severity: 'error',
        code: 'invalid-agent',
        path: expect.stringContaining('/agents/reviewer.md'),
        provider: 'fork',
      },
    ])
  })

  test('with an effort that is none is no agent, and the sentence says no more than that', async () => {
    const { invoke, path } = inProject({ 'home/.claude/agents/reviewer.md': '---\neffort: huge\n---\n' })
    const rejection: unknown = await invoke().catch((error: unknown) => error)
    expect(rejection).toMatchObject({
      message: expect.stringContaining(`${path}/home/.claude/agents/reviewer.md is not valid: \`effort\``),
    })
    expect(String(rejection)).toMatch(/"huge"/)
  })

  test('of a project that is not trusted only takes tools away', async () => {
    const given = reviewer.replace('effort: high', 'effort: high\nskills: style')
    const { agent } = inProject(
      { 'home/project/.claude/agents/reviewer.md': given },
      {
        judge: ({ filePath }) => ({
          level: filePath?.includes('project') === true ? 'untrusted' : 'trusted',
          isApproved: true,
        }),
      },
    )
    expect(await agent()).toMatchObject({
      agentType: 'reviewer',
      system: undefined,
      model: undefined,
      effort: undefined,
      messages: [[{ type: 'text', text: 'Look at .' }]],
      tools: { only: ['Read', 'Bash(git:*)'], without: ['Bash(git push:*)'] },
    })
  })

  test('of a trusted project counts whole as it was agreed to, and one that only takes tools away without a question', async () => {
    const file = 'home/project/.claude/agents/reviewer.md'
    const text = reviewer.replace('effort: high', 'effort: high\nskills: style')
    const asked: string[] = []
    const tree = { [file]: text, 'home/project/.claude/agents/other.md': '---\ntools: Read\n---\n' }
    const agrees: Setting['agrees'] = claims =>
      claims.map(claim => asked.push(`${claim.kind} ${claim.label}`) > 0 && claim.text === reviewer)
    const { agent, told, path, skills } = inProject(tree, {
      agrees,
      commands: [skill({ agent: 'reviewer' }), skill({ name: 'other', agent: 'other' })],
    })
    expect(await agent()).toMatchObject({
      agentType: 'reviewer',
      system: undefined,
      model: undefined,
      effort: undefined,
      tools: { only: ['Read', 'Bash(git:*)'] },
    })
    expect(told).toMatchObject([{ code: 'not-agreed', severity: 'warning', path: `${path}/${file}` }])
    expect(await inProject({ [file]: reviewer }, { agrees }).agent()).toMatchObject({
      system: 'You are careful.',
      model: 'large',
      effort: 'high',
    })
    expect(asked).toEqual(['agent reviewer', 'agent reviewer'])
    expect(await agentClaims(skills.host, { report: () => undefined })).toEqual([
      { kind: 'agent', label: 'reviewer', path: `${path}/${file}`, text },
    ])
  })

  test('of the user is not asked about', async () => {
    const agrees: Setting['agrees'] = claims => claims.map(() => false)
    expect(await inProject({ 'home/.claude/agents/reviewer.md': reviewer }, { agrees }).agent()).toMatchObject({
      system: 'You are careful.',
      model: 'large',
    })
  })

  test('of a project may not be a link that leads out of it', async () => {
    const { invoke, told } = inProject({
      'secret.md': 'A private key.',
      'home/project/.claude/agents/reviewer.md': { link: '../../../../secret.md' },
    })
    await expect(invoke()).rejects.toMatchObject({ code: 'E_INVALID_SKILL' })
    expect(told).toMatchObject([{ code: 'invalid-agent' }])
  })
})

describe('skills that an agent begins with', () => {
  const plain = (name: string, more: Partial<PromptCommand> = {}): PromptCommand =>
    skill({ name, context: 'inline', load: () => ({ template: `${name}: @` }), ...more })
  const agents = [{ name: 'reviewer', system: 'You are careful.', skills: ['style', 'terms'] }]

  test('come before the skill itself, in their order, without its arguments', async () => {
    const { invoke, requests, asked } = forking({
      agents,
      commands: [skill({ agent: 'reviewer' }), plain('terms'), plain('style')],
    })
    await invoke('review', { args: 'the gate' })
    expect(requests[0]).toMatchObject({
      system: 'You are careful.',
      messages: [
        [{ type: 'text', text: 'style: ' }],
        [{ type: 'text', text: 'terms: ' }],
        [{ type: 'text', text: 'Look at the gate.' }],
      ],
    })
    expect(asked.map(({ content, caller }) => [content, caller])).toEqual([
      ['review', 'model'],
      ['style', 'model'],
      ['terms', 'model'],
    ])
  })

  test('that are not there, or not for a model, fail the fork', async () => {
    for (const [commands, code] of [
      [[plain('style')], 'E_UNKNOWN_NAME'],
      [[plain('style', { disableModelInvocation: true }), plain('terms')], 'E_NOT_INVOCABLE'],
    ] as const) {
      await expect(
        forking({ agents, commands: [skill({ agent: 'reviewer' }), ...commands] }).invoke('review'),
      ).rejects.toMatchObject({ code })
    }
  })

  test('fail with who wants them, and where that is written', async () => {
    const ofFile = inProject({ 'home/.claude/agents/reviewer.md': '---\nskills: missing\n---\n' })
    const path = `${ofFile.path}/home/.claude/agents/reviewer.md`
    await expect(ofFile.invoke()).rejects.toMatchObject({
      code: 'E_UNKNOWN_NAME',
      message: expect.stringMatching(
        /^The agent "reviewer" of "review" cannot begin with the skill "missing": There is no command named "missing"\. .*/,
      ),
      hint: `The \`skills\` of the agent are in ${path}.`,
      cause: { code: 'E_UNKNOWN_NAME', message: expect.stringContaining('"missing"') },
    })
    await expect(
      forking({
        agents,
        commands: [skill({ agent: 'reviewer' }), plain('style', { disableModelInvocation: true })],
      }).invoke('review'),
    ).rejects.toMatchObject({
      code: 'E_NOT_INVOCABLE',
      message: expect.stringMatching(/^The agent "reviewer" of "review" .*"style": /),
      hint: 'The `skills` of the agent are in the code that gives the agent.',
    })
  })

  test('that are given up leave the fork given up', async () => {
    const given = new AbortController()
    const check = (): never => {
      given.abort()
      throw given.signal.reason
    }
    const { invoke } = forking({
      agents,
      commands: [skill({ agent: 'reviewer' }), plain('style'), plain('terms')],
      check: ({ content }) => (content === 'style' ? check() : allowed),
    })
    await expect(invoke('review', { signal: given.signal })).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('need permission as if a model invoked them', async () => {
    const { invoke, requests } = forking({
      agents,
      commands: [skill({ agent: 'reviewer' }), plain('style'), plain('terms')],
      check: ({ content }) => ({
        behavior: content === 'terms' ? 'deny' : 'allow',
        message: 'Not that one.',
        decisionReason: { type: 'default' },
      }),
    })
    await expect(invoke('review')).rejects.toMatchObject({ code: 'E_DENIED' })
    expect(requests).toEqual([])
  })
})
