import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { plain, runIn } from '../../../test/console.js'

let tree: TempTree
afterEach(() => tree.dispose())

const repairable = '---\nname: a\ndescription: Use it: now\n---\nx\n'

async function lint(entries: TreeEntries, argv: readonly string[], isTerminal = false) {
  tree = tempTree(entries)
  return runIn(['lint', ...argv], { cwd: tree.path, isTerminal })
}

const fine = { '.claude/skills/a/SKILL.md': '---\nname: a\ndescription: x\n---\nx\n' }
const faulty = {
  ...fine,
  '.claude/skills/b/SKILL.md': '---\ndescription: Use it: now\nuser-invocable: maybe\n---\nx\n',
  '.claude/skills/c/SKILL.md': '---\ndescription: x\nrequires: nowhere\n---\nx\n',
}

describe('without a path', () => {
  test('every skill there is counts, and what they require', async () => {
    const { code, stdout, stderr } = await lint(faulty, [])
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(
        /^\.claude\/skills\/b\/SKILL\.md:2:14 {2}warning {2}.* {2}Write `description: 'Use it: now'`\. {2}unquoted-text$/,
      ),
      expect.stringMatching(
        /^\.claude\/skills\/b\/SKILL\.md:3:17 {2}error {2}`user-invocable` .*"maybe"\. {2}.* {2}invalid-boolean$/,
      ),
      '',
      expect.stringMatching(
        /^\.claude\/skills\/c\/SKILL\.md:3:11 {2}warning {2}.*"nowhere", .* {2}.* {2}missing-requirement$/,
      ),
      '',
      expect.stringMatching(/^3 .*: 1 error, 2 warnings, 1 .* lint .*\. 1 .*: add --fix\.$/),
      '',
    ])
  })

  test('when all is well it says so', async () => {
    expect(await lint(fine, [])).toEqual({ code: 0, stdout: '1 file checked: no problems.\n', stderr: '' })
  })

  test('legacy commands are none of a standard for skills, and keep their names', async () => {
    const command = '---\ndescription: Pushes.\nargument-hint: branch\n---\nPush.\n'
    const entries = {
      ...fine,
      '.claude/commands/push.md': command,
      '.claude/commands/skills/pull.md': command,
      'acme/.claude-plugin/plugin.json': '{"name":"acme"}',
      'acme/commands/x.md': command,
    }
    for (const argv of [[], ['--standard']])
      expect(await lint(entries, [...argv, '--plugin-dir', 'acme'])).toEqual({
        code: 0,
        stdout: '4 files checked: no problems.\n',
        stderr: '',
      })
  })

  test('a command that is a folder with a SKILL.md is held to it', async () => {
    const { stdout } = await lint({ '.claude/commands/push/skill.md': '---\ndescription: Pushes.\n---\nPush.\n' }, [
      '--standard',
    ])
    expect(stdout).toContain('other-case')
    expect(stdout).toContain('standard-name-missing')
  })

  test('warnings alone are no failure', async () => {
    expect(await lint({ '.claude/skills/a/SKILL.md': repairable }, [])).toMatchObject({ code: 0 })
  })
})

