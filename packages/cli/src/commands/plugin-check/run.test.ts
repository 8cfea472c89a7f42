import { existsSync, symlinkSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { repositories } from '../../../test/repositories.js'
import { runIn, type Ran } from '../../../test/console.js'

/** Search path without npm. */
const noPrograms = import.meta.dirname

let tree: TempTree
afterEach(() => tree.dispose())

const { PATH } = process.env
const manifest = {
  name: '@acme/tools',
  version: '1.0.0',
  description: 'Tools.',
  files: ['skills'],
  skillsPaths: ['./skills'],
}
const skill = '---\nname: a\ndescription: Does it. Use it when asked.\n---\nDo it.\n'
const pack = (more: Record<string, unknown> = {}): TreeEntries => ({
  'p/package.json': JSON.stringify({ ...manifest, ...more }),
  'p/skills/a/SKILL.md': skill,
})

async function check(
  entries: TreeEntries,
  prepare: () => void = () => {},
  argv: readonly string[] = ['p', '--npm'],
  env: Record<string, string | undefined> = { PATH },
): Promise<Ran> {
  tree = tempTree(entries)
  prepare()
  return runIn(['plugin', 'check', ...argv], { cwd: tree.path, env: { HOME: tree.path, ...env } })
}

/**
 * Returns the exit code and the codes of all findings, first those without a skill. If `hasNpm` is false, npm does not
 * run, which saves time; files that npm would leave out are then not checked.
 */
async function found(
  entries: TreeEntries,
  prepare: () => void = () => {},
  hasNpm = true,
): Promise<readonly (string | number)[]> {
  const { code, stdout } = await check(entries, prepare, ['p', '--npm'], { PATH: hasNpm ? PATH : noPrograms })
  const codes = Array.from(stdout.matchAll(/ (?:error|warning) {2}.* {2}([a-z0-9-]+)$/gm), ([, one = '']) => one)
  return [code, ...codes.filter(one => one !== 'npm-missing')]
}

describe('what is wrong with any answer of npm', () => {
  test.each([
    ['no package file', { 'p/skills/a/SKILL.md': skill }, [1, 'no-package']],
    ['a folder that is no plugin', { 'p/x.txt': 'x' }, [1, 'no-plugin', 'no-package']],
    ['broken JSON', { ...pack(), 'p/package.json': '{' }, [1, 'invalid-manifest']],
    ['no name', pack({ name: undefined }), [1, 'invalid-manifest', 'package-name']],
    ['a name that npm does not take', pack({ name: 'Acme Tools' }), [1, 'package-name']],
    ['a name that no plugin can have', pack({ name: '@acme/user' }), [1, 'reserved-plugin-name']],
    ['no version', pack({ version: undefined }), [1, 'package-version']],
    ['a version that is none', pack({ version: '1.0' }), [1, 'package-version']],
    ['no description', pack({ description: undefined }), [0, 'package-description']],
    ['a private package', pack({ private: true }), [0, 'private-package']],
    ['no word of where the skills are', pack({ skillsPaths: undefined }), [0, 'no-skills-paths']],
    ['a script at installation', pack({ scripts: { postinstall: 'x' } }), [0, 'install-script']],
    ['a path that leads out', pack({ skillsPaths: ['./skills', '../other'] }), [1, 'plugin-path-outside']],
    ['a path to nothing', pack({ skillsPaths: ['./skills', './more'] }), [0, 'missing-plugin-path']],
    ['no skill', { 'p/package.json': JSON.stringify(manifest), 'p/skills/notes.txt': 'x' }, [1, 'no-skills']],
    [
      'a skill that does not load',
      { ...pack(), 'p/skills/b/SKILL.md': '---\ndescription: x\nuser-invocable: maybe\n---\nx' },
      [1, 'invalid-boolean'],
    ],
    ['a skill that no one is told of', { ...pack(), 'p/skills/a/SKILL.md': 'x' }, [0, 'no-description']],
    [
      'two of one name',
      { ...pack({ skillsPaths: ['./skills', './more'] }), 'p/more/a/SKILL.md': `${skill}More.` },
      [1, 'name-clash'],
    ],
    [
      'two of one text',
      { ...pack({ skillsPaths: ['./skills', './more'] }), 'p/more/a/SKILL.md': skill },
      [0, 'name-clash'],
    ],
  ] as const)('%s', async (_, entries, expected) => {
    expect(await found(entries, undefined, false)).toEqual(expected)
  })

  test('a skill that is a link out is not read', async () => {
    const outside = { 'other/SKILL.md': '---\ndescription: secret\n---\nx' }
    expect(
      await found({ ...pack(), ...outside }, () => symlinkSync('../../other', `${tree.path}/p/skills/b`), false),
    ).toEqual([1, 'link-escapes'])
  })
})

test('a sound plugin: what a host would load, and that nothing is wrong', async () => {
  expect(await check(pack())).toEqual({
    code: 0,
    stdout: '@acme/tools 1.0.0  1 skill\n  tools:a  skills/a/SKILL.md\n\n1 file checked: no problems.\n',
    stderr: '',
  })
})

test('without a folder it is the present one, and --json has everything', async () => {
  const { stdout } = await check(pack(), undefined, ['--cwd', 'p', '--json', '--npm'])
  expect(JSON.parse(stdout)).toMatchObject({
    name: '@acme/tools',
    version: '1.0.0',
    skills: [{ name: 'tools:a', path: 'skills/a/SKILL.md' }],
    others: [],
    counts: { files: 1, errors: 0, warnings: 0 },
  })
})

test('skills that a program brings along meet no requirement either: another host has others', async () => {
  const { stdout } = await check({
    ...pack(),
    'p/skills/a/SKILL.md': skill.replace('---\nDo', 'requires: [check-skill]\n---\nDo'),
  })
  expect(stdout).toContain('missing-requirement')
  expect(stdout).not.toContain('write-skill')
})

test("the user's and the project's own skills have no say", async () => {
  const own = { '.claude/skills/other/SKILL.md': 'x', 'p/.claude/skills/mine/SKILL.md': 'x' }
  const needy = { 'p/skills/a/SKILL.md': skill.replace('---\nDo', 'requires: other\n---\nDo') }
  expect(await found({ ...pack(), ...own, ...needy }, undefined, false)).toEqual([0, 'missing-requirement'])
})

describe('what npm would leave out', () => {
  test.each([
    ['files that leave a skill out', pack({ files: ['docs'] }), [1, 'left-out']],
    [
      'an .npmignore that leaves a skill out',
      { ...pack({ files: undefined }), 'p/.npmignore': 'skills\n' },
      [1, 'left-out'],
    ],
    [
      'files that leave the manifest out, which gives another name',
      { ...pack(), 'p/.claude-plugin/plugin.json': '{"name":"other-name"}' },
      [1, 'left-out'],
    ],
    [
      'a manifest with the text of a command',
      { ...pack(), 'p/.claude-plugin/plugin.json': '{"name":"tools","commands":{"push":{"content":"Push it."}}}' },
      [1, 'left-out'],
    ],
    [
      'a manifest that is published',
      { ...pack({ files: ['skills', '.claude-plugin'] }), 'p/.claude-plugin/plugin.json': '{"name":"other-name"}' },
      [0],
    ],
    ['files that leave out hooks/hooks.json', { ...pack(), 'p/hooks/hooks.json': '{}' }, [1, 'left-out']],
    [
      'files that leave out hooks that the manifest names',
      {
        ...pack({ files: ['skills', '.claude-plugin'] }),
        'p/.claude-plugin/plugin.json': '{"name":"tools","hooks":["./own.json","./none.json","../p/own.json"]}',
        'p/own.json': '{}',
      },
      [1, 'plugin-path-outside', 'missing-plugin-path', 'left-out'],
    ],
    [
      'files that leave out hooks that the package file names',
      { ...pack({ skills: { hooks: './own/hooks.json' } }), 'p/own/hooks.json': '{}' },
      [1, 'left-out'],
    ],
    [
      'hooks that are published',
      { ...pack({ files: ['skills', 'hooks'], skills: { hooks: './hooks/hooks.json' } }), 'p/hooks/hooks.json': '{}' },
      [0],
    ],
    [
      'files that leave out what lies beside a skill',
      { ...pack({ files: ['skills/*/SKILL.md'] }), 'p/skills/a/notes.md': 'x' },
      [0, 'file-left-out'],
    ],
  ] as const)('%s', async (_, entries, expected) => {
    expect(await found(entries)).toEqual(expected)
  })

  test('a skill that is reached by a link inside is not in the package', async () => {
    expect(
      await found(
        { ...pack({ skillsPaths: ['./linked'] }), 'p/real/b/SKILL.md': skill.replace('name: a', 'name: b') },
        () => symlinkSync('real', `${tree.path}/p/linked`),
      ),
    ).toEqual([1, 'left-out'])
  })
})

test('what is lost without the manifest and without hooks is said, with what to do', async () => {
  const { stdout } = await check({
    ...pack(),
    'p/.claude-plugin/plugin.json': '{"name":"other-name"}',
    'p/hooks/hooks.json': '{}',
  })
  expect(stdout).toMatch(
    /p\/\.claude-plugin\/plugin\.json {2}error {2}npm .* {2}.*"\.claude-plugin" in "files" of package\.json, /,
  )
  expect(stdout).toMatch(/p\/hooks\/hooks\.json {2}error {2}npm .* {2}.*"hooks" in "files" .*package\.json, /)
})

test('a plugin that is no npm package is sound all the same, and goes by its own name', async () => {
  const plugin = { 'p/.claude-plugin/plugin.json': '{"name":"x","version":"2.0.0"}', 'p/skills/a/SKILL.md': skill }
  const sound = {
    code: 0,
    stdout: 'x 2.0.0  1 skill\n  x:a  skills/a/SKILL.md\n\n1 file checked: no problems.\n',
    stderr: '',
  }
  expect(await check(plugin, undefined, ['p'])).toEqual(sound)
  // Without --npm, the rules of npm for package files do not count.
  expect(
    await check({ ...plugin, 'p/package.json': '{"name":"Acme Tools","private":true}' }, undefined, ['p']),
  ).toEqual(sound)
  expect(JSON.parse((await check(plugin, undefined, ['p', '--json'])).stdout)).toMatchObject({
    name: 'x',
    version: '2.0.0',
    counts: { errors: 0 },
  })
})

test.each(Object.keys(repositories))('the plugins of a repository as people have them, %s, are sound', async name => {
  const { code, stdout } = await check(repositories[name as keyof typeof repositories], undefined, [name])
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/: (no problems|1 piece )/) as string })
})

