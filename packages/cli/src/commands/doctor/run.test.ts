import { lstatSync, readFileSync, readlinkSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runIn, type Ran } from '../../../test/console.js'

const skill = (name: string): string => `---\nname: ${name}\ndescription: Does it when it is asked for.\n---\nDo it.\n`

function project(entries: TreeEntries): TempTree {
  const tree = tempTree({ home: { dir: true }, 'work/.git': { dir: true }, ...entries })
  onTestFinished(() => tree.dispose())
  return tree
}

async function at({ path }: TempTree, argv: readonly string[], folder = 'work'): Promise<Ran> {
  const { code, stdout, stderr } = await runIn(argv, { cwd: `${path}/${folder}`, home: `${path}/home` })
  return { code, stdout: stdout.replaceAll(path, '/TMP'), stderr: stderr.replaceAll(path, '/TMP') }
}

interface Found {
  readonly harm: string
  readonly code: string
  readonly severity: string
}

async function found(tree: TempTree, argv: readonly string[] = [], folder?: string): Promise<readonly string[]> {
  const { stdout } = await at(tree, ['doctor', '--json', ...argv], folder)
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly Found[] }
  return findings.map(({ harm, severity, code }) => `${harm} ${severity} ${code}`)
}

async function names(tree: TempTree): Promise<readonly string[]> {
  const { stdout } = await at(tree, ['list', '--json'])
  return (JSON.parse(stdout) as { readonly name: string }[]).map(({ name }) => name).sort()
}

test('says that nothing is wrong, and ends with 0', async () => {
  const tree = project({ 'work/.claude/skills/a/SKILL.md': skill('a') })
  expect(await at(tree, ['doctor'])).toEqual({ code: 0, stderr: '', stdout: 'Nothing is wrong.\n' })
})

describe('what is nearly a skill', () => {
  const entries = {
    'work/.claude/skills/flat.md': skill('flat'),
    'work/.claude/skills/other/SKILL.md.txt': skill('other'),
    'work/.claude/skills/small/skill.md': skill('small'),
    'work/.claude/skills/wide/SKILL.md': Buffer.from(`\uFEFF${skill('wide')}`, 'utf16le'),
    'work/.claude/skills/open/SKILL.md': '---\nname: open\ndescription: Is never closed.\n\n# Title\n',
    'work/.claude/skills/dashes/SKILL.md': '---\nname: dashes\ndescription: Is closed by two.\n--\nText.\n',
    'work/.claude/skills/field/SKILL.md': '---\nname: field\ndescripton: Is misspelt.\n---\nText.\n',
    'work/.claude/Skills/case/SKILL.md': skill('case'),
  }

  test('is said with its repair, mended by --fix, and then nothing is wrong', async () => {
    const tree = project({ ...entries, 'work/.claude/Skills/case/SKILL.md': { dir: true } })
    tree.remove('work/.claude/Skills')
    const before = await at(tree, ['doctor'])
    expect(before.code).toBe(1)
    expect(before.stdout).toMatch(/ Move .* to \.claude\/skills\/flat\/SKILL\.md\./)
    expect(before.stdout).toMatch(/^(\d+) .*\. \1 .*: skills doctor --fix$/m)
    const { code, stdout } = await at(tree, ['doctor', '--fix'])
    expect(stdout).toContain('.claude/skills/flat.md is now .claude/skills/flat/SKILL.md')
    expect({ code, last: stdout.split('\n').at(-2) }).toEqual({ code: 0, last: 'Nothing is wrong.' })
    expect(await names(tree)).toEqual(['dashes', 'field', 'flat', 'open', 'other', 'small', 'wide'])
    const text = (name: string): string => readFileSync(`${tree.path}/work/.claude/skills/${name}/SKILL.md`, 'utf8')
    expect(text('wide')).toBe(skill('wide'))
    expect(text('open')).toBe('---\nname: open\ndescription: Is never closed.\n---\n\n# Title\n')
    expect(text('dashes')).toBe('---\nname: dashes\ndescription: Is closed by two.\n---\nText.\n')
    expect(text('field')).toBe('---\nname: field\ndescription: Is misspelt.\n---\nText.\n')
    expect(await at(tree, ['doctor'])).toMatchObject({ code: 0, stdout: 'Nothing is wrong.\n' })
  })

  test('stays where a person has to decide: nothing is overwritten, and no field that grants something is corrected', async () => {
    const grants = '---\nname: grants\ndescription: Wants more.\nalowed-tools: Bash(*)\n---\nText.\n'
    const tree = project({
      'work/.claude/skills/flat.md': skill('flat'),
      'work/.claude/skills/flat/SKILL.md': skill('flat'),
      'work/.claude/skills/grants/SKILL.md': grants,
      'work/.claude/skills/json/skill.json': '{"name":"json"}',
    })
    const { code, stdout } = await at(tree, ['doctor', '--fix'])
    expect(code).toBe(1)
    expect(stdout).toContain('Not mended\n  .claude/skills/flat.md stays: .claude/skills/flat/SKILL.md already exists.')
    expect(stdout).toContain('Write a SKILL.md beside it')
    expect(readFileSync(`${tree.path}/work/.claude/skills/flat.md`, 'utf8')).toBe(skill('flat'))
    expect(readFileSync(`${tree.path}/work/.claude/skills/grants/SKILL.md`, 'utf8')).toBe(grants)
  })

  test('is mended through a link within the project, and not outside of it', async () => {
    const tree = project({
      'work/shared/skills/inside.md': skill('inside'),
      'work/.claude/skills': { link: '../shared/skills' },
      'home/.claude/skills/own.md': skill('own'),
    })
    const { stdout } = await at(tree, ['doctor', '--fix'])
    expect(existsSync(`${tree.path}/work/shared/skills/inside/SKILL.md`)).toBe(true)
    expect(stdout).toMatch(/ not .* project: add --user\./)
    expect(existsSync(`${tree.path}/home/.claude/skills/own.md`)).toBe(true)
    expect((await at(tree, ['doctor', '--fix', '--user'])).code).toBe(0)
    expect(existsSync(`${tree.path}/home/.claude/skills/own/SKILL.md`)).toBe(true)
  })

  test('--user without --fix is refused', async () => {
    expect((await at(project({}), ['doctor', '--user'])).code).toBe(2)
  })
})

