import { chownSync } from 'node:fs'
import { createSkills, type Catalog, type Diagnostic, type Host, type Provider } from '@skills/core'
import { fakeHost, tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { projectSource } from './index.js'

const isRoot = process.getuid?.() === 0
const uid = process.getuid?.()

function temporary(entries: TreeEntries): TempTree {
  const tree = tempTree(entries)
  onTestFinished(() => tree.dispose())
  return tree
}

/** Returns the catalog of only this source, on a host that is not this process. */
async function catalogOf(provider: Provider<'source'>, host: Partial<Host>, told: Diagnostic[] = []): Promise<Catalog> {
  const skills = createSkills({
    host: fakeHost({ uid, ...host }),
    plugins: [provider],
    onDiagnostic: diagnostic => told.push(diagnostic),
  })
  onTestFinished(() => skills.close())
  return skills.catalog()
}

function namesIn(catalog: Catalog): readonly string[] {
  return catalog.entries.map(({ name }) => name)
}

/** Returns the folder of a command, relative to `path`. */
function placeOf(catalog: Catalog, name: string, path: string): string | undefined {
  const command = catalog.get(name)?.command
  return command?.type === 'prompt' ? command.baseDir?.replace(`${path}/`, '') : undefined
}

describe('the project source', () => {
  it('finds legacy commands beside the skills, and a skill further out has the name before them', async () => {
    const { path } = temporary({
      'repo/.git/HEAD': '',
      'repo/.claude/skills/deploy/SKILL.md': 'A skill.',
      'repo/.claude/commands/top.md': 'x',
      'repo/web/.claude/commands/deploy.md': 'A command.',
      'repo/web/.claude/commands/user/deploy.md': 'Not the user’s.',
      'more/.claude/commands/extra.md': 'x',
    })
    const catalog = await catalogOf(projectSource({ additional: [`${path}/more`] }), {
      cwd: `${path}/repo/web`,
      home: `${path}/home`,
    })
    expect(namesIn(catalog)).toEqual(['deploy', 'web:user:deploy', 'top', 'extra', 'web:deploy'])
    expect(catalog.get('deploy')?.command).toMatchObject({ isSkill: true })
    expect(catalog.get('extra')?.command.source).toBe('additional')
  })

  it('finds skills in the working folder and its parents up to the repository root', async () => {
    const { path } = temporary({
      '.claude/skills/outside/SKILL.md': 'x',
      'repo/.git/HEAD': '',
      'repo/.claude/skills/a/SKILL.md': 'a',
      'repo/apps/.agents/skills/b/SKILL.md': 'b',
      'repo/apps/web/.claude/skills/c/SKILL.md': 'c',
    })
    const catalog = await catalogOf(projectSource(), { cwd: `${path}/repo/apps/web`, home: `${path}/home` })
    expect(namesIn(catalog)).toEqual(['c', 'b', 'a'])
    expect(new Set(catalog.entries.map(({ command }) => command.source))).toEqual(new Set(['project']))
    expect(catalog.places).toHaveLength(6)
  })

  it('prefers the nearest folder, then .claude to .agents', async () => {
    const { path } = temporary({
      'repo/.git/HEAD': '',
      'repo/.claude/skills/deploy/SKILL.md': 'one',
      'repo/apps/.agents/skills/deploy/SKILL.md': 'two!',
      'repo/apps/web/.claude/skills/deploy/SKILL.md': 'three',
      'repo/apps/web/.agents/skills/deploy/SKILL.md': 'four!!',
    })
    const catalog = await catalogOf(projectSource(), { cwd: `${path}/repo/apps/web` })
    expect(namesIn(catalog).map(name => [name, placeOf(catalog, name, `${path}/repo`)])).toEqual([
      ['deploy', 'apps/web/.claude/skills/deploy'],
      ['apps/web:deploy', 'apps/web/.agents/skills/deploy'],
      ['apps:deploy', 'apps/.agents/skills/deploy'],
      ['project:deploy', '.claude/skills/deploy'],
    ])
  })

  it("adds the skills of additional folders behind the project's", async () => {
    const { path } = temporary({
      'repo/.git/HEAD': '',
      'repo/.claude/skills/deploy/SKILL.md': 'one',
      'more/.claude/skills/deploy/SKILL.md': 'other',
      'more/.claude/skills/lint/SKILL.md': 'lint',
    })
    const catalog = await catalogOf(projectSource({ additional: [`${path}/more/`, `${path}/nowhere`] }), {
      cwd: `${path}/repo`,
    })
    expect(
      namesIn(catalog).map(name => [name, placeOf(catalog, name, path), catalog.get(name)?.command.source]),
    ).toEqual([
      ['deploy', 'repo/.claude/skills/deploy', 'project'],
      ['lint', 'more/.claude/skills/lint', 'additional'],
      ['additional:deploy', 'more/.claude/skills/deploy', 'additional'],
    ])
    expect(catalog.errors).toEqual([])
  })

  it("looks at a folder once that is the project's and additional too", async () => {
    const { path } = temporary({ 'repo/.git/HEAD': '', 'repo/.claude/skills/a/SKILL.md': 'a' })
    const catalog = await catalogOf(projectSource({ additional: [`${path}/repo`] }), { cwd: `${path}/repo` })
    expect(catalog.entries.map(({ name, command }) => [name, command.source])).toEqual([['a', 'project']])
    expect(catalog.collisions).toEqual([])
  })

  it('takes folders and layout as options', async () => {
    const { path } = temporary({
      'repo/.git/HEAD': '',
      'repo/.github/skills/group/a/SKILL.md': 'a',
      'repo/.github/skills/b/SKILL.md': 'b',
      'repo/.claude/skills/c/SKILL.md': 'c',
    })
    expect(
      namesIn(
        await catalogOf(projectSource({ folders: ['.github'], layout: { walk: 'flat' } }), { cwd: `${path}/repo` }),
      ),
    ).toEqual(['b'])
  })

  it('reads agents/openai.yaml under .agents alone', async () => {
    const { path } = temporary({
      'r/.git/HEAD': '',
      'r/.agents/skills/a/SKILL.md': 'a',
      'r/.agents/skills/a/agents/openai.yaml': 'policy: {allow_implicit_invocation: false}',
      'r/.claude/skills/b/SKILL.md': 'b',
      'r/.claude/skills/b/agents/openai.yaml': 'policy: {allow_implicit_invocation: false}',
    })
    const catalog = await catalogOf(projectSource(), { cwd: `${path}/r` })
    expect(
      catalog.entries.map(({ name, command }) => [name, command.type === 'prompt' && command.disableModelInvocation]),
    ).toEqual([
      ['b', false],
      ['a', true],
    ])
  })

  it.runIf(isRoot)(
    'skips a parent that belongs to another user, and says so (given away by the superuser)',
    async () => {
      const { path } = temporary({
        'repo/.git/HEAD': '',
        'repo/.claude/skills/a/SKILL.md': 'a',
        'repo/theirs/.claude/skills/evil/SKILL.md': 'evil',
        'repo/theirs/mine/.claude/skills/b/SKILL.md': 'b',
      })
      chownSync(`${path}/repo/theirs`, 65534, 65534)
      const told: Diagnostic[] = []
      const catalog = await catalogOf(projectSource(), { cwd: `${path}/repo/theirs/mine`, uid: 1000 }, told)
      expect(namesIn(catalog)).toEqual(['b', 'a'])
      expect(told).toEqual([
        expect.objectContaining({
          severity: 'warning',
          code: 'foreign-parent',
          path: `${path}/repo/theirs`,
          provider: 'project',
        }),
      ])
      expect(catalog.places.filter(({ state }) => state === 'skipped')).toEqual([
        {
          path: `${path}/repo/theirs`,
          state: 'skipped',
          found: 0,
          note: expect.stringContaining('another user') as string,
          provider: 'project',
        },
      ])
    },
  )

  it('follows links inside the project and to additional folders, and none out of them', async () => {
    const secret = 'do-not-print-this-text'
    const { path } = temporary({
      'private/note.md': secret,
      'private/b/SKILL.md': secret,
      'private/.claude/skills/x/SKILL.md': secret,
      'more/d/SKILL.md': 'd',
      'repo/.git/HEAD': '',
      'repo/docs/a/SKILL.md': 'a',
      'repo/.claude/skills/a': { link: '../../docs/a' },
      'repo/.claude/skills/b': { link: '../../../private/b' },
      'repo/.claude/skills/c/SKILL.md': { link: '../../../../private/note.md' },
      'repo/.claude/skills/d': { link: '../../../more/d' },
      'repo/.agents': { link: '../private/.claude' },
    })
    const told: Diagnostic[] = []
    const catalog = await catalogOf(projectSource({ additional: [`${path}/more`] }), { cwd: `${path}/repo` }, told)
    expect(namesIn(catalog)).toEqual(['a', 'd'])
    expect(told.map(({ type, code, path: at }) => [type, code, at?.replace(`${path}/repo/`, '')])).toEqual([
      ['traversal', 'link-escapes', '.claude/skills/b'],
      ['traversal', 'link-escapes', '.claude/skills/c/SKILL.md'],
      ['traversal', 'link-escapes', '.agents/skills'],
    ])
    expect(catalog.places).toContainEqual(
      expect.objectContaining({ path: `${path}/repo/.agents/skills`, state: 'unreadable' }),
    )
    expect(JSON.stringify([catalog.entries, catalog.errors, catalog.places])).not.toContain(secret)
  })

  it('follows links to the folders that it is told of besides', async () => {
    const { path } = temporary({
      'home/.claude/skills/mine/SKILL.md': 'mine',
      'home/notes/SKILL.md': 'private',
      'repo/.git/HEAD': '',
      'repo/.claude/skills/a': { link: '../../../home/.claude/skills/mine' },
      'repo/.claude/skills/b': { link: '../../../home/notes' },
    })
    const told: Diagnostic[] = []
    const linksTo = ({ home }: Pick<Host, 'home'>) => [`${home}/.claude/skills`, `${home}/nowhere`]
    expect(
      namesIn(await catalogOf(projectSource({ linksTo }), { cwd: `${path}/repo`, home: `${path}/home` }, told)),
    ).toEqual(['a'])
    expect(told.map(({ code, path: at }) => `${code} ${at?.replace(`${path}/repo/`, '')}`)).toEqual([
      'link-escapes .claude/skills/b',
    ])
  })

  it('makes no skill or command of another file in the folders that it is told of besides', async () => {
    const mine = '../../../home/.claude/skills/mine'
    const secret = 'said to no one'
    const { path } = temporary({
      'home/.claude/skills/mine/SKILL.md': 'mine',
      'home/.claude/skills/mine/notes.md': secret,
      'home/.claude/skills/mine/.env': secret,
      'repo/.git/HEAD': '',
      'repo/.claude/skills/a/SKILL.md': { link: `../${mine}/SKILL.md` },
      'repo/.claude/skills/b/SKILL.md': { link: `../${mine}/.env` },
      'repo/.claude/skills/c/skill.md': { link: `../${mine}/notes.md` },
      'repo/.claude/commands/notes.md': { link: `${mine}/notes.md` },
      'repo/.claude/skills/d': { link: '../../docs' },
      'repo/docs/SKILL.md': { link: 'guide.md' },
      'repo/docs/guide.md': 'guide',
    })
    const told: Diagnostic[] = []
    const linksTo = ({ home }: Pick<Host, 'home'>) => [`${home}/.claude/skills`]
    const catalog = await catalogOf(projectSource({ linksTo }), { cwd: `${path}/repo`, home: `${path}/home` }, told)
    expect(namesIn(catalog)).toEqual(['a', 'd'])
    expect(told.map(({ code, path: at }) => `${code} ${at?.replace(`${path}/repo/.claude/`, '')}`).toSorted()).toEqual([
      'link-escapes commands/notes.md',
      'link-escapes skills/b/SKILL.md',
      'link-escapes skills/c/skill.md',
    ])
    expect(JSON.stringify([catalog.entries, catalog.errors])).not.toContain(secret)
  })

  it('looks in the topmost folder when one works there', async () => {
    const catalog = await catalogOf(projectSource({ folders: ['.no-such-folder'] }), { cwd: '/', home: '/home/user' })
    expect(catalog.places.map(({ path }) => path)).toEqual(['/.no-such-folder/skills'])
  })

  it('says when the working folder is gone', async () => {
    const { path } = temporary({ 'repo/.git/HEAD': '', 'repo/.claude/skills/a/SKILL.md': 'a' })
    const told: Diagnostic[] = []
    const catalog = await catalogOf(projectSource(), { cwd: `${path}/repo/gone` }, told)
    expect(namesIn(catalog)).toEqual(['a'])
    expect(told).toMatchObject([{ code: 'no-working-folder', path: `${path}/repo/gone` }])
  })

  it('finds skills in the working folder alone outside of home and repository', async () => {
    const { path } = temporary({ '.claude/skills/a/SKILL.md': 'a', 'work/.claude/skills/b/SKILL.md': 'b' })
    expect(namesIn(await catalogOf(projectSource(), { cwd: `${path}/work`, home: '/home/user' }))).toEqual(['b'])
  })
})

describe('where a distribution has it so', () => {
  const entries = {
    'home/work/.claude/skills/a/SKILL.md': 'Outer.',
    'home/work/repo/.git/HEAD': '',
    'home/work/repo/.claude/skills/a/SKILL.md': 'Inner.',
    'home/work/repo/.claude/skills/b/SKILL.md': 'b',
  }

  it('goes up to the home folder, and the outermost of one name keeps it', async () => {
    const { path } = temporary(entries)
    const host = { cwd: `${path}/home/work/repo`, home: `${path}/home` }
    expect(placeOf(await catalogOf(projectSource({ reach: 'home' }), host), 'a', path)).toBe(
      'home/work/repo/.claude/skills/a',
    )
    const told: Diagnostic[] = []
    expect(placeOf(await catalogOf(projectSource({ reach: 'home', wins: 'last' }), host, told), 'a', path)).toBe(
      'home/work/.claude/skills/a',
    )
    expect(told.map(({ code, name }) => [code, name])).toEqual([['overwritten', 'a']])
  })

  it('asks the host which folders there are, and stands beside another of its kind', async () => {
    const { path } = temporary({
      'repo/.git/HEAD': '',
      'repo/.one/skills/a/SKILL.md': 'a',
      'repo/.two/skills/b/SKILL.md': 'b',
    })
    const skills = createSkills({
      host: fakeHost({ uid, cwd: `${path}/repo`, home: `${path}/home`, env: { FOLDER: '.one' } }),
      onDiagnostic: () => {},
      precedence: ['second', 'project'],
      plugins: [
        projectSource({ folders: ({ env }) => [env['FOLDER'] ?? '.none'] }),
        projectSource({ id: 'second', source: 'second', order: 1, folders: ['.two'] }),
      ],
    })
    onTestFinished(() => skills.close())
    expect(
      (await skills.catalog()).entries.map(({ name, command, provider }) => [name, command.source, provider]),
    ).toEqual([
      ['b', 'second', 'second'],
      ['a', 'project', 'project'],
    ])
  })
})
