import { afterEach, describe, expect, test } from 'vitest'
import { distributionNames } from '@skills/distributions/distribution-named'
import { tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { plain, runIn, type Console, type Ran } from '../../test/console.js'

let tree: TempTree
afterEach(() => tree.dispose())

const skill = (name: string, description: string, more = '', body = 'Body.'): string =>
  `---\nname: ${name}\ndescription: ${description}\n${more}---\n${body}\n`

function project(more: TreeEntries = {}): Console {
  tree = tempTree({
    'work/.git': { dir: true },
    'home/.claude/skills/ship/SKILL.md': skill('ship', 'Ships mine.'),
    'work/.claude/skills/ship/SKILL.md': skill('ship', 'Ships theirs.'),
    'work/.claude/skills/folder/SKILL.md': skill('field', 'Goes by its field.'),
    'work/.claude/skills/group/deep/SKILL.md': skill('deep', 'Lies deep.'),
    'work/.opencode/skills/oc/SKILL.md': skill('oc', 'For OpenCode.'),
    ...more,
  })
  return { cwd: `${tree.path}/work`, home: `${tree.path}/home` }
}

const as = (name: string, args: readonly string[], console: Console): Promise<Ran> =>
  runIn(['--distribution', name, ...args], console)

describe('the policy of this machine', () => {
  test.each(distributionNames.filter(name => name !== 'standard'))(
    'holds under the rules of %s too, whether or not it knows managed skills',
    async name => {
      const console = project({
        'work/.claude/skills/a/SKILL.md': skill('a', 'Runs.', '', '!`echo run-$((20 + 3))`'),
        'managed/managed-settings.json': JSON.stringify({
          skills: { disableShell: true, disabledSkills: ['field', 'folder'] },
        }),
      })
      const managed = { ...console, managedDirs: [`${tree.path}/managed`] }
      await runIn(['trust', '--yes'], managed)
      expect((await as(name, ['list'], managed)).stdout).not.toMatch(/^(field|folder)\t/m)
      expect((await as(name, ['render', 'a', '--yes'], managed)).stdout).not.toContain('run-23')
    },
  )
})

describe('the overview', () => {
  test('says whose rules these are, where that one looks, and how to go on in the same way', async () => {
    const { stdout } = await as('opencode', [], project())
    expect(stdout).toMatch(new RegExp(`${tree.path}/work, .* opencode .*\n`))
    expect(stdout).toMatch(/^ {2}\.opencode\/skills +project-configuration +1 skill$/m)
    expect(stdout).toContain('skills list --distribution opencode ')
    expect((await runIn([], { cwd: `${tree.path}/work`, home: `${tree.path}/home` })).stdout).toContain(
      `Skills for ${tree.path}/work\n`,
    )
  })

  test('says so where an option of the command line does nothing', async () => {
    const console = project({
      'more/.claude/skills/a/SKILL.md': skill('a', 'A.'),
      'tools/.claude-plugin/plugin.json': '{"name":"tools"}',
      'tools/skills/b/SKILL.md': skill('b', 'B.'),
    })
    const options = ['--add-dir', `${tree.path}/more`, '--plugin-dir', `${tree.path}/tools`]
    const { stdout } = await as('mini', options, console)
    expect(stdout).toMatch(/\bmini has no .*--add-dir does nothing\./)
    expect(stdout).toMatch(/^.*mini .*--plugin-dir .*$/m)
    expect((await as('claude-code', options, console)).stdout).not.toContain('does nothing')
    expect((await as('claude-code', ['list', ...options], console)).stdout).toMatch(
      /^a\tadditional\t.*\n(.*\n)*tools:b\tplugin\t/m,
    )
  })
})

describe('explain', () => {
  test('says which source comes before which', async () => {
    const console = project()
    expect((await as('mini', ['explain', 'ship'], console)).stdout).toMatch(
      /^ship {2}active {2}project\n(.*\n)* {2}why +project .* user\.\n {2}shadows +ship of user/,
    )
    expect((await as('claude-code', ['explain', 'ship'], console)).stdout).toMatch(
      /^ship {2}active {2}user\n(.*\n)* {2}why +user comes before project\.\n/,
    )
  })

  test('says what a skill goes by whose folder has another name', async () => {
    const { code, stdout } = await as('opencode', ['explain', 'folder'], project())
    expect(code).toBe(1)
    expect(stdout).toMatch(/note: .*\.claude\/skills\/folder .*"field", /)
    expect(
      (await as('cocode', ['explain', 'folder'], { cwd: `${tree.path}/work`, home: `${tree.path}/home` })).code,
    ).toBe(0)
  })

  test('says that a folder lies too deep', async () => {
    const { stdout } = await as('mini', ['explain', 'deep'], project())
    expect(stdout).toMatch(/note: \.claude\/skills\/group\/deep /)
  })

  test('says where a distribution looks, for a name of which no one knows anything', async () => {
    const { stdout, stderr } = await as('mini', ['explain', 'unheard-of'], project())
    expect(stderr).toContain('"unheard-of"')
    expect(stdout.replaceAll(tree.path, '/TMP').replaceAll(/ {2,}/g, '  ').split('\n')).toEqual([
      'Where mini looks',
      '  .claude/skills  project  2 skills',
      '  /TMP/home/.claude/skills  user  1 skill',
      expect.stringMatching(/^ {2}.* first .*: project, user$/),
      expect.stringMatching(/^ {2}.* not found: .* --cwd$/),
      '',
    ])
    const elsewhere = (await as('mini', ['explain', 'oc'], project())).stdout
    expect(elsewhere).toMatch(/ "oc" for OpenCode; mini .* not .*\. .*--skill oc --agent mini/)
  })

  test('and what is said of a file without a description are both true where it is listed all the same', async () => {
    const at = project({ 'work/.claude/skills/bare/SKILL.md': '---\nname: bare\n---\nx' })
    expect((await as('mini', ['explain', 'bare'], at)).stdout).toMatch(/the model {6}is told/)
    expect((await as('mini', ['lint'], at)).stdout).toContain('no description')
  })

  test('says what its file lacks', async () => {
    const { stdout } = await as(
      'opencode',
      ['explain', 'bare'],
      project({ 'work/.claude/skills/bare/SKILL.md': '---\ndescription: Nameless.\n---\nx' }),
    )
    expect(stdout).toMatch(/bare {2}failed/)
    expect(stdout).toContain('`name` is missing')
  })

  test('says that a model is told of what this one tells it of', async () => {
    const console = project({
      'work/.claude/skills/silent/SKILL.md': 'No description.',
      'work/.claude/skills/empty/SKILL.md': '---\nname: empty\n---\n',
    })
    expect((await as('mini', ['explain', 'silent'], console)).stdout).toMatch(/the model +is told/)
    expect((await as('mini', ['listing'], console)).stdout).toContain('**/silent**')
    expect((await as('standard', ['explain', 'silent'], console)).stdout).toMatch(/the model +is told/)
    expect((await as('standard', ['explain', 'empty'], console)).stdout).toMatch(/not listed +.* no description/)
    const { stdout } = await as('cocode', ['explain', 'silent', '--json'], console)
    expect(JSON.parse(stdout)).toMatchObject({
      distribution: 'cocode',
      answers: [{ isListed: false, notListedBecause: [{ cause: 'flag' }] }],
    })
  })

  test('says that what a rule denies is kept from the model, where that is so', async () => {
    const console = project({ 'home/.config/skills/skills.config.json': '{ "rules": { "deny": ["Skill(oc)"] } }' })
    const { stdout } = await as('opencode', ['explain', 'oc', '--json'], console)
    expect(JSON.parse(stdout)).toMatchObject({
      answers: [
        {
          isListed: false,
          notListedBecause: [{ cause: 'permission', text: expect.stringContaining('denies') as string }],
          told: { path: expect.stringMatching(/skills\.config\.json$/) as string },
        },
      ],
      precedence: ['user-settings', 'settings', 'configuration', 'user', 'project'],
    })
    const listing = await as('opencode', ['listing', '--json'], console)
    const told = JSON.parse(listing.stdout) as { text: string; kept: unknown[] }
    expect(told.text).not.toContain('<name>oc</name>')
    expect(told.kept).toEqual([
      {
        name: 'oc',
        source: 'configuration',
        reasons: [
          {
            cause: 'permission',
            text: expect.stringContaining('denies') as string,
            source: expect.stringMatching(/skills\.config\.json$/) as string,
          },
        ],
      },
    ])
    expect((await as('standard', ['listing'], console)).stdout).toContain('- folder: ')
  })
})

describe('listing', () => {
  test.each([
    [
      'claude-code',
      'reminder',
      /^<system-reminder>\n.*with the Skill tool:\n\n- ship: Ships mine\.\n- folder \(field\): Goes by its field\.\n<\/system-reminder>$/s,
    ],
    [
      'claude-code-classic',
      'description',
      /^- \/ship: Ships mine\. \(user\)\n- \/folder: Goes by its field\. \(project\)$/,
    ],
    ['opencode', 'description', /^\S.* <available_skills> .*<name>oc<\/name>.* <\/available_skills>$/s],
    ['mini', 'system', /^# Available Skills\n\n.*\n- \*\*\/field\*\*: .*\n- \*\*\/ship\*\*: Ships theirs\.\n/],
    ['cocode', 'description', /^These skills are available:\n- ship: Ships mine\.\n/],
  ])('of %s is its own, in the %s', async (name, place, text) => {
    const console = project()
    expect((await as(name, ['listing'], console)).stdout).toMatch(text)
    expect(JSON.parse((await as(name, ['listing', '--json'], console)).stdout)).toMatchObject({
      place,
      text: expect.stringMatching(text) as string,
    })
  })

  test('says on a terminal where it stands', async () => {
    const console: Console = { ...project(), isTerminal: true }
    expect(plain((await as('mini', ['listing'], console)).stderr)).toMatch(/without a budget, .* system prompt\n/)
    expect(plain((await as('opencode', ['listing'], console)).stderr)).toMatch(/ the tool skill\n/)
  })

  test('is laid out by another strategy where one is named', async () => {
    expect((await as('mini', ['listing', '--strategy', 'cutoff'], project())).stdout).toBe(
      '- /field: Goes by its field. (project)\n- /ship: Ships theirs. (project)',
    )
    expect(await as('mini', ['listing', '--strategy', 'fare'], { cwd: `${tree.path}/work` })).toMatchObject({ code: 2 })
  })
})

describe('a body', () => {
  const body = '\n\nSay $ARGUMENTS in ${CLAUDE_SKILL_DIR}: x!`printf ran`.'
  const withBody = (): Console => project({ 'home/.claude/skills/say/SKILL.md': skill('say', 'Says.', '', body) })

  test.each([
    [
      'standard',
      'Base directory for this skill: HOME/.claude/skills/say\n\nSay it in HOME/.claude/skills/say: x!`printf ran`.\n',
    ],
    [
      'opencode-classic',
      '## Skill: say\n\n**Base directory**: HOME/.claude/skills/say\n\nSay $ARGUMENTS in ${CLAUDE_SKILL_DIR}: xran.',
    ],
    [
      'opencode',
      'Say it in ${CLAUDE_SKILL_DIR}: x!`printf ran`.\n\nBase directory for this skill: HOME/.claude/skills/say\nRelative paths in this skill (e.g., scripts/, reference/) are relative to this base directory.',
    ],
    ['mini', 'Say it in HOME/.claude/skills/say: x!`printf ran`.\n'],
    ['cocode', 'Say it in ${CLAUDE_SKILL_DIR}: x!`printf ran`.\n'],
  ])('is rendered as %s has it', async (name, text) => {
    const { stdout } = await as(name, ['render', 'say', '--yes', '--', 'it'], withBody())
    expect(stdout.replaceAll(`${tree.path}/home`, 'HOME')).toBe(text)
  })

  test('that is trimmed has its places where they are', async () => {
    const { stdout } = await as('opencode-classic', ['render', 'say', '--no-shell', '--json'], withBody())
    const { text, tokens } = JSON.parse(stdout) as {
      text: string
      tokens: { value: string; origin: string; line: number | null; written: string | null }[]
    }
    expect(tokens.map(({ value }) => value).join('')).toBe(text)
    expect(tokens.find(({ origin }) => origin === 'command')).toMatchObject({ line: 7, written: '!`printf ran`' })
  })

  test('is run as that one does', async () => {
    const console = withBody()
    expect((await as('mini', ['run', 'ship', '--yes', '--json'], console)).stdout).toContain(
      '"messages": [\n    {\n      "type": "user",\n      "isMeta": false,\n      "content": "Body.\\n"',
    )
    expect((await as('claude-code', ['run', 'ship'], console)).stdout).toContain(
      '<command-message>ship</command-message>\n<command-name>/ship</command-name>',
    )
    expect((await as('standard', ['run', 'ship'], console)).stdout).toContain(
      '<command-message>The "ship" skill is loading</command-message>',
    )
  })

  test('of a fork stays in the conversation for a person, where that is how it is', async () => {
    const console = project({ 'home/.claude/skills/apart/SKILL.md': skill('apart', 'Apart.', 'context: fork\n') })
    expect(await as('mini', ['run', 'apart', '--yes'], console)).toMatchObject({ code: 0, stdout: 'Body.\n' })
    expect((await as('claude-code', ['run', 'apart', '--yes'], console)).code).toBe(1)
  })

  test('runs nothing that came with a folder before the folder is trusted, in any distribution', async () => {
    const settings = '{ "permissions": { "allow": ["Skill", "Bash"] } }'
    const runs = {
      'work/.claude/settings.json': settings,
      'work/.claude/skills/runs/SKILL.md': skill('runs', 'Runs.', '', 'It !`printf ran`.'),
      'work/.opencode/skills/opens/SKILL.md': skill('opens', 'Runs.', '', 'It !`printf ran`.'),
      'home/.config/opencode/skills/global/SKILL.md': skill('global', 'Global.', '', 'It !`printf ran`.'),
    }
    const console = project(runs)
    for (const [name, which] of [
      ['claude-code', 'runs'],
      ['claude-code-classic', 'runs'],
      ['opencode-classic', 'runs'],
      ['opencode-classic', 'opens'],
    ] as const) {
      const before = await as(name, ['run', which, '--yes'], console)
      expect([name, before.code, before.stdout]).toEqual([name, 1, ''])
      expect(before.stderr).toContain(`trust --distribution ${name}`)
    }
    // The user's own configuration belongs to no project, so it needs no trust.
    expect((await as('opencode-classic', ['run', 'global', '--yes'], console)).stdout).toContain('It ran.')
    expect(await as('opencode-classic', ['trust', '--yes'], console)).toMatchObject({ code: 0 })
    for (const [name, which] of [
      ['claude-code', 'runs'],
      ['opencode-classic', 'opens'],
    ] as const) {
      expect((await as(name, ['run', which, '--yes'], console)).stdout).toContain('It ran.')
    }
  })

  test('is run by the rules of that one and those of the command line', async () => {
    const console = project({
      'home/.claude/skills/asks/SKILL.md': skill('asks', 'Asks.', 'allowed-tools: Bash(ls)\n'),
    })
    // This distribution allows every skill; another rule does not change that.
    expect(await as('mini', ['run', 'asks', '--allow', 'Bash(ls)'], console)).toMatchObject({
      code: 0,
      stdout: 'Body.\n',
    })
    expect((await as('mini', ['run', 'asks', '--deny', 'Skill(asks)'], console)).code).toBe(1)
    tree.write({ 'home/.claude/settings.json': '{ "permissions": { "ask": ["Skill"] } }' })
    expect(await as('claude-code', ['run', 'asks'], console)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/cannot be asked .*Skill\(asks\)/) as string,
    })
    // opencode reads no settings files.
    expect((await as('opencode-classic', ['run', 'asks'], console)).code).toBe(0)
  })
})

