import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { runIn, type Console } from '../../../test/console.js'

let tree: TempTree
afterEach(() => tree.dispose())

function project(): Console {
  tree = tempTree({
    'work/.git': { dir: true },
    'work/sub/x': '',
    'home/.claude/skills/taken/SKILL.md': "---\ndescription: The user's.\n---\nx",
    'work/.claude/skills/ours/SKILL.md': '---\nname: alt\ndescription: x\n---\nx',
  })
  return { cwd: `${tree.path}/work`, home: `${tree.path}/home` }
}

const read = (path: string): string => readFileSync(`${tree.path}/${path}`, 'utf8')

/** Returns the code and path of each lint finding in folders. */
async function linted(console: Console, ...folders: readonly string[]): Promise<unknown[]> {
  const { stdout } = await runIn(['lint', '--standard', ...folders, '--json'], console)
  interface Found {
    readonly path: string
    readonly code: string
  }
  const { files, others } = JSON.parse(stdout) as {
    readonly files: readonly { readonly diagnostics: readonly Found[] }[]
    readonly others: readonly Found[]
  }
  return [...files.flatMap(({ diagnostics }) => diagnostics), ...others].map(
    ({ code, path }) => `${code} ${path.replace(`${console.cwd}/`, '')}`,
  )
}

describe('a new skill', () => {
  test('has a first set of cases with --evals, which lints clean and can be evaluated', async () => {
    const console = project()
    expect((await runIn(['new', 'release-notes', '--evals'], console)).stdout).toContain('evals/evals.json')
    expect(await runIn(['lint', '.claude/skills/release-notes'], console)).toMatchObject({ code: 0 })
    const { stdout } = await runIn(['eval', 'release-notes', '--for', 'claude-code'], console)
    expect(stdout).toContain('"Something near it')
  })

  test('goes into the working folder, lints without errors by the standard, and is there', async () => {
    const console = project()
    expect(await runIn(['new', 'release-notes', '--cwd', 'sub'], console)).toEqual({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(
        /^sub\/\.claude\/skills\/release-notes\/SKILL\.md\n● Claude Code whole\n\nNext .* release-notes\n {2}Edit .*\n {2}skills lint --standard sub\/\.claude\/skills\/release-notes {2}.*\n {2}skills show release-notes --cwd sub {22}.*\n$/,
      ),
    })
    expect(await runIn(['lint', '--standard', 'sub/.claude/skills/release-notes'], console)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/ warning .* untouched-text\n\n1 file checked: 1 warning\.\n/),
    })
    expect((await runIn(['show', 'release-notes', '--cwd', 'sub'], console)).stdout).toMatch(
      /^release-notes {2}active {2}project\n/,
    )
  })

  test('is not made where a link of the project leads out of it', async () => {
    tree = tempTree({
      'work/.git': { dir: true },
      'work/.claude': { link: '../outside' },
      outside: { dir: true },
      home: { dir: true },
    })
    const { code, stderr } = await runIn(['new', 'notes'], { cwd: `${tree.path}/work`, home: `${tree.path}/home` })
    expect([code, readdirSync(`${tree.path}/outside`)]).toEqual([1, []])
    expect(stderr).toContain(' --dir.')
  })

  test('has the description that is given, with any characters', async () => {
    const console = project()
    for (const [at, description] of [
      'Say "hi": now #1',
      '- a\n- b: c\n',
      "it's\t'x'",
      '@at',
      '--- ',
      'a=b',
      '42',
    ].entries()) {
      expect(await runIn(['new', `skill-${at}`, `--description=${description}`], console)).toMatchObject({
        code: 0,
        stderr: '',
      })
      expect(JSON.parse((await runIn(['show', `skill-${at}`, '--json'], console)).stdout)).toMatchObject({
        description: description.trim(),
      })
      expect(await runIn(['lint', '--standard', `.claude/skills/skill-${at}`], console)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/ untouched-text\n\n1 file checked: 1 warning\.\n/),
      })
    }
  })

  test('has every further field as a comment with --fields, in a plugin too, and lint only asks for the descriptions', async () => {
    const console = project()
    expect(await runIn(['new', 'full', '--fields'], console)).toMatchObject({ code: 0, stderr: '' })
    expect(await runIn(['new', 'kit', '--fields', '--plugin'], console)).toMatchObject({ code: 0, stderr: '' })
    for (const path of ['work/.claude/skills/full/SKILL.md', 'work/kit/skills/first-skill/SKILL.md'])
      expect(read(path)).toMatch(/\n# .* Default: true\. .* true, false, yes, .* 0\.\n#user-invocable: true\n/)
    expect(await linted(console, '.claude/skills/full', 'kit')).toEqual([
      'untouched-text .claude/skills/full/SKILL.md',
      'untouched-text kit/skills/first-skill/SKILL.md',
      'untouched-text kit/.claude-plugin/plugin.json',
    ])
  })

  test("is the user's with --user, wherever the user keeps skills", async () => {
    const console = project()
    expect(await runIn(['new', 'mine', '--user', '--json'], console)).toMatchObject({ code: 0 })
    expect(existsSync(`${tree.path}/home/.claude/skills/mine/SKILL.md`)).toBe(true)
    const { code, stdout } = await runIn(['new', 'mine', '--user', '--json'], {
      ...console,
      env: { CLAUDE_CONFIG_DIR: `${tree.path}/config` },
    })
    expect({ code, files: (JSON.parse(stdout) as { files: string[] }).files }).toEqual({
      code: 0,
      files: [`${tree.path}/config/skills/mine/SKILL.md`],
    })
  })

  test('goes anywhere with --dir, from where the shell is, and says when no one looks there', async () => {
    const console = project()
    const { code, stdout, stderr } = await runIn(['new', 'far', '--dir', '../far/away', '--cwd', 'sub'], console)
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^skills: No source .*\n$/) as string })
    expect(stdout).toContain(`${tree.path}/far/away/far/SKILL.md\n`)
    expect(stdout).not.toContain('skills show')
    expect(await runIn(['new', 'near', '--dir', '.claude/skills/group/'], console)).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('skills show near'),
    })
  })

  test('--json has the paths that were written', async () => {
    const { stdout, stderr } = await runIn(['new', 'a', '--json'], project())
    expect(stderr).toBe('')
    const folder = `${tree.path}/work/.claude/skills/a`
    expect(JSON.parse(stdout)).toEqual({
      name: 'a',
      type: 'skill',
      folder,
      files: [`${folder}/SKILL.md`],
      goesBy: 'a',
      shadowedBy: null,
      shadows: [],
      agents: [expect.objectContaining({ agent: 'claude-code', found: 'here', told: 'whole' })],
    })
  })

  test('says which agents that are here see it, and the command gives it to the others', async () => {
    const console = project()
    tree.write({ 'work/.codex': { dir: true }, 'work/.gemini': { dir: true } })
    const { stdout } = await runIn(['new', 'release-notes', '--description', 'Notes. Use before a release.'], console)
    expect(stdout).toContain('● Claude Code whole · ○ Codex (not in its folders) · ○ Gemini CLI (not in its folders)')
    const [, command = ''] = /^ {2}skills (add .*?)(?: {2,}.*)?$/m.exec(stdout) ?? []
    expect(command).toBe('add ./.claude/skills --skill release-notes --agent codex --agent gemini-cli')
    expect(await runIn([...command.split(' '), '--yes'], console)).toMatchObject({ code: 0 })
    for (const agent of ['codex', 'gemini-cli'])
      expect((await runIn(['list', '--distribution', agent], console)).stdout).toContain('release-notes')
  })
})

