import { afterEach, describe, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { plain, runIn, type Console } from '../../../test/console.js'

let tree: TempTree
afterEach(() => tree.dispose())

const deploy = `---
requires: [build, announce]
version: 1.10
name: Ship It
allowed-tools: Read, Bash(git:*)
description: Ships what is on the branch.
metadata:
  author: acme
  tags: [a, b]
---

# Ship

1. Build.
`

function project(): Console {
  tree = tempTree({
    'work/.git': { dir: true },
    'work/.claude/skills/deploy/SKILL.md': deploy,
    'work/.claude/skills/deploy/scripts/run.sh': 'x'.repeat(1234),
    'work/.claude/skills/deploy/notes.md': 'twelve bytes',
    'work/.claude/skills/deploy/.cache': 'x',
    'work/.claude/skills/deploy/out': { link: '/etc' },
    'work/.claude/skills/build/SKILL.md': '---\ndescription: Builds.\nrequires: [base, nowher]\n---\nBuild.\n',
    'work/.claude/skills/base/SKILL.md': '---\ndescription: Base.\n---\nBase.\n',
    'home/.claude/skills/announce/SKILL.md': '---\ndescription: Announces.\nrequires: base\n---\nAnnounce.\n',
    'home/.claude/skills/base2/SKILL.md': '---\ndescription: x\naliases: [alias]\n---\nx',
    'work/.claude/skills/broken/SKILL.md': '---\ndescription: x\nuser-invocable: maybe\n---\nx',
    'work/.claude/skills/empty': { dir: true },
    'work/.claude/skills/ring/SKILL.md': '---\ndescription: x\nrequires: chain\n---\nx',
    'work/.claude/skills/chain/SKILL.md': '---\ndescription: x\nrequires: ring\n---\nx',
  })
  return { cwd: `${tree.path}/work`, home: `${tree.path}/home` }
}

describe('for a person', () => {
  test('a skill is its fields in the order of the reference, the files beside it, and last its body', async () => {
    expect(await runIn(['show', 'deploy'], project())).toEqual({
      code: 0,
      stderr: '',
      stdout: `deploy  active  project
  file             .claude/skills/deploy/SKILL.md
  name             Ship It
  description      Ships what is on the branch.
  allowed-tools    Read, Bash(git:*)
  requires         build, announce
  version          1.10
  metadata.author  acme
  metadata.tags    a, b

Files
  notes.md  12 B
  out  -> /etc
  scripts/run.sh  1.2 kB
  left out: 1 that is hidden or node_modules

Body

# Ship

1. Build.
`,
    })
  })

  test('it may be called as a person would: with a slash, by its display name, by an alias', async () => {
    const console = project()
    for (const name of ['/deploy', 'Ship It', 'ship it'])
      expect((await runIn(['show', name], console)).stdout).toMatch(/^deploy {2}active/)
    expect((await runIn(['show', 'alias'], console)).stdout).toMatch(/^base2 {2}active {2}user\n/)
  })

  test('one that lost its name is shown under the one it has, with who won', async () => {
    tree = tempTree({
      'home/.claude/skills/a/SKILL.md': '---\ndescription: x\n---\nuser',
      '.claude/skills/a/SKILL.md': '---\ndescription: y\n---\nproject',
      '.git': { dir: true },
    })
    const { stdout } = await runIn(['show', 'project:a'], { cwd: tree.path, home: `${tree.path}/home` })
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^project:a {2}active .* {2}project$/),
      '  file           .claude/skills/a/SKILL.md',
      expect.stringMatching(/^ {2}shadowed by +a .* user \(home\/\.claude\/skills\/a\/SKILL\.md\)$/),
      '  description    y',
      '',
      'Body',
      'project',
      '',
    ])
  })

  test('the body is as the file has it now', async () => {
    const console = project()
    tree.write({ 'work/.claude/skills/base/SKILL.md': '---\ndescription: Base.\n---\nChanged.\n' })
    expect((await runIn(['show', 'base'], console)).stdout).toMatch(/\n\nBody\nChanged\.\n$/)
  })

  test.each([false, true])(
    'nothing in it is obeyed, on a terminal or not (%s), and what was changed is said',
    async isTerminal => {
      tree = tempTree({
        '.claude/skills/a/SKILL.md':
          '---\nname: "x\\ey"\ndescription: "\\e[2Jgone"\nrequires: ["\\e]0;z"]\nmetadata: {"k\\ey": "\\u009b"}\n---\nText\u001b[2J\r\nand \u202e more\ttab\n',
        '.claude/skills/a/b\u001b[31m': 'x',
        '.claude/skills/a/link': { link: 'to\u001b[2J' },
      })
      const { stdout, stderr } = await runIn(['show', 'a', '--deps'], { cwd: tree.path, isTerminal, columns: 200 })
      // oxlint-disable-next-line no-control-regex -- none of them may be there
      expect(plain(stdout) + plain(stderr)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/)
      expect(plain(stdout)).toMatch(/\nBody\nText<U\+001B>\[2J\nand <U\+202E> more\ttab\n$/)
      expect(stderr).toMatch(/^skills: .* control the terminal; .*--json .*$/m)
    },
  )
})