describe('what counts as an embedded command', () => {
  const runs = {
    'work/.claude/skills/runs/SKILL.md': skill(
      'runs',
      'Runs.',
      '',
      'It x!`printf ran`, and\n```sh\n!`printf fenced`\n```',
    ),
  }

  test.each<[string, readonly string[]]>([
    ['standard', []],
    ['opencode', []],
    ['opencode-classic', ['printf ran', 'printf fenced']],
    ['claude-code', ['printf fenced']],
    ['mini', []],
  ])('is told as %s has it, before a folder is trusted', async (name, scripts) => {
    const { stderr } = await as(name, ['trust'], project(runs))
    expect(stderr.split('\n').filter(line => line.includes('runs:'))).toEqual(
      scripts.map(script => `    | runs: ${script}`),
    )
  })

  test('is audited so too', async () => {
    const console = project(runs)
    const found = async (name: string): Promise<string> =>
      (await as(name, ['audit', 'runs', '--level', 'medium'], console)).stdout
    expect(
      [await found('opencode-classic'), await found('claude-code'), await found('standard'), await found('mini')].map(
        text => text.split('embedded-command').length - 1,
      ),
    ).toEqual([2, 1, 0, 0])
    expect((await as('opencode-classic', ['audit'], console)).stdout).toMatch(
      /^runs\tproject\tmedium\t2 embedded-command$/m,
    )
  })

  test('is shown so in the question', async () => {
    const console = project()
    await as('opencode-classic', ['trust', '--yes'], console)
    tree.write({ 'work/.claude/skills/mine/SKILL.md': skill('mine', 'Mine.', '', 'It x!`printf ran`.') })
    const asked = async (name: string): Promise<string> =>
      plain((await as(name, ['run', 'mine'], { ...console, isTerminal: true, answer: () => 'deny' })).stderr)
    expect(await asked('opencode-classic')).toContain('  embeds\n    | printf ran\n')
    expect(await asked('claude-code-classic')).not.toContain('embeds')
  })
})