describe('others of the name', () => {
  test('that come first are told, with what the new one goes by', async () => {
    const { code, stdout, stderr } = await runIn(['new', 'taken'], project())
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        /^skills: .* shadowed by taken .* user \(\S+\/home\/\.claude\/skills\/taken\/SKILL\.md\); .* project:taken\. user .* before project\.\n$/,
      ) as string,
    })
    expect(stdout).toContain('skills show project:taken')
  })

  test('that come after are told, with what they go by now', async () => {
    const console = project()
    const { stdout, stderr } = await runIn(['new', 'ours', '--user', '--json'], console)
    expect(stderr).toMatch(
      /^skills: .* shadows ours .* project \(\.claude\/skills\/ours\/SKILL\.md\), .* project:ours .*\. user .* before project\.\n$/,
    )
    expect(JSON.parse(stdout)).toMatchObject({
      goesBy: 'ours',
      shadows: [{ name: 'ours', source: 'project', path: `${tree.path}/work/.claude/skills/ours/SKILL.md` }],
    })
  })

  test('that only answered to it are told', async () => {
    const { stderr } = await runIn(['new', 'alt'], project())
    expect(stderr).toMatch(/^skills: "alt" .* ours .* project \(\.claude\/skills\/ours\/SKILL\.md\)\. .*\n$/)
  })

  test('that are copies of the new one leave it without a name', async () => {
    const console = project()
    await runIn(['new', 'same', '--user'], console)
    const { stdout, stderr } = await runIn(['new', 'same', '--json'], console)
    expect(stderr).toMatch(/ same of user \(.*\); .* no name /)
    expect(JSON.parse(stdout)).toMatchObject({ goesBy: null, shadowedBy: { source: 'user' } })
  })
})