describe('--deps', () => {
  test('is a tree of what it requires, with sources, what is missing and what stands above', async () => {
    const { code, stdout, stderr } = await runIn(['show', 'deploy', '--deps'], project())
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.slice(stdout.indexOf('Requires'), stdout.indexOf('Body'))).toMatch(
      /^Requires\n {2}build {2}project\n {4}base {2}project\n {4}nowher {2}\(missing\) {2}Add .*\n {2}announce {2}user\n {4}base {2}project {2}\(shown above\)\n\n$/,
    )
  })

  test('names a cycle and fails', async () => {
    const { code, stdout, stderr } = await runIn(['show', 'ring', '--deps'], project())
    expect(code).toBe(1)
    expect(stdout).toContain('Requires\n  chain  project\n    ring  project  (cycle: ring → chain → ring)\n')
    expect(stderr).toMatch(/^skills: .*: ring → chain → ring\. .*requires\.\n$/)
    expect((await runIn(['show', 'ring'], { cwd: `${tree.path}/work` })).code).toBe(0)
  })

  test('says when nothing is required', async () => {
    expect((await runIn(['show', 'base', '--deps'], project())).stdout).toContain('\nRequires\n  nothing\n')
  })
})

describe('--json', () => {
  test('has everything in one object, under the keys of a list', async () => {
    const { code, stdout, stderr } = await runIn(['show', 'deploy', '--json', '--deps'], project())
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const shown = JSON.parse(stdout) as Record<string, unknown>
    const [listed] = JSON.parse(
      (await runIn(['list', '--json', '--source', 'project'], { cwd: `${tree.path}/work`, home: `${tree.path}/home` }))
        .stdout,
    ) as Record<string, unknown>[]
    expect(Object.keys(shown)).toEqual(expect.arrayContaining(Object.keys(listed ?? {})))
    expect(shown).toMatchObject({
      name: 'deploy',
      displayName: 'Ship It',
      state: 'active',
      source: 'project',
      version: '1.10',
      allowedTools: ['Read', 'Bash(git:*)'],
      requires: ['build', 'announce'],
      type: 'prompt',
      context: 'inline',
      shell: 'bash',
      model: null,
      hooks: null,
      metadata: { author: 'acme', tags: ['a', 'b'] },
      body: '\n# Ship\n\n1. Build.\n',
      blocks: null,
      baseDir: `${tree.path}/work/.claude/skills/deploy`,
      files: {
        entries: [
          { path: 'notes.md', kind: 'file', size: 12, target: null },
          { path: 'out', kind: 'link', size: null, target: '/etc' },
          { path: 'scripts/run.sh', kind: 'file', size: 1234, target: null },
        ],
        more: 0,
        leftOut: 1,
        isComplete: true,
        diagnostics: [],
      },
      dependencies: {
        rows: [
          {
            wanted: 'build',
            depth: 1,
            status: 'met',
            name: 'build',
            source: 'project',
            path: `${tree.path}/work/.claude/skills/build/SKILL.md`,
            cycle: null,
            hint: null,
          },
          { wanted: 'base', depth: 2, status: 'met' },
          { wanted: 'nowher', depth: 2, status: 'missing', name: null, hint: expect.any(String) },
          { wanted: 'announce', status: 'met', source: 'user' },
          { wanted: 'base', depth: 2, status: 'shown' },
        ],
        more: 0,
        cycles: [],
      },
    })
  })

  test('has every key for every skill, and the body to the letter', async () => {
    const console = project()
    const body = 'x\u001b[2J\r\ny\u202e'
    tree.write({ 'work/.claude/skills/base/SKILL.md': `---\ndescription: x\n---\n${body}` })
    const [base, ring] = await Promise.all([
      runIn(['show', 'base', '--json'], { ...console, isTerminal: true }),
      runIn(['show', 'ring', '--json', '--deps'], console),
    ])
    expect(base.stdout).not.toContain('\u202e')
    expect(JSON.parse(base.stdout)).toMatchObject({ body, dependencies: null })
    expect(ring.code).toBe(1)
    expect(JSON.parse(ring.stdout)).toMatchObject({ dependencies: { cycles: [['ring', 'chain']] } })
    expect(Object.keys(JSON.parse(base.stdout) as object)).toEqual(Object.keys(JSON.parse(ring.stdout) as object))
  })
})

describe('what cannot be shown', () => {
  test('has a name that no command has, and the closest are told', async () => {
    const console = project()
    expect(await runIn(['show', 'deplyo'], console)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/"deplyo"\. .* deploy\?\n$/) as string,
    })
    for (const command of ['show', 'explain', 'render', 'run', 'audit'])
      expect(await runIn([command, 'zzz'], console), command).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/"zzz"\. skills list /),
      })
    expect(await runIn(['show', 'empty'], console)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^skills: .*"empty"\. .*\nnote: \.claude\/skills\/empty /) as string,
    })
  })

  test('has a name that several answer to, and they are told', async () => {
    tree = tempTree({
      '.claude/skills/a/SKILL.md': '---\naliases: [c]\n---\nx',
      '.claude/skills/b/SKILL.md': '---\naliases: [c]\n---\ny',
    })
    expect(await runIn(['show', 'c'], { cwd: tree.path })).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/"a" or "b"/) as string,
    })
  })

  test('did not load, and why is told', async () => {
    expect(await runIn(['show', 'broken', '--cwd', '.'], project())).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /"broken" .*\(failed to load\): `user-invocable` .*"maybe". .*skills explain broken --cwd \.\n$/,
      ) as string,
    })
  })

  test('has a body that cannot be read, and nothing is half shown', async () => {
    tree = tempTree({ '.claude/skills/a/SKILL.md': '---\ndescription: x\n---\nx\0' })
    expect(await runIn(['show', 'a'], { cwd: tree.path })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^skills: .*"a" .*SKILL\.md:4/),
    })
  })
})