describe('the other commands', () => {
  test('show and search have what that one has', async () => {
    const console = project()
    expect((await as('opencode', ['show', 'oc'], console)).stdout).toContain('oc  active  configuration')
    expect((await as('standard', ['show', 'oc'], console)).code).toBe(1)
    expect((await as('mini', ['show', 'gone'], console)).stderr).toContain('"gone"')
    expect((await as('opencode', ['search', 'opencode'], console)).stdout).toBe(
      'oc\tconfiguration\tFor OpenCode.\tactive\tdescription: opencode\twhole\n',
    )
    expect(await as('mini', ['search', 'opencode'], console)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('search opencode --body --distribution mini') as string,
    })
  })

  test('lint without a path checks what that one finds', async () => {
    const console = project({ 'work/.claude/skills/bare/SKILL.md': '---\ndescription: Nameless.\n---\nx' })
    expect(await as('opencode', ['lint'], console)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('`name` is missing') as string,
    })
    expect(await as('mini', ['lint'], console)).toMatchObject({ code: 0 })
  })

  test('new goes where that one looks', async () => {
    const console = project()
    expect(
      (await as('opencode', ['new', 'fresh'], { ...console, env: { OPENCODE_DISABLE_EXTERNAL_SKILLS: '1' } })).stdout,
    ).toMatch(/^\.opencode\/skill\/fresh\/SKILL\.md\n/)
    expect(
      (await as('opencode', ['new', 'mine', '--user'], { ...console, env: { OPENCODE_DISABLE_EXTERNAL_SKILLS: '1' } }))
        .stdout,
    ).toContain('.config/opencode/skill/mine/SKILL.md')
    expect((await as('mini', ['new', 'fresh'], console)).stdout).toMatch(/^\.claude\/skills\/fresh\/SKILL\.md\n/)
  })

  test('list knows the sources of that one', async () => {
    const console = project()
    expect((await as('opencode', ['list', '--source', 'configuration'], console)).stdout).toBe(
      'oc\tconfiguration\tFor OpenCode.\n',
    )
    expect(await as('mini', ['list', '--source', 'managed'], console)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/"managed"\. .* project, user\.\n$/),
    })
  })
})

