import { createSkills, type Catalog, type Host, type Provider } from '@skills/core'
import { fakeHost, tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { userRoots, userSource } from './index.js'

function temporary(entries: TreeEntries): TempTree {
  const tree = tempTree(entries)
  onTestFinished(() => tree.dispose())
  return tree
}

/** Returns the catalog of only this source, on a host that is not this process. */
async function catalogOf(provider: Provider<'source'>, host: Partial<Host>): Promise<Catalog> {
  const skills = createSkills({ host: fakeHost(host), plugins: [provider], onDiagnostic: () => {} })
  onTestFinished(() => skills.close())
  return skills.catalog()
}

function namesIn(catalog: Catalog): readonly string[] {
  return catalog.entries.map(({ name }) => name)
}

describe('the user source', () => {
  it('finds skills in .claude and .agents of the home folder', async () => {
    const { path } = temporary({
      '.claude/skills/a/SKILL.md': 'a',
      '.agents/skills/b/SKILL.md': 'b',
      '.codex/skills/c/SKILL.md': 'c',
      'skills/d/SKILL.md': 'd',
    })
    const catalog = await catalogOf(userSource(), { home: path })
    expect(namesIn(catalog)).toEqual(['a', 'b'])
    expect(catalog.entries.map(({ command }) => command.source)).toEqual(['user', 'user'])
    expect(catalog.places).toEqual([
      { path: `${path}/.claude/skills`, state: 'read', found: 1, provider: 'user' },
      { path: `${path}/.agents/skills`, state: 'read', found: 1, provider: 'user' },
    ])
  })

  it('finds legacy commands beside the skills of .claude, behind every skill', async () => {
    const { path } = temporary({
      '.claude/commands/git/push.md': 'Push.',
      '.claude/commands/deploy.md': 'Old.',
      '.agents/skills/deploy/SKILL.md': 'New.',
      '.agents/commands/x.md': 'x',
    })
    const catalog = await catalogOf(userSource(), { home: path })
    expect(namesIn(catalog)).toEqual(['deploy', 'git:push', 'user:deploy'])
    expect(catalog.get('deploy')?.command).toMatchObject({ description: 'New.', isSkill: true })
    expect(catalog.get('git:push')?.command).toMatchObject({ source: 'user', loadedFrom: 'commands', isSkill: false })
  })

  it('reads what other agents keep in their folders', async () => {
    const { path } = temporary({
      '.opencode/skill/a/SKILL.md': 'a',
      '.opencode/skills/b/SKILL.md': 'b',
      '.github/skills/c/SKILL.md': 'c',
      '.codex/skills/d/SKILL.md': 'd',
      '.own/prompts/e/SKILL.md': 'e',
      '.claude/skills/f/SKILL.md': 'f',
    })
    const folders = ['.opencode', '.github', '.codex', { name: '.own', skills: ['prompts'] }]
    expect(namesIn(await catalogOf(userSource({ folders }), { home: path }))).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('prefers .claude to .agents, and keeps the other as user:deploy', async () => {
    const { path } = temporary({ '.claude/skills/deploy/SKILL.md': 'one', '.agents/skills/deploy/SKILL.md': 'other' })
    const catalog = await catalogOf(userSource(), { home: path })
    expect(catalog.get('deploy')?.command).toMatchObject({ baseDir: `${path}/.claude/skills/deploy` })
    expect(catalog.get('user:deploy')?.command).toMatchObject({ baseDir: `${path}/.agents/skills/deploy` })
  })

  it('finds them in $CLAUDE_CONFIG_DIR instead of .claude, and still in .agents', async () => {
    const { path } = temporary({
      'home/.claude/skills/a/SKILL.md': 'a',
      'config/skills/b/SKILL.md': 'b',
      'home/.agents/skills/c/SKILL.md': 'c',
    })
    for (const folder of [`${path}/config`, `${path}/config/`, '../config']) {
      const catalog = await catalogOf(userSource(), {
        home: `${path}/home`,
        cwd: `${path}/home`,
        env: { CLAUDE_CONFIG_DIR: folder },
      })
      expect(namesIn(catalog), folder).toEqual(['b', 'c'])
    }
    expect(namesIn(await catalogOf(userSource(), { home: `${path}/home`, env: { CLAUDE_CONFIG_DIR: '' } }))).toEqual([
      'a',
      'c',
    ])
  })

  it('ignores $CLAUDE_CONFIG_DIR if the options say so', async () => {
    const { path } = temporary({ 'home/.claude/skills/a/SKILL.md': 'a', 'config/skills/b/SKILL.md': 'b' })
    const at = { home: `${path}/home`, env: { CLAUDE_CONFIG_DIR: `${path}/config` } }
    expect(namesIn(await catalogOf(userSource({ configDir: false }), at))).toEqual(['a'])
  })

  it('does not mind that the home folder is missing', async () => {
    const { path } = temporary({})
    const catalog = await catalogOf(userSource(), { home: `${path}/nowhere` })
    expect([...catalog.entries, ...catalog.errors, ...catalog.warnings]).toEqual([])
    expect(catalog.places.map(({ state }) => state)).toEqual(['missing', 'missing'])
    expect((await catalogOf(userSource(), { home: '' })).places).toEqual([])
  })

  it('takes folders and layout as options', async () => {
    const { path } = temporary({
      '.codex/skills/group/a/SKILL.md': 'a',
      '.codex/skills/b/SKILL.md': 'b',
      '.claude/skills/c/SKILL.md': 'c',
    })
    expect(
      namesIn(await catalogOf(userSource({ folders: ['.codex'], layout: { walk: 'flat' } }), { home: path })),
    ).toEqual(['b'])
  })

  it('reads agents/openai.yaml under .agents and .codex alone', async () => {
    const { path } = temporary(
      Object.fromEntries(
        ['.claude', '.agents', '.codex'].flatMap(folder => [
          [`${folder}/skills/in${folder}/SKILL.md`, 'text'],
          [`${folder}/skills/in${folder}/agents/openai.yaml`, 'policy: {allow_implicit_invocation: false}'],
        ]),
      ),
    )
    const catalog = await catalogOf(userSource({ folders: ['.claude', '.agents', '.codex'] }), { home: path })
    expect(
      catalog.entries.map(({ name, command }) => [name, command.type === 'prompt' && command.disableModelInvocation]),
    ).toEqual([
      ['in.claude', false],
      ['in.agents', true],
      ['in.codex', true],
    ])
  })

  it("follows links wherever they lead: what is in the home folder is the user's own", async () => {
    const { path } = temporary({
      'elsewhere/a/SKILL.md': 'a',
      'home/.claude/skills/a': { link: '../../../elsewhere/a' },
    })
    expect(namesIn(await catalogOf(userSource(), { home: `${path}/home` }))).toEqual(['a'])
  })
})

describe('where a distribution has it so', () => {
  it('finds skills in a folder that is not in the home folder, and the last of one name keeps it', async () => {
    const { path } = temporary({
      'home/x': '',
      'configuration/skill/a/SKILL.md': 'First.',
      'configuration/skills/a/SKILL.md': 'Last.',
      'configuration/skills/b/SKILL.md': 'b',
    })
    const folders = ({ env }: Host) => [{ name: env['CONFIGURATION'] ?? '', skills: ['skill', 'skills'] }]
    const catalog = await catalogOf(
      userSource({ folders, id: 'configuration', source: 'configuration', wins: 'last' }),
      { home: `${path}/home`, env: { CONFIGURATION: `${path}/configuration` } },
    )
    expect(
      catalog.entries
        .filter(({ isQualified }) => !isQualified)
        .map(({ name, command, provider }) => [name, command.source, provider]),
    ).toEqual([
      ['a', 'configuration', 'configuration'],
      ['b', 'configuration', 'configuration'],
    ])
    const command = catalog.get('a')?.command
    expect(command?.type === 'prompt' && command.baseDir).toBe(`${path}/configuration/skills/a`)
  })
})

it('says where it looks for skills, and not where for commands', () => {
  expect(userRoots()(fakeHost({ home: '/home/me' }))).toEqual(['/home/me/.claude/skills', '/home/me/.agents/skills'])
  expect(
    userRoots(['.claude', { name: '/other', skills: ['skill'], commands: ['commands'] }])(
      fakeHost({ home: '/home/me', env: { CLAUDE_CONFIG_DIR: '/conf' } }),
    ),
  ).toEqual(['/conf/skills', '/other/skill'])
})
