import { chmodSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { tempTree, withoutRoot, type TempTree, type TreeEntries } from '@skills/testing'
import { checkPlace } from './check-place.js'
import { findSkillFiles } from './find-skill-files.js'

let tree: TempTree

/** Makes a tree that is removed at the end of the test; some tests make several. */
function temporary(entries: TreeEntries): TempTree {
  const made = tempTree(entries)
  onTestFinished(() => made.dispose())
  return made
}

async function find(entries: TreeEntries, paths: readonly string[]) {
  tree = temporary(entries)
  const { files, diagnostics } = await findSkillFiles(paths, { cwd: tree.path })
  const short = (text: string): string => text.replaceAll(`${tree.path}/`, '').replaceAll(tree.path, '.')
  return {
    files: files.map(short),
    codes: diagnostics.map(({ code, path = '' }) => `${code} ${short(path)}`),
    hints: diagnostics.map(({ hint = '' }) => short(hint)),
  }
}

test('a link in a folder that is looked through leads to what lies in its repository, and nowhere else; named, it leads anywhere', async () => {
  const entries: TreeEntries = {
    'repo/.git/HEAD': '',
    'repo/a/SKILL.md': { link: '../../outside/notes.md' },
    'repo/b': { link: '../outside/skill' },
    'repo/c/SKILL.md': { link: '../shared.md' },
    'repo/d': { link: 'e' },
    'repo/e/SKILL.md': '',
    'repo/shared.md': '',
    'outside/notes.md': '',
    'outside/skill/SKILL.md': '',
  }
  expect(await find(entries, ['repo'])).toEqual({
    files: ['repo/c/SKILL.md', 'repo/d/SKILL.md'],
    codes: ['link-escapes repo/a/SKILL.md', 'link-escapes repo/b'],
    hints: Array(2).fill('To check that file, name it on the command line.'),
  })
  expect(await find(entries, ['repo/a/SKILL.md', 'repo/b', 'repo/c'])).toMatchObject({
    files: ['repo/a/SKILL.md', 'repo/b/SKILL.md', 'repo/c/SKILL.md'],
    codes: [],
  })
})

describe('a path', () => {
  test('to a skill file is that file, in any folder', async () => {
    expect(
      await find({ 'node_modules/a/SKILL.md': '', '.hidden/skill.md': '' }, [
        'node_modules/a/SKILL.md',
        './.hidden/skill.md',
      ]),
    ).toMatchObject({ files: ['node_modules/a/SKILL.md', '.hidden/skill.md'], codes: [] })
  })

  test('to a file that the loader takes for a skill, as with a Kelvin sign for the K, is one that its name is wrong with', async () => {
    const name = 'S\u212aILL.md'
    const { files } = await find({ [`a/${name}`]: '' }, ['a', `a/${name}`])
    expect(files).toEqual([`a/${name}`])
    expect(checkPlace(`/skills/a/${name}`)).toMatchObject([{ code: 'other-case' }])
    expect(checkPlace('/skills/a/no-skill.md')).toEqual([])
  })

  test('to another file is an error', async () => {
    expect(await find({ 'README.md': '' }, ['README.md'])).toMatchObject({
      files: [],
      codes: ['not-a-skill-file README.md'],
    })
  })

  test('to nothing is an error with the closest name', async () => {
    expect(await find({ 'skills/deploy/SKILL.md': '' }, ['skills/deplyo', 'deploy', 'a/b/c'])).toEqual({
      files: [],
      codes: ['no-such-path skills/deplyo', 'no-such-path deploy', 'no-such-path a/b/c'],
      hints: ['Did you mean skills/deploy?', 'A path is needed, such as .claude/skills/deploy.', 'Check the path.'],
    })
  })

  test('to a link that leads to nothing is said to be one', async () => {
    expect(await find({ dang: { link: 'gone' } }, ['dang'])).toMatchObject({ files: [], codes: ['dangling-link dang'] })
  })

  test('that is named twice gives its files once, in the order of the arguments', async () => {
    expect((await find({ 'b/SKILL.md': '', 'a/SKILL.md': '' }, ['b', '.', 'a/SKILL.md'])).files).toEqual([
      'b/SKILL.md',
      'a/SKILL.md',
    ])
  })
})

describe('a folder', () => {
  test('gives every SKILL.md at or below it, below a skill too, in order', async () => {
    const entries = {
      'SKILL.md': '',
      'b/SKILL.md': '',
      'b/examples/x/SKILL.md': '',
      'a/deep/er/SKILL.md': '',
      'a/README.md': '',
      'c/Skill.md': '',
    }
    expect((await find(entries, ['.'])).files).toEqual([
      'SKILL.md',
      'a/deep/er/SKILL.md',
      'b/SKILL.md',
      'b/examples/x/SKILL.md',
      'c/Skill.md',
    ])
  })

  test('gives what stands in the place of a SKILL.md, file or not', async () => {
    expect((await find({ 'a/SKILL.md': { dir: true }, 'b/SKILL.md': { link: 'nowhere' } }, ['.'])).files).toEqual([
      'a/SKILL.md',
      'b/SKILL.md',
    ])
  })

  test('is searched with its hidden folders, past .git, node_modules and what git ignores, which are counted', async () => {
    const entries = {
      '.git/x/SKILL.md': '',
      '.gitignore': 'out\n',
      '.claude/skills/a/SKILL.md': '',
      'skills/.curated/c/SKILL.md': '',
      'node_modules/m/SKILL.md': '',
      'b/SKILL.md': '',
      'b/node_modules/n/SKILL.md': '',
      'out/o/SKILL.md': '',
    }
    expect((await find(entries, ['.'])).files).toEqual([
      '.claude/skills/a/SKILL.md',
      'b/SKILL.md',
      'skills/.curated/c/SKILL.md',
    ])
    expect((await findSkillFiles(['b', 'skills', '.'], { cwd: tree.path })).skipped).toEqual({
      ignored: 1,
      nodeModules: 3,
      git: 1,
    })
  })

  test('that is hidden, ignored or node_modules is searched when it is named', async () => {
    const entries = {
      '.git': { dir: true },
      '.gitignore': 'out\n',
      '.cache/x/SKILL.md': '',
      'node_modules/m/SKILL.md': '',
      'out/y/SKILL.md': '',
    } as const
    expect((await find(entries, ['.cache', 'node_modules', 'out'])).files).toEqual([
      '.cache/x/SKILL.md',
      'node_modules/m/SKILL.md',
      'out/y/SKILL.md',
    ])
  })

  test('is searched without what git ignores, by the rules of the whole repository', async () => {
    const entries = {
      '.git': { dir: true },
      '.gitignore': '/pkg/out/\n',
      'pkg/.gitignore': 'draft\n',
      'pkg/out/SKILL.md': '',
      'pkg/draft/SKILL.md': '',
      'pkg/in/SKILL.md': '',
    } as const
    expect((await find(entries, ['pkg'])).files).toEqual(['pkg/in/SKILL.md'])
  })

  test('without a skill file is an error that says where was not looked', async () => {
    expect(await find({ a: { dir: true }, 'b/.gitignore': 'x\n', 'b/x/SKILL.md': '' }, ['a', 'b'])).toEqual({
      files: [],
      codes: ['no-skill-files a', 'no-skill-files b'],
      hints: [
        'A skill is a folder with a SKILL.md in it.',
        'Folders that git ignores were not searched. To search such a folder, name it.',
      ],
    })
  })

  test('that links lead to is searched once, however they are laid', async () => {
    const entries = {
      'a/SKILL.md': '',
      'to-a': { link: 'a' },
      'a/up': { link: '..' },
      'x/round': { link: 'round' },
      'elsewhere/SKILL.md': '',
      'b/far': { link: '../elsewhere' },
    } as const
    expect((await find(entries, ['.'])).files).toEqual(['a/SKILL.md', 'b/far/SKILL.md'])
  })

  test.runIf(process.geteuid?.() === 0)('that cannot be read is an error beside what can', async () => {
    tree = temporary({ 'a/SKILL.md': '', b: { dir: true, mode: 0o700 } })
    chmodSync(tree.path, 0o755)
    await withoutRoot(async () => {
      const { files, diagnostics } = await findSkillFiles(['.'], { cwd: tree.path })
      expect(files).toEqual([`${tree.path}/a/SKILL.md`])
      expect(diagnostics).toMatchObject([{ severity: 'error', code: 'unreadable', path: `${tree.path}/b` }])
    })
  })

  test('is left when the signal aborts', async () => {
    tree = temporary({ 'a/SKILL.md': '' })
    const controller = new AbortController()
    controller.abort()
    await expect(findSkillFiles(['.'], { cwd: tree.path, signal: controller.signal })).rejects.toMatchObject({
      name: 'AbortError',
    })
  })
})

describe('a pattern', () => {
  const entries = {
    'skills/a/SKILL.md': '',
    'skills/b/SKILL.md': '',
    'skills/b/notes.md': '',
    '.claude/skills/c/SKILL.md': '',
  }

  test('gives the skill files it matches, and of a folder all below it', async () => {
    expect((await find(entries, ['skills/*/*.md'])).files).toEqual(['skills/a/SKILL.md', 'skills/b/SKILL.md'])
    expect((await find(entries, ['skills/*'])).files).toEqual(['skills/a/SKILL.md', 'skills/b/SKILL.md'])
    expect((await find(entries, ['**/SKILL.md'])).files).toEqual([
      '.claude/skills/c/SKILL.md',
      'skills/a/SKILL.md',
      'skills/b/SKILL.md',
    ])
    expect((await find(entries, ['skills/{a,x}/'])).files).toEqual(['skills/a/SKILL.md'])
  })

  test('that matches none is an error', async () => {
    expect(await find(entries, ['other/*', 'skills/**/notes.md'])).toMatchObject({
      files: [],
      codes: ['no-skill-files other/*', 'no-skill-files skills/**/notes.md'],
    })
  })

  test('that is the name of a folder is that folder', async () => {
    expect((await find({ '[a]/SKILL.md': '' }, ['[a]'])).files).toEqual(['[a]/SKILL.md'])
  })
})