describe('with paths', () => {
  test('hidden folders count, and what is passed over is said', async () => {
    const sound = fine['.claude/skills/a/SKILL.md']
    const entries = {
      '.git/x': '',
      '.gitignore': 'out\n',
      'skills/.curated/a/SKILL.md': sound,
      'skills/.system/a/SKILL.md': sound,
      'node_modules/m/SKILL.md': 'x',
      'out/SKILL.md': 'x',
    }
    expect(await lint(entries, ['.'])).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^2 .*: no problems\.\n.*: 1 .* git .*, 1 .* node_modules, 1 .* \.git\. .*\n$/),
      stderr: '',
    })
    expect(JSON.parse((await lint(entries, ['.', '--json'])).stdout)).toMatchObject({
      skipped: { ignored: 1, nodeModules: 1, git: 1 },
    })
    expect((await lint(entries, ['skills'])).stdout).toBe('2 files checked: no problems.\n')
  })

  test('only they count', async () => {
    expect(await lint(faulty, ['.claude/skills/a', '.claude/skills/c/SKILL.md'])).toMatchObject({
      code: 0,
      stdout: '2 files checked: no problems.\n',
    })
  })

  test('they start where the shell is, which completed or expanded them, not at --cwd', async () => {
    tree = tempTree(faulty)
    expect(
      await runIn(['lint', '.claude/skills/c', '--cwd', '.claude', '--home', '.'], { cwd: tree.path }),
    ).toMatchObject({ code: 0, stdout: '1 file checked: no problems.\n' })
    expect(await runIn(['lint', 'skills/c', '--cwd', '.claude'], { cwd: tree.path })).toMatchObject({ code: 1 })
  })

  test.each([
    ['--marketplace', '.'],
    ['--add-dir', '.'],
    ['--plugin-dir', '.'],
  ])('they say what is checked, so %s is refused', async (flag, value) => {
    expect(await lint(faulty, ['.claude/skills/c', flag, value])).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^skills: .* PATH .* ${flag} has no effect .*\n$`)),
    })
  })

  test('fields of the distribution that is configured or given count there too', async () => {
    const field = `{ name: 'stage', type: 'word', choices: { test: 'test', live: 'live' }, asks: true, property: 'stage', default: 'none', of: command => command.stage }`
    const skill =
      '---\nname: a\ndescription: Releases it. Use it when someone asks for a release.\nstage: lve\n---\nDo it.\n'
    const acme = {
      '.claude/skills/a/SKILL.md': skill,
      'home/.config/skills/acme.mjs': `export default (options, base) => base({ ...options, fields: [${field}] })\n`,
    }
    const configured = { ...acme, 'home/.config/skills/skills.config.json': '{ "distribution": "./acme.mjs" }' }
    const argv = ['.claude/skills/a', '--home', 'home']
    const told = { code: 1, stdout: expect.stringMatching(/`stage` .* test or live, .*"lve"\./) as string }
    expect(await lint(acme, argv)).toMatchObject({ code: 0 })
    expect(await lint(configured, argv)).toMatchObject(told)
    expect(await lint(acme, [...argv, '--distribution', 'home/.config/skills/acme.mjs'])).toMatchObject(told)
  })

  test('one that leads nowhere is an error', async () => {
    const { code, stdout } = await lint(fine, ['.claude/skills/aa', '*.txt'])
    expect(code).toBe(1)
    expect(stdout).toMatch(/\.claude\/skills\/aa {2}error {2}.* \.claude\/skills\/a\? {2}no-such-path\n/)
    expect(stdout).toMatch(/error {2}.* \*\.txt /)
    expect(stdout).toContain('0 files checked: 2 errors.')
  })

  test('--standard adds the rules of the open standard', async () => {
    const { code, stdout } = await lint({ 'b/SKILL.md': fine['.claude/skills/a/SKILL.md'] }, ['--standard', 'b'])
    expect(code).toBe(1)
    expect(stdout).toContain('standard-name-folder')
  })
})

describe('--fix', () => {
  test('writes repairs, says which, and has nothing left to do', async () => {
    const { code, stdout } = await lint({ 'a/SKILL.md': repairable }, ['a', '--fix'])
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^a\/SKILL\.md {2}repaired {2}unquoted-text .* 3\n\n1 .*, 1 repaired: no problems\.\n$/,
      ) as string,
    })
    expect(readFileSync(`${tree.path}/a/SKILL.md`, 'utf8')).toBe("---\nname: a\ndescription: 'Use it: now'\n---\nx\n")
    expect((await runIn(['lint', 'a', '--fix'], { cwd: tree.path })).stdout).toBe('1 file checked: no problems.\n')
  })
})

test('--json gives files, findings and counts as data', async () => {
  const { code, stdout } = await lint(faulty, ['--json'])
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({
    files: [
      { path: `${tree.path}/.claude/skills/a/SKILL.md`, diagnostics: [], fixed: [], isRepairable: false },
      {
        diagnostics: [{ code: 'unquoted-text', line: 2, column: 14, severity: 'warning' }, { code: 'invalid-boolean' }],
        isRepairable: true,
      },
      { diagnostics: [{ code: 'missing-requirement', name: 'c' }] },
    ],
    others: [],
    counts: { files: 3, errors: 1, warnings: 2, infos: 0, fixedFiles: 0 },
  })
})

test('what a file says reaches a terminal only as something to read', async () => {
  const { stdout } = await lint({ 'a/SKILL.md': '---\ndescription: x\nuser-invocable: "\\e[2J"\n---\nx' }, ['a'], true)
  expect(plain(stdout)).toContain('\\u001b[2J')
  // oxlint-disable-next-line no-control-regex -- none of them may be there
  expect(plain(stdout)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
})

test('a marketplace is checked with the manifests and the commands of its plugins', async () => {
  tree = tempTree({
    'm/.claude-plugin/marketplace.json':
      '{"name":"m","owner":{"name":"acme"},"plugins":[{"name":"good","source":"./good"},{"name":"bad","source":"./bad"}]}',
    'm/good/.claude-plugin/plugin.json': '{"name":"good"}',
    'm/good/commands/ship.md': '---\ndescription: Ship it: now\n---\nx',
    'm/bad/.claude-plugin/plugin.json': '{"name":"bad","version":1}',
    'm/bad/skills/a/SKILL.md': '---\ndescription: x\n---\nx',
  })
  const { code, stdout } = await runIn(['lint', 'm'], { cwd: tree.path })
  expect(code).toBe(1)
  expect(stdout).toMatch(/m\/bad\/\.claude-plugin\/plugin\.json:1 {2}error {2}"version" /)
  expect(stdout).toMatch(/m\/good\/commands\/ship\.md:2:\d+ {2}warning /)
  expect(stdout).toMatch(/\n2 files checked: 1 error, 1 warning\./)
})

test.each([
  ['broken hooks', { 'p/hooks/hooks.json': '{"hooks": {' }, 'invalid-plugin-hooks'],
  [
    'hooks that do nothing',
    { 'p/hooks/hooks.json': '{"hooks": {"PreToolUse": [{"hooks": [{"type": "x"}]}]}}' },
    'hook',
  ],
  ['a broken manifest', { 'p/.claude-plugin/plugin.json': '{"name": "p", "version": 1}' }, 'invalid-manifest'],
  ['two skills of one name', { 'p/commands/a.md': '---\ndescription: Other.\n---\nOther.' }, 'name-clash'],
  ['nothing wrong', {}, ''],
])('a plugin with %s is found what plugin check finds', async (_what, entries, code) => {
  tree = tempTree({
    'p/.claude-plugin/plugin.json': '{"name": "p"}',
    'p/skills/a/SKILL.md': '---\nname: a\ndescription: Does a thing, when it is asked for.\n---\nx',
    ...entries,
  })
  const at = { cwd: `${tree.path}/p` }
  type Found = { files: { path: string; diagnostics: { code: string }[] }[]; others: { code: string }[] }
  const codesOf = ({ stdout }: { stdout: string }): readonly string[] => {
    const { files, others }: Found = JSON.parse(stdout)
    return [...others, ...files.flatMap(one => one.diagnostics)].map(one => one.code).toSorted()
  }
  const linted = await runIn(['lint', '.', '--json'], at)
  const checked = await runIn(['plugin', 'check', '.', '--json'], at)
  expect(codesOf(linted)).toEqual(codesOf(checked))
  expect(linted.code).toBe(checked.code)
  expect(codesOf(linted).join(' ')).toContain(code)
})