describe('folders', () => {
  test('of other agents are advice, those that no agent reads are wrong, and a wrong name is mended', async () => {
    const tree = project({
      'work/.cursor/skills/a/SKILL.md': skill('a'),
      'work/.own/skills/b/SKILL.md': skill('b'),
      'work/.gemini/Skill/c/SKILL.md': skill('c'),
    })
    expect(await found(tree)).toEqual([
      'places warning misnamed-folder',
      'places warning unread-folder',
      'places info other-agents-folder',
    ])
    await at(tree, ['doctor', '--fix'])
    expect(existsSync(`${tree.path}/work/.gemini/skills/c/SKILL.md`)).toBe(true)
  })

  test("of an agent that git checked out as text are named with git's setting, and other files of the name are not", async () => {
    const tree = project({ 'work/shared/skills/a/SKILL.md': skill('a'), 'work/.claude': 'shared', 'work/.agents': 'x' })
    expect(await found(tree)).toEqual(['places warning text-link-folder'])
    const { stdout } = await at(tree, ['doctor', '--fix'])
    expect(stdout).toContain('git config core.symlinks true')
    expect(readFileSync(`${tree.path}/work/.claude`, 'utf8')).toBe('shared')
  })

  test('that only the main checkout of a worktree has are linked by --fix, and then found', async () => {
    const tree = project({
      'work/.git/worktrees/wt/commondir': '../..\n',
      'work/.git/HEAD': 'ref: refs/heads/main\n',
      'work/.gitignore': '.claude/\n',
      'work/.claude/skills/a/SKILL.md': skill('a'),
      'wt/README.md': 'x',
    })
    tree.write({
      'wt/.git': `gitdir: ${tree.path}/work/.git/worktrees/wt\n`,
      'work/.git/worktrees/wt/gitdir': `${tree.path}/wt/.git\n`,
    })
    expect((await at(tree, [], 'wt')).stdout).toContain('/TMP/work/.claude/skills has 1 skill (a)')
    expect((await at(tree, ['explain', 'a'], 'wt')).stdout).toContain('skills doctor --fix')
    expect(await found(tree, [], 'wt')).toEqual(['places warning main-checkout'])
    expect((await at(tree, ['doctor', '--fix'], 'wt')).code).toBe(0)
    expect(readlinkSync(`${tree.path}/wt/.claude/skills`)).toBe(`${tree.path}/work/.claude/skills`)
    expect((await at(tree, ['explain', 'a'], 'wt')).code).toBe(0)
  })

  test('of another repository that a .git file names without being named in turn are neither told nor followed', async () => {
    const tree = project({
      'work/.git/worktrees/wt/commondir': '../..\n',
      'work/.git/worktrees/wt/gitdir': '/elsewhere/.git\n',
      'work/.gitignore': '.claude/\n',
      'work/.claude/skills/a/SKILL.md': skill('a'),
      'wt/README.md': 'x',
    })
    tree.write({ 'wt/.git': `gitdir: ${tree.path}/work/.git/worktrees/wt\n` })
    expect(await found(tree, [], 'wt')).toEqual([])
    mkdirSync(`${tree.path}/wt/.claude`)
    symlinkSync(`${tree.path}/work/.claude/skills`, `${tree.path}/wt/.claude/skills`)
    expect(await found(tree, [], 'wt')).toEqual(['skills error link-escapes'])
    expect(lstatSync(`${tree.path}/wt/.claude/skills`).isSymbolicLink()).toBe(true)
  })
})