describe('nothing is written', () => {
  test('over what is there already', async () => {
    const console = project()
    const before = read('work/.claude/skills/ours/SKILL.md')
    expect(await runIn(['new', 'ours'], console)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^skills: .* skill at \.claude\/skills\/ours already, .*\n$/),
    })
    expect(read('work/.claude/skills/ours/SKILL.md')).toBe(before)
  })

  test.each([
    [['new', 'Release Notes'], 'skills: `Release Notes` has upper-case letters. Did you mean release-notes?\n'],
    [
      ['new', '..'],
      'skills: `..` has characters other than letters, digits and hyphens. Use letters, digits and hyphens, such as release-notes.\n',
    ],
    [['new', 'a\u001b[2J'], 'skills: `a<U+001B>[2J` has upper-case letters. Did you mean a-2-j?\n'],
    [
      ['new', 'a', '--description', ' '],
      'skills: There is no `description`. Say what the skill does and when to use it.\n',
    ],
    [
      ['new', 'a', '--user', '--dir', 'x'],
      'skills: Give --dir or --user, not both: each of them sets the folder of the new skill.\n',
    ],
    [
      ['new', 'a', '--plugin', '--user'],
      'skills: --user is for skills, not for plugins: leave it out, or name the folder with --dir.\n',
    ],
    [['new'], 'skills: skills new needs NAME. See skills new --help.\n'],
  ])('for %j', async (argv, stderr) => {
    const console = project()
    const before = readdirSync(tree.path, { recursive: true })
    expect(await runIn(argv, console)).toEqual({ code: 2, stdout: '', stderr })
    expect(readdirSync(tree.path, { recursive: true })).toEqual(before)
  })

  test('through a link that leads out of the project, where it would not be found', async () => {
    tree = tempTree({
      elsewhere: { dir: true },
      'work/.git': { dir: true },
      'work/.claude/skills': { link: '../../elsewhere' },
    })
    const { code, stdout, stderr } = await runIn(['new', 'a'], { cwd: `${tree.path}/work` })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(`${tree.path}/elsewhere`)
    expect(stderr).toMatch(/ --dir\.\n$/)
    expect(readdirSync(`${tree.path}/elsewhere`)).toEqual([])
  })

  test('where the user has no home', async () => {
    tree = tempTree()
    expect(await runIn(['new', 'a', '--user'], { cwd: tree.path, home: '' })).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/HOME .* --dir\.\n$/) as string,
    })
  })
})

describe('--plugin', () => {
  test('makes a plugin in the working folder, and says what to do next', async () => {
    const console = project()
    expect(await runIn(['new', 'house-rules', '--plugin', '--description', 'How: we work'], console)).toEqual({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(
        /^house-rules\/\.claude-plugin\/plugin\.json\nhouse-rules\/skills\/first-skill\/SKILL\.md\n\nNext .* house-rules\n {2}Edit .*\n {2}skills lint --standard house-rules {8}.*\n {2}skills list --plugin-dir house-rules {6}.*\n {2}skills new NAME --dir house-rules\/skills {2}.*\n$/,
      ),
    })
    expect(JSON.parse(read('work/house-rules/.claude-plugin/plugin.json'))).toEqual({
      name: 'house-rules',
      version: '0.1.0',
      description: 'How: we work',
    })
    const first = 'untouched-text house-rules/skills/first-skill/SKILL.md'
    expect(await linted(console, 'house-rules')).toEqual([first])
    expect(await runIn(['new', 'second', '--dir', 'house-rules/skills'], console)).toMatchObject({ code: 0 })
    const second = 'house-rules/skills/second/SKILL.md'
    expect(await linted(console, 'house-rules')).toEqual([
      first,
      `untouched-text ${second}`,
      `overlapping-description ${second}`,
    ])
  })

  test('goes into --cwd or --dir, and --json has the paths', async () => {
    const console = project()
    const { stdout } = await runIn(['new', 'p', '--plugin', '--json', '--cwd', 'sub'], console)
    const folder = `${tree.path}/work/sub/p`
    expect(JSON.parse(stdout)).toEqual({
      name: 'p',
      type: 'plugin',
      folder,
      files: [`${folder}/.claude-plugin/plugin.json`, `${folder}/skills/first-skill/SKILL.md`],
      goesBy: null,
      shadowedBy: null,
      shadows: [],
      agents: [],
    })
    expect(await runIn(['new', 'p', '--plugin', '--dir', 'plugins'], console)).toMatchObject({ code: 0, stderr: '' })
    expect(await runIn(['new', 'p', '--plugin', '--dir', 'plugins'], console)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(' plugins/p '),
    })
  })

  test('has no use for what says which skills there are', async () => {
    const console = project()
    for (const words of [
      ['--distribution', 'mini'],
      ['--add-dir', '.'],
      ['--plugin-dir', '.'],
    ]) {
      expect(await runIn(['new', 'p', '--plugin', ...words], console)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(`${words.at(-2)} has no effect`),
      })
    }
  })
})
