import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createSkills, type Diagnostic } from '@skills/core'
import { Invoker } from '@skills/invocation'
import { fakeHost, tempTree, type TempTree } from '@skills/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { claudeCode } from './agents/claude-code/index.js'
import { distributionNamed, distributionNames } from './distribution-named.js'
import { mini } from './agents/mini/index.js'
import { opencode } from './agents/opencode/index.js'
import { opencodeClassic } from './agents/opencode-classic/index.js'
import { standardPermissions } from './permissions.js'
import { openState, trustFolder } from './trust.js'
import type { DistributionOptions } from './distribution.js'

function project(): TempTree {
  const tree = tempTree({
    'home/.keep': '',
    'repo/.git/HEAD': '',
    'repo/.claude/skills/folder/SKILL.md': '---\nname: field\ndescription: D.\n---\nText.',
    'repo/.agents/skills/all/SKILL.md': '---\nname: all\ndescription: A.\n---\nA.',
    'repo/.claude/skills/deep/er/SKILL.md': '---\nname: er\ndescription: E.\n---\nE.',
  })
  onTestFinished(() => tree.dispose())
  return tree
}

const hostOf = ({ path }: TempTree) => fakeHost({ cwd: `${path}/repo`, home: `${path}/home`, uid: process.getuid?.() })

describe('a distribution by its name', () => {
  it('has a folder of that name, and each makes an engine', async () => {
    const tree = project()
    const folders = readdirSync(join(import.meta.dirname, 'agents'), { withFileTypes: true })
    expect(distributionNames.toSorted()).toEqual(
      folders.flatMap(entry => (entry.isDirectory() ? [entry.name] : [])).toSorted(),
    )
    for (const name of distributionNames) {
      const distribution = (await distributionNamed(name))({
        host: hostOf(tree),
        managed: { dirs: [] },
        onDiagnostic: () => {},
      })
      const skills = createSkills(distribution)
      onTestFinished(() => skills.close())
      expect(distribution.name).toBe(name)
      expect((await skills.catalog()).size).toBeGreaterThan(0)
    }
  })

  it('that there is not is an error that names those there are', async () => {
    await expect(distributionNamed('openkode')).rejects.toMatchObject({
      code: 'E_INVALID_OPTION',
      message: expect.stringContaining('"openkode"'),
      hint: expect.stringMatching(
        /"opencode"\? .* standard, claude-code \(\d[\d.]+\), claude-code-2026q1, .*, cocode, .*\.$/,
      ),
    })
    await expect(distributionNamed('constructor')).rejects.toMatchObject({ code: 'E_INVALID_OPTION' })
  })
})

describe('distributions', () => {
  it('stand side by side in one process, and none has anything of another', async () => {
    const tree = project()
    const told: Diagnostic[] = []
    const options = { host: hostOf(tree), managed: { dirs: [] }, onDiagnostic: (one: Diagnostic) => told.push(one) }
    const engines = [claudeCode(options), opencode(options), mini(options)].map(one => createSkills(one))
    onTestFinished(() => Promise.all(engines.map(engine => engine.close())).then(() => {}))
    const names = async () =>
      Promise.all(engines.map(async engine => (await engine.catalog()).entries.map(({ name }) => name)))
    expect(await names()).toEqual([['folder'], ['er', 'field', 'all'], ['field']])
    tree.write({ 'repo/.claude/skills/new/SKILL.md': '---\nname: new\ndescription: N.\n---\n' })
    engines[0]?.invalidate()
    expect(await names()).toEqual([['folder', 'new'], ['er', 'field', 'all'], ['field']])
    expect(told).toEqual([])
  })

  it('can be adjusted, option by option', async () => {
    const tree = project()
    const distribution = claudeCode({
      host: hostOf(tree),
      managed: { dirs: [] },
      onDiagnostic: () => {},
      layout: { walk: 'deep' },
      listing: { showsDisplayName: false },
      tool: { name: 'run_skill' },
      text: { header: false },
    })
    const skills = createSkills(distribution)
    onTestFinished(() => skills.close())
    expect((await skills.catalog()).entries.map(({ name }) => name)).toEqual(['er', 'folder'])
    expect(distribution.tool).toEqual({
      suggests: true,
      tellsLoadErrors: false,
      letters: 'exact',
      texts: { off: expect.any(Function) },
      name: 'run_skill',
    })
  })

  it('keep their own rules beside those of a host, a caller that decides', async () => {
    const tree = project()
    tree.write({
      'home/.claude/skills/asks/SKILL.md': '---\nname: asks\ndescription: A.\nallowed-tools: Bash\n---\nText.',
    })
    const given: unknown[] = []
    const decided = async (options: Partial<DistributionOptions>): Promise<string> => {
      const skills = createSkills(mini({ host: hostOf(tree), onDiagnostic: () => {}, ...options }))
      onTestFinished(() => skills.close())
      const entry = (await skills.catalog()).require('asks')
      return (await new Invoker(skills).decide({ tool: 'Skill', content: 'asks', entry, args: '', caller: 'model' }))
        .behavior
    }
    expect(await decided({})).toBe('allow')
    expect(await decided({ rules: { allow: ['Skill(other)'], deny: undefined } })).toBe('allow')
    expect(await decided({ rules: { ask: ['Skill(asks)'] } })).toBe('ask')
    const permission: DistributionOptions['permission'] = rules => {
      given.push(rules)
      return standardPermissions(hostOf(tree), { ...rules, deny: ['Skill(asks)'] })
    }
    expect(await decided({ rules: { allow: ['Bash(ls)'] }, permission })).toBe('deny')
    expect(given).toEqual([{ files: [], allow: ['Bash(ls)', 'Skill'], ask: [], deny: [] }])
  })

  it("go by the folder in every source of files, and what is the user's own is trusted", async () => {
    const tree = project()
    tree.write({
      'home/.config/opencode/skills/mine/SKILL.md': '---\nname: mine\ndescription: M.\n---\nRuns !`printf mine`.',
      'repo/.opencode/skills/oc/SKILL.md': '---\nname: oc\ndescription: O.\n---\nRuns !`printf it`.',
    })
    const host = hostOf(tree)
    const skills = createSkills(opencodeClassic({ host, rules: { allow: ['Skill', 'Bash'] }, onDiagnostic: () => {} }))
    onTestFinished(() => skills.close())
    const run = async (name = 'oc') =>
      JSON.stringify((await new Invoker(skills, { onAsk: () => 'allow' }).invoke({ name, caller: 'user' })).newMessages)
    await expect(run()).rejects.toThrow('not trusted')
    expect(await run('mine')).toContain('Runs mine.')
    await trustFolder(openState(host, { report: () => {} }), `${tree.path}/repo`, host)
    expect(await run()).toContain('Runs it.')
  })

  it('read nothing before they are used', () => {
    const tree = tempTree()
    onTestFinished(() => tree.dispose())
    const host = fakeHost({ cwd: `${tree.path}/none`, home: `${tree.path}/none` })
    expect(() => createSkills(opencode({ host, onDiagnostic: () => {} }))).not.toThrow()
  })
})
