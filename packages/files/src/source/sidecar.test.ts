import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { fakeClock, type TempTree } from '@skills/testing'
import { describe, expect, it } from 'vitest'
import { coarseClock } from '../../test/coarse-clock.js'
import { laterHost, loaded, onlyCommand, shortly, sourceOver, start, temporary } from '../../test/load.js'
import type { LoadResult } from '@skills/core'
import type { SkillRoot } from './layout.js'

const skill = '---\ndescription: Text.\n---\n'

/** Loads a skill with this `agents/openai.yaml`. */
function withSidecar(
  content: string | Uint8Array,
  root: Partial<SkillRoot> = { hasSidecars: true },
): Promise<LoadResult & { readonly path: string }> {
  const { path } = temporary({ 'a/SKILL.md': skill, 'a/agents/openai.yaml': content })
  return start(sourceOver([{ path, ...root }])).then(async ({ list }) => ({ ...(await list()), path }))
}

describe('agents/openai.yaml beside a skill', () => {
  it.each([
    ['policy:\n  allow_implicit_invocation: false\n', true],
    ['policy:\n  allow_implicit_invocation: true\n', false],
    ['policy: {allow_implicit_invocation: "no"}', true],
    ['policy: {allow_implicit_invocation: ON}', false],
    ['policy: {allow_implicit_invocation: 0}', true],
    ['policy:\n  allow_implicit_invocation:\n', false],
    ['policy:\n', false],
    ['', false],
    ['# nothing\n', false],
    [
      'interface:\n  display_name: Deploy\n  icon: ./icon.svg\ndependencies:\n  tools: [{type: mcp, value: x}]\n',
      false,
    ],
  ])('decides whether the model may invoke it: %j', async (content, isBarred) => {
    const result = await withSidecar(content)
    expect(onlyCommand(result).disableModelInvocation).toBe(isBarred)
    expect([...result.errors, ...result.warnings]).toEqual([])
  })

  it('adds to what the skill itself says', async () => {
    const { path } = temporary({
      'a/SKILL.md': '---\ndisable-model-invocation: true\n---\n',
      'a/agents/openai.yaml': 'policy: {allow_implicit_invocation: true}',
    })
    const { list } = await start(sourceOver([{ path, hasSidecars: true }]))
    expect(onlyCommand(await list()).disableModelInvocation).toBe(true)
  })

  it('is not looked for unless the root says so', async () => {
    for (const root of [{}, { hasSidecars: false }]) {
      const result = await withSidecar('policy: {allow_implicit_invocation: false}', root)
      expect(onlyCommand(result).disableModelInvocation).toBe(false)
    }
    expect((await withSidecar('::: no YAML', {})).warnings).toEqual([])
  })

  it.each([
    [
      'an answer that is neither true nor false',
      'policy:\n  allow_implicit_invocation: maybe\n',
      'policy.allow_implicit_invocation must be true or false.',
    ],
    ['a policy that is no map', 'policy: [x]', 'policy'],
    ['a list', '- a\n- b\n', ''],
    ['no YAML', 'policy: {allow', ''],
    ['bytes', Buffer.from([0, 255, 1, 2]), ''],
    ['too many bytes', `# ${'x'.repeat(64 * 1024)}\n`, '65539 bytes'],
  ])('keeps the model away with a warning when it is garbage: %s', async (_what, content, words) => {
    const result = await withSidecar(content)
    expect(onlyCommand(result)).toMatchObject({
      name: 'a',
      description: 'Text.',
      disableModelInvocation: true,
      userInvocable: true,
    })
    expect(result.errors).toEqual([])
    expect(result.warnings).toEqual([
      expect.objectContaining({
        type: 'validation',
        code: 'sidecar',
        name: 'a',
        path: `${result.path}/a/agents/openai.yaml`,
        message: expect.stringContaining(words),
        hint: expect.any(String),
      }),
    ])
  })

  it('has line and column where it is no YAML', async () => {
    const result = await withSidecar('interface:\n  name: x\npolicy: {allow: [}\n')
    expect(shortly(result.warnings, result.path)).toEqual([
      expect.stringMatching(/^sidecar a\/agents\/openai\.yaml:3:\d+$/),
    ])
  })

  it('keeps the model away when it is no file, a dangling link, or leads outside, and is not read then', async () => {
    const { path } = temporary({
      'private/openai.yaml': 'policy: {allow_implicit_invocation: true}',
      'p/a/SKILL.md': skill,
      'p/a/agents/openai.yaml': { link: '../../../private/openai.yaml' },
      'p/b/SKILL.md': skill,
      'p/b/agents': { link: '../../private' },
      'p/c/SKILL.md': skill,
      'p/c/agents/openai.yaml': { dir: true },
      'p/d/SKILL.md': skill,
      'p/d/agents/x': '',
      'p/good/SKILL.md': skill,
    })
    execFileSync('mkfifo', [`${path}/p/d/agents/openai.yaml`])
    const { list } = await start(sourceOver([{ path: `${path}/p`, within: [`${path}/p`], hasSidecars: true }]))
    const { commands, errors, warnings } = await list()
    expect(commands.map(command => command.type === 'prompt' && command.disableModelInvocation)).toEqual([
      true,
      true,
      true,
      true,
      false,
    ])
    expect(errors).toEqual([])
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining(`outside ${path}/p.`),
      expect.stringContaining(`outside ${path}/p.`),
      expect.stringContaining('is a folder'),
      expect.stringContaining('is a named pipe'),
    ])
  })

  it('keeps the model away when it is a link to nothing', async () => {
    const { path } = temporary({ 'a/SKILL.md': skill, 'a/agents/openai.yaml': { link: 'nowhere' } })
    const { list } = await start(sourceOver([{ path, hasSidecars: true }]))
    const result = await list()
    expect(onlyCommand(result).disableModelInvocation).toBe(true)
    expect(result.warnings).toMatchObject([{ code: 'sidecar' }])
  })

  it('is noticed by a refresh when it comes, changes and goes, although the skill file does not', async () => {
    const tree = temporary({ 'a/SKILL.md': skill, 'b/SKILL.md': skill })
    const { list, refresh } = await start(sourceOver([{ path: tree.path, hasSidecars: true }]))
    const before = await list()
    expect(await refresh()).toBeUndefined()
    const barred = async (): Promise<unknown> => {
      const result = await refresh()
      return result?.commands.map(command => command.type === 'prompt' && command.disableModelInvocation)
    }
    tree.write({ 'a/agents/openai.yaml': 'policy: {allow_implicit_invocation: false}' })
    expect(await barred()).toEqual([true, false])
    expect(await refresh()).toBeUndefined()
    tree.write({ 'a/agents/openai.yaml': 'policy: {allow_implicit_invocation: true}' })
    expect(await barred()).toEqual([false, false])
    tree.write({ 'a/agents/openai.yaml': '[' })
    expect(await barred()).toEqual([true, false])
    tree.remove('a/agents')
    const after = await refresh([`${tree.path}/a/agents/openai.yaml`])
    expect(after?.commands.map(({ name }) => name)).toEqual(['a', 'b'])
    expect(after?.warnings).toEqual([])
    expect(after?.commands[1]).toBe(before.commands[1])
  })

  describe('where a file system keeps whole seconds', () => {
    const [yes, no] = ['policy: {allow_implicit_invocation: on }', 'policy: {allow_implicit_invocation: off}']
    const barredIn = (result: LoadResult | undefined): unknown =>
      result?.commands.map(command => command.type === 'prompt' && command.disableModelInvocation)

    it('is noticed although it changed within the second in which it was read', async () => {
      coarseClock(1_700_000_000)
      const clock = fakeClock(1_700_000_000_500)
      const tree = temporary({ 'a/SKILL.md': skill, 'a/agents/openai.yaml': yes })
      const { list, refresh } = await start(sourceOver([{ path: tree.path, hasSidecars: true }]), laterHost({ clock }))
      expect(barredIn(await list())).toEqual([false])
      // As long as the text says the same, nothing has changed.
      expect(await refresh()).toBeUndefined()
      tree.write({ 'a/agents/openai.yaml': no })
      expect(barredIn(await refresh())).toEqual([true])
      await clock.advance(60_000)
      expect(await refresh()).toBeUndefined()
      expect(await refresh()).toBeUndefined()
    })

    /**
     * Makes a tree in which only the sidecar has the coarse clock, with the current time; its skill settles 1.5 s
     * later.
     */
    function youngSidecar(): { readonly tree: TempTree; readonly now: number } {
      const tree = temporary({ 'root/a/SKILL.md': skill, 'root/a/agents/openai.yaml': yes })
      const seconds = Math.ceil(statSync(`${tree.path}/root/a/SKILL.md`).ctimeMs / 1000)
      coarseClock(seconds, path => path.endsWith('openai.yaml'))
      return { tree, now: seconds * 1000 + 1500 }
    }

    it('is noticed although the skill file is settled', async () => {
      const { tree, now } = youngSidecar()
      const { list, refresh } = await start(
        sourceOver([{ path: `${tree.path}/root`, hasSidecars: true }]),
        laterHost({ clock: fakeClock(now) }),
      )
      expect(barredIn(await list())).toEqual([false])
      tree.write({ 'root/a/agents/openai.yaml': no })
      expect(barredIn(await refresh())).toEqual([true])
    })
  })

  it('keeps the model away where it cannot be told whether there is one', async () => {
    const { path } = temporary({ 'a/SKILL.md': skill, 'a/agents': { link: 'agents' } })
    const { list } = await start(sourceOver([{ path, hasSidecars: true }]))
    const result = await list()
    expect(onlyCommand(result).disableModelInvocation).toBe(true)
    expect(shortly(result.warnings, path)).toEqual(['sidecar a/agents/openai.yaml'])
  })

  it('makes no skill of a file that is none, and hides no problem of it', async () => {
    const { path } = temporary({
      'a/SKILL.md': '---\nuser-invocable: perhaps\n---\n',
      'a/agents/openai.yaml': 'policy: {allow_implicit_invocation: false}',
    })
    const { list } = await start(sourceOver([{ path, hasSidecars: true }]))
    const result = await list()
    expect(result.commands).toEqual([])
    expect(shortly(result.errors, path)).toEqual(['invalid-boolean a/SKILL.md:2:17'])
  })

  it('says nothing of a skill without one', async () => {
    const result = await loaded({ 'a/SKILL.md': skill }, {})
    expect(result.warnings).toEqual([])
  })
})