test('what is installed and gone is put in order by the command that is named, with the home folder that was given', async () => {
  const tree = project({ 'work/shared/a/SKILL.md': skill('a') })
  const home = ['--home', `${tree.path}/home`]
  expect((await at(tree, ['add', './shared', '--yes', '--agent', 'claude-code', ...home])).code).toBe(0)
  tree.remove('work/.claude')
  const { code, stdout } = await at(tree, ['doctor', '--distribution', 'claude-code', ...home])
  expect(code).toBe(1)
  const [, line = ''] = /: skills (sync.*)$/m.exec(stdout) ?? []
  expect(line).toBe('sync --home /TMP/home')
  expect((await at(tree, line.replace('/TMP', tree.path).split(' '))).code).toBe(0)
  expect(await found(tree, home)).toEqual([])
})

test('links as text, dangling links and settings that cannot be read come before advice', async () => {
  const tree = project({
    'work/shared/lint/SKILL.md': skill('lint'),
    'work/.claude/skills/lint': '../../shared/lint',
    'work/.claude/skills/gone': { link: '../../nowhere' },
    'work/.kiro/skills/k/SKILL.md': skill('k'),
    'home/.config/skills/skills.config.json': '{',
  })
  expect(await found(tree)).toEqual([
    'skills error text-link',
    'skills error dangling-link',
    'places info other-agents-folder',
    'settings error invalid-configuration',
  ])
  const { stdout } = await at(tree, ['doctor'])
  expect(stdout).toContain('git config core.symlinks true')
  expect((await at(tree, ['explain', 'lint'])).stdout).toContain('git config core.symlinks true')
  expect((await at(tree, ['lint'])).stdout).toContain('text-link')
})

test('a skill that is installed and changed since is named with the command that puts it in order', async () => {
  const tree = project({ 'from/s/SKILL.md': skill('s') })
  expect((await at(tree, ['add', '../from', '--all', '--yes'])).code).toBe(0)
  expect(await found(tree)).toEqual([])
  tree.write({ 'work/.agents/skills/s/SKILL.md': `${skill('s')}More.\n` })
  expect(await found(tree)).toEqual(['agents error not-as-locked'])
  expect((await at(tree, ['doctor'])).stdout).toContain('skills sync')
})

test('skills for which the listing has no room are counted, with the command that shows each', async () => {
  const long = (name: string): string =>
    `---\nname: ${name}\ndescription: ${'Does it well. '.repeat(70)}\n---\nDo it.\n`
  const tree = project(
    Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`work/.claude/skills/s${n}/SKILL.md`, long(`s${n}`)])),
  )
  expect((await found(tree)).filter(one => one.startsWith('untold'))).toEqual(['untold warning untold-skills'])
  expect((await at(tree, ['doctor'])).stdout).toContain('skills listing --costs')
})