test('a legacy command has nothing to be renamed for', async () => {
  expect(
    await found(
      { ...pack({ files: ['skills', 'commands'] }), 'p/commands/push.md': '---\ndescription: Pushes.\n---\nPush.\n' },
      undefined,
      false,
    ),
  ).toEqual([0])
})

test('without npm it says that it cannot tell what is left out', async () => {
  expect(await check(pack(), undefined, ['p', '--npm'], { PATH: noPrograms })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('with Node'),
  })
})

test.each([
  ['nowhere', 'There is no folder'],
  ['p/package.json', 'is not a folder'],
])('%s is no folder of a plugin', async (path, why) => {
  expect(await check(pack(), undefined, [path])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(why),
  })
})

test('no script of the package runs', async () => {
  const scripts = Object.fromEntries(['prepack', 'prepare', 'postpack'].map(name => [name, 'touch ran']))
  expect(await found(pack({ scripts }))).toEqual([0])
  expect(existsSync(`${tree.path}/p/ran`)).toBe(false)
})

test('what its hooks do is named, and a broken file of hooks is an error with its line', async () => {
  const files = ['skills', 'hooks']
  const hooks = JSON.stringify({ hooks: { PreToolUse: [{ matcher: '*', hooks: [{ command: 'curl x.sh | sh' }] }] } })
  const { code, stdout } = await check({ ...pack({ files }), 'p/hooks/hooks.json': hooks }, undefined, ['p'], {
    PATH: noPrograms,
  })
  expect(code).toBe(0)
  expect(stdout).toMatch(/p\/hooks\/hooks\.json:1 {2}advice {2}.* PreToolUse of \*, .*: curl x\.sh \| sh/)
  expect(await found({ ...pack({ files }), 'p/hooks/hooks.json': '{\n,}' }, undefined, false)).toEqual([
    1,
    'invalid-plugin-hooks',
  ])
})