test('what a program brings along and what is built in is in no list', async () => {
  const console = project()
  for (const name of ['standard', 'claude-code', 'cocode']) {
    const { stdout } = await as(name, ['list', '--all', '--json'], console)
    expect(
      (JSON.parse(stdout) as { source: string }[]).filter(({ source }) => source === 'bundled' || source === 'builtin'),
    ).toEqual([])
  }
  expect((await as('claude-code', ['listing'], console)).stdout).not.toContain('check-skill')
})

test('a module of the user adds a field, a folder, a listing and properties of its own', async () => {
  const module = `
    const teams = { name: 'teams', property: 'teams', type: 'names', asks: false, default: '', readers: '', effect: '' }
    const lay = entries => ({ text: entries.map(({ name }) => 'skill ' + name).join(), entries: [], omitted: [], truncated: [] })
    export default (options, base) => ({
      ...base({
        ...options,
        project: { folders: ['.acme'] },
        layout: { fields: { own: [teams] } },
        listing: { strategy: 'plain' },
        plugins: [{ kind: 'strategy', id: 'plain', contract: 1, setup: () => ({ order: all => all, lay }) }],
      }),
      acme: { slots: 3 },
    })`
  const console = project({
    'home/.config/skills/acme.mjs': module,
    'work/.acme/skills/own/SKILL.md': skill('own', 'Of a team.', 'teams: [ops]\n'),
  })
  const name = `${tree.path}/home/.config/skills/acme.mjs`
  expect((await as(name, ['list'], console)).stdout).toMatch(/^own\tproject\tOf a team\.$/m)
  expect((await as(name, ['listing'], console)).stdout).toContain('skill own')
})