describe('what a plugin names and does not have', () => {
  const root = '${CLAUDE_PLUGIN_ROOT}'
  const own = (more: Record<string, unknown> = {}): TreeEntries => ({
    'p/.claude-plugin/plugin.json': JSON.stringify({ name: 'tools', version: '1.0.0', ...more }, undefined, 1),
    'p/skills/a/SKILL.md': skill,
  })
  const hook = (...commands: readonly string[]): TreeEntries => ({
    'p/hooks/hooks.json': JSON.stringify(
      { hooks: { PostToolUse: [{ hooks: commands.map(command => ({ type: 'command', command })) }] } },
      undefined,
      1,
    ),
    'p/scripts/a.sh': 'true\n',
  })
  const lines = async (entries: TreeEntries, argv: readonly string[] = ['p']): Promise<readonly string[]> =>
    (await check(entries, undefined, argv)).stdout
      .split('\n')
      .filter(line => / {2}(?:error|warning) {2}/.test(line))
      .map(line => line.replace(/^p\//, '').replace(/ {2}(error|warning) {2}.* {2}/, ' $1 '))

  test.each<readonly [string, TreeEntries, readonly string[]]>([
    [
      'the script of a hook that is missing',
      { ...own(), ...hook(`"${root}"/scripts/b.sh --x`, `bash ${root}/scripts/a.sh`) },
      ['hooks/hooks.json:3 error missing-script'],
    ],
    [
      'the script of a hook that is not executable',
      { ...own(), ...hook(`"${root}/scripts/a.sh"`) },
      ['hooks/hooks.json:3 error not-executable'],
    ],
    [
      'an event that is misspelt',
      { ...own(), 'p/hooks/hooks.json': '{"hooks":{\n"PreToolUze": []}}' },
      ['hooks/hooks.json:2 warning invalid-hook'],
    ],
    [
      'a command with the name of a skill',
      { ...own(), 'p/commands/a.md': '---\ndescription: Does it.\n---\nDo it.\n' },
      ['commands/a.md warning name-clash'],
    ],
    [
      'a setting that a hook and a skill use',
      {
        ...own({ userConfig: { token: { type: 'string' } } }),
        ...hook('echo ${user_config.tokn}'),
        'p/skills/a/SKILL.md': `${skill}\nUse \${user_config.other} and \${user_config.token}.\n`,
      },
      ['hooks/hooks.json:3 error unknown-variable', 'skills/a/SKILL.md:7:5 error unknown-variable'],
    ],
    [
      'a type of setting',
      own({ userConfig: { token: { type: 'strnig' } } }),
      ['.claude-plugin/plugin.json:6 warning unknown-setting-type'],
    ],
    [
      'a version that package.json has otherwise',
      { ...own(), 'p/package.json': '{ "name": "tools", "version": "2.0.0" }' },
      ['.claude-plugin/plugin.json:3 warning version-mismatch'],
    ],
    [
      'the text of the template',
      {
        ...own({ description: 'Describe here what tools is for.' }),
        'p/skills/a/SKILL.md': skill.replace('Does it.', 'Describe here what a does.'),
      },
      ['.claude-plugin/plugin.json:4 warning untouched-text', 'skills/a/SKILL.md:3:14 warning untouched-text'],
    ],
    [
      'what stands at the top of package.json',
      {
        'p/package.json':
          '{ "name": "tools",\n"skillsPaths": ["./skills"],\n"hooks": {},\n"commands": {}, "userConfig": {} }',
        'p/skills/a/SKILL.md': skill,
      },
      [3, 4, 4].map(line => `package.json:${line} warning misplaced-key`),
    ],
  ])('%s', async (_, entries, expected) => {
    expect(await lines(entries)).toEqual(expected)
  })

  test('what a misplaced key and a misspelt word are to be is said', async () => {
    const { stdout } = await check(
      {
        'p/package.json':
          '{ "name": "tools", "skillsPaths": ["./skills"], "hooks": {}, "skills": { "userConfig": { "a": { "type": "bolean" } } } }',
        'p/skills/a/SKILL.md': skill,
      },
      undefined,
      ['p'],
    )
    expect(stdout).toMatch(/"skills" .*this file/)
    expect(stdout).toContain('Did you mean "boolean"?')
  })

  test('a script that npm would leave out', async () => {
    const entries = { ...pack({ files: ['skills', 'hooks'] }), ...hook(`bash ${root}/scripts/a.sh`) }
    expect(await lines(entries, ['p', '--npm'])).toEqual(['hooks/hooks.json:3 error left-out'])
  })

  test('hooks that only other agents run are no error, are named once, and need their scripts too', async () => {
    const run = { type: 'command', command: `bash ${root}/scripts/none.sh` }
    const hooks = {
      SubagentStart: [{ hooks: [run] }],
      PermissionRequest: [{ matcher: 'Bash', hooks: [{ type: 'http', url: 'https://example.com/x' }] }],
      Stop: [
        {
          hooks: [
            { type: 'prompt', prompt: 'Is it done?' },
            { type: 'agent', prompt: 'Check.' },
          ],
        },
      ],
    }
    const entries = { ...own(), 'p/hooks/hooks.json': JSON.stringify({ hooks }, undefined, 1) }
    const { code, stdout } = await check(entries, undefined, ['p'])
    expect(code).toBe(1)
    expect(stdout.match(/ {2}error {2}/g)).toHaveLength(1)
    expect(stdout).toMatch(/hooks\.json:\d+ {2}error {2}.* missing-script\n/)
    expect(stdout.match(/ unsupported-hook\n/g)).toHaveLength(1)
  })

  test('links to nothing, and no others', async () => {
    const body = [
      '[there](docs/a.md#part "title"), [spaced](<docs/b c.md>), [coded](docs/b%20c.md), [up](../../README.md)',
      '[web](https://example.com/x.md) [mail](mailto:a@example.com) [part](#part) [root](/etc/x) [var](${CLAUDE_SKILL_DIR}/x)',
      '`[code](no.md)`',
      '```',
      '[fenced](no.md)',
      '```',
      '![image](img.png) [dead](docs/gone.md)',
    ].join('\n')
    const entries = {
      ...own(),
      'p/skills/a/SKILL.md': `${skill}${body}\n`,
      'p/skills/a/docs/a.md': 'x',
      'p/skills/a/docs/b c.md': 'x',
      'p/README.md': 'x',
    }
    expect(await lines(entries)).toEqual([
      'skills/a/SKILL.md:12:10 warning dead-link',
      'skills/a/SKILL.md:12:26 warning dead-link',
    ])
  })
})

describe('a plugin of the standard', () => {
  const schemas = 'https://agent-plugins.org/schemas/1.0.0'
  const standard = (more: object = {}): TreeEntries => ({
    'p/plugin.json': JSON.stringify({ $schema: `${schemas}/plugin.schema.json`, name: 'acme.tools', ...more }),
    'p/mcp.json': JSON.stringify({
      $schema: `${schemas}/mcp.schema.json`,
      mcpServers: { s: { type: 'stdio', command: './bin/s' } },
    }),
  })

  test('goes by its own name, and its servers are told', async () => {
    const { code, stdout } = await check({ ...standard(), 'p/skills/a/SKILL.md': skill }, undefined, ['p', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'acme.tools',
      skills: [{ name: 'acme.tools:a', path: 'skills/a/SKILL.md' }],
      others: [{ code: 'plugin-servers', severity: 'info' }],
    })
    expect(code).toBe(0)
  })

  test('may have servers alone, and is refused for each fatal error of the standard', async () => {
    expect(await found(standard(), undefined, false)).toEqual([1, 'no-package'])
    expect((await check(standard(), undefined, ['p'])).code).toBe(0)
    for (const [more, code] of [
      [{ name: 'Bad Name!!' }, 'invalid-manifest'],
      [{ $schema: 'https://example.com/other.json' }, 'invalid-manifest'],
      [{ $schema: `${schemas.replace('1.0.0', '9.0.0')}/plugin.schema.json` }, 'unsupported-plugin-version'],
    ] as const) {
      const ran = await check({ ...standard(more), 'p/skills/a/SKILL.md': skill }, undefined, ['p', '--json'])
      expect([ran.code, JSON.parse(ran.stdout)]).toMatchObject([1, { skills: [], others: [{ code }] }])
    }
  })

  test('as a package has its manifest, its servers and their programs', async () => {
    const whole = { ...pack({ name: 'acme', files: ['skills'] }), ...standard(), 'p/bin/s': 'x' }
    expect(await found(whole)).toEqual([1, 'left-out', 'left-out', 'left-out'])
    const published = pack({ name: 'acme', files: ['skills', 'plugin.json', 'mcp.json', 'bin'] })
    expect(await found({ ...whole, ...published })).toEqual([0])
  })
})
