/* oxlint-disable vitest/no-standalone-expect -- row() makes a test of each */
import { describe, expect } from 'vitest'
import { row, skill, type OpenOptions } from './row.js'

const one = 'repo/.claude/skills/one/SKILL.md'

/** Names of skills in the released Claude Code, who can use each, and how rules and settings refer to them. */
/** Names of a plugin's own skill, as they are written, with those that it gets. */
const ownNames = {
  'Ship it': 'Ship-it',
  '"a  b/c"': 'a--b-c',
  '"x: y"': 'x--y',
  'Über Ship': '-ber-Ship',
  '"  lead "': 'lead',
  'A_b.c': 'A_b-c',
  '"😀 x"': '---x',
  '"12"': '12',
  '2026-01-01': '2026-01-01',
  '12': 'of-acme',
  true: 'of-acme',
  '[a, b c]': 'of-acme',
  '"  "': 'of-acme',
} as const

describe('claude-code', () => {
  row(
    5,
    'R',
    'a skill in the folder of a plugin itself goes by its name, without one by that folder, behind the name of the plugin',
    async open => {
      const published = { published: { plugins: ['../of-acme'] } }
      const manifest = { 'of-acme/.claude-plugin/plugin.json': '{"name":"acme"}' }
      const own = async (text: string) => (await open({ ...manifest, 'of-acme/SKILL.md': text }, published)).names()
      expect(await own('---\ndescription: D.\n---\nBody.')).toEqual(['acme:of-acme from plugin'])
      expect(await own('---\nname: ship.it\ndescription: D.\n---\nBody.')).toEqual(['acme:ship-it from plugin'])
      expect(await own('---\nname: acme:ship\ndescription: D.\n---\nBody.')).toEqual(['acme:ship from plugin'])
      // As Claude Code 2.1.332 answered; what is no text in YAML is no name.
      for (const [name, given] of Object.entries(ownNames))
        expect(await own(`---\nname: ${name}\ndescription: D.\n---\nBody.`)).toEqual([`acme:${given} from plugin`])
    },
  )
  row(
    5,
    'R',
    'skills of a plugin are named by their folders, with - for other signs; deeper ones are none',
    async open => {
      const described = '---\ndescription: D.\n---\nBody.'
      const opened = await open(
        {
          'acme/.claude-plugin/plugin.json': '{"name":"acme","skills":["./more","./one o.ne"]}',
          'acme/skills/two words/SKILL.md': described,
          'acme/skills/dot.ted/SKILL.md': described,
          'acme/skills/élan/SKILL.md': described,
          'acme/skills/a_b-c/SKILL.md': '---\nname: Other.Name\ndescription: D.\n---\nBody.',
          'acme/skills/group/deep/SKILL.md': described,
          'acme/more/a b/SKILL.md': described,
          'acme/one o.ne/SKILL.md': '---\nname: named.here\ndescription: D.\n---\nBody.',
          'acme/commands/com.mand.md': described,
        },
        { published: { plugins: ['../acme'] } },
      )
      const names = ['-lan', 'a-b', 'a_b-c', 'com.mand', 'dot-ted', 'named-here', 'two-words']
      expect((await opened.names()).toSorted()).toEqual(names.map(name => `acme:${name} from plugin`))
    },
  )
  row(8, 'R', 'the skill at the root keeps its name, and those of folders further down are qualified', async open => {
    const opened = await open({
      [one]: skill('one', '', 'Root.'),
      'home/.claude/skills/two/SKILL.md': skill('two'),
      'repo/.claude/skills/two/SKILL.md': skill('two', '', 'Other.'),
      'repo/apps/web/.claude/skills/one/SKILL.md': skill('one', '', 'Web.'),
      'repo/apps/api/.claude/skills/one/SKILL.md': skill('one', '', 'Api.'),
      'repo/apps/web/.claude/skills/own/SKILL.md': skill('own'),
    })
    expect((await opened.port.listing({})).entries.map(({ name }) => name).toSorted()).toEqual(['one', 'two'])
    const paths = ['web', 'api'].map(app => `${opened.tree.path}/repo/apps/${app}/x`)
    opened.skills.emit('file:touched', { paths })
    expect((await opened.port.listing({})).entries.map(({ name }) => name).toSorted()).toEqual([
      'apps/api:one',
      'apps/web:one',
      'one',
      'own',
      'two',
    ])
    expect(await Promise.all(['one', 'apps/web:one', 'apps/api:one'].map(name => opened.text(name)))).toEqual([
      expect.stringMatching(/Root\.$/),
      expect.stringMatching(/Web\.$/),
      expect.stringMatching(/Api\.$/),
    ])
  })
  row(8, 'R', 'a rule that denies the plain name holds for the qualified ones', async open => {
    const opened = await open(
      { [one]: skill('one'), 'repo/sub/.claude/skills/one/SKILL.md': skill('one', '', 'Nested.') },
      { rules: { deny: ['Skill(one)'] } },
    )
    await opened.catalog()
    opened.skills.emit('file:touched', { paths: [`${opened.tree.path}/repo/sub/x`] })
    const tool = await opened.tool()
    expect((await tool.checkPermissions({ skill: 'sub:one' })).behavior).toBe('deny')
  })
  row(9, 'R', 'a command ends in .md in small letters, and one that does not is told of', async open => {
    const opened = await open({ 'repo/.claude/commands/one.MD': 'B', 'repo/.claude/commands/two.md': 'B' })
    expect(await opened.names()).toEqual(['two from project'])
    expect(opened.told).toMatchObject([{ code: 'near-miss', path: `${opened.tree.path}/repo/.claude/commands/one.MD` }])
  })
  row(51, 'R', 'a name counts in its own letters, and the closest names are told', async open => {
    const opened = await open({ [one]: skill('One-name') })
    const tool = await opened.tool()
    expect(await tool.validateInput({ skill: 'ONE' })).toEqual({
      result: false,
      errorCode: 2,
      message: 'Unknown skill: ONE. Did you mean one?',
    })
    await expect(opened.text('ONE')).rejects.toMatchObject({ code: 'E_UNKNOWN_NAME', hint: 'Did you mean "one"?' })
    expect(await opened.text('One-name')).toMatch(/Does One-name\.$/)
  })
  row(54, 'R', 'one * forbids what begins like it, and allows one alone', async open => {
    const names = ['one', 'onex', 'other']
    const entries = Object.fromEntries(
      names.map(name => [`repo/.claude/skills/${name}/SKILL.md`, skill(name, 'allowed-tools: Bash\n')]),
    )
    const behaviours = async (rules: OpenOptions['rules']) => {
      const tool = await (await open(entries, { rules })).tool()
      return Promise.all(names.map(async name => (await tool.checkPermissions({ skill: name })).behavior))
    }
    expect(await behaviours({ deny: ['Skill(one *)'] })).toEqual(['deny', 'deny', 'ask'])
    expect(await behaviours({ allow: ['Skill(one *)'] })).toEqual(['allow', 'ask', 'ask'])
  })
  row(
    77,
    'R',
    'a skill that waits for its paths is there for no one, and takes no name of another one afterwards',
    async open => {
      const opened = await open({
        'repo/.claude/skills/one/SKILL.md': skill('one', 'paths: "*.css"\n'),
        'repo/.claude/skills/two/SKILL.md': skill('two', 'paths: "*.css"\n'),
        'repo/.claude/commands/one.md': 'Command.',
      })
      expect(await opened.text('one')).toContain('Command.')
      expect((await opened.skills.explain('one')).answers).toMatchObject([
        { status: 'active' },
        { status: 'disabled', notListedBecause: [{ text: expect.stringContaining('*.css') }] },
      ])
      opened.skills.emit('file:touched', { paths: [`${opened.tree.path}/repo/a.css`] })
      expect((await opened.skills.catalog()).get('one')?.command.loadedFrom).toBe('commands')
      expect(await opened.text('two')).toContain('Does two.')
    },
  )

  const names = ['bare', 'kept', 'mine', 'none']
  const four = Object.fromEntries(names.map(name => [`repo/.claude/skills/${name}/SKILL.md`, skill(name)]))
  const said = (words: object): string => JSON.stringify({ skillOverrides: words })
  const all = { bare: 'name-only', mine: 'user-invocable-only', none: 'off' }
  for (const path of [
    'home/.claude/settings.json',
    'repo/.claude/settings.json',
    'repo/.claude/settings.local.json',
    'managed/managed-settings.json',
  ])
    row(
      35,
      'R',
      `skillOverrides of ${path} hide a description, keep a skill from models or switch it off`,
      async open => {
        const opened = await open({ ...four, [path]: said(all) })
        expect((await opened.port.listing({})).text).toBe('- bare\n- kept: About kept.')
        const tool = await opened.tool()
        expect(await Promise.all(names.map(name => tool.validateInput({ skill: name })))).toMatchObject([
          { result: true },
          { result: true },
          { errorCode: path.startsWith('managed') ? 2 : 4 },
          { errorCode: 4 },
        ])
        expect(await opened.text('mine')).toContain('Does mine.')
        await expect(opened.text('none')).rejects.toMatchObject({ code: 'E_UNKNOWN_NAME' })
      },
    )
  row(
    35,
    'R',
    'of several files the narrowest word counts, and none of a host makes an administrator take one back',
    async open => {
      const opened = await open(
        {
          ...four,
          'home/.claude/settings.json': said({ bare: 'off', kept: 'on', mine: 'on' }),
          'repo/.claude/settings.local.json': said({ bare: 'on', kept: 'name-only', none: 'on' }),
          'repo/.claude/settings.json': said({ none: 'off' }),
          'managed/managed-settings.json': said({ mine: 'off' }),
        },
        { overrides: { mine: 'on' } },
      )
      expect((await opened.port.listing({})).text).toBe('- kept\n- none: About none.')
    },
  )
  row(35, 'R', 'a skill of a plugin is not switched by them', async open => {
    const opened = await open(
      {
        'plugin/.claude-plugin/plugin.json': '{"name":"acme"}',
        'plugin/skills/ship/SKILL.md': skill('ship'),
        'repo/.claude/settings.json': said({ 'acme:ship': 'off', ship: 'off' }),
      },
      { published: { plugins: ['../plugin'] } },
    )
    expect(await opened.names()).toEqual(['acme:ship from plugin'])
  })
  row(35, 'R', 'they are read anew with a load, and explained with their file', async open => {
    const opened = await open({ ...four, 'repo/.claude/settings.json': said({ none: 'off' }) })
    const path = `${opened.tree.path}/repo/.claude/settings.json`
    expect((await opened.skills.explain('none')).notes).toContainEqual({
      text: expect.stringContaining(`in ${path} says "off" of "none".`),
      path,
      provider: 'settings',
    })
    opened.tree.write({ 'repo/.claude/settings.json': said({}) })
    await opened.skills.refresh()
    expect((await opened.names()).includes('none from project')).toBe(true)
  })
  row(
    35,
    'R',
    'a file or a word that cannot be understood is told of with its line, and switches nothing',
    async open => {
      const opened = await open({
        ...four,
        'home/.claude/settings.json': '{',
        'repo/.claude/settings.json': '{\n  "skillOverrides": {\n    "none": "hidden"\n  }\n}',
        'repo/.claude/settings.local.json': '{ "skillOverrides": ["none"] }',
      })
      expect((await opened.names()).length).toBe(4)
      await opened.skills.refresh()
      expect(opened.told.map(({ code, field, line, hint }) => [code, field, line, hint])).toEqual([
        ['invalid-settings', undefined, 1, expect.any(String)],
        ['invalid-settings', 'skillOverrides', 1, 'Write it as { "name": "off" }.'],
        [
          'invalid-settings',
          'skillOverrides.none',
          3,
          expect.stringContaining('on, name-only, user-invocable-only, off'),
        ],
      ])
    },
  )
  row(35, 'R', 'disableSkillShellExecution switches embedded commands off, but not of skills in code', async open => {
    const runs = { [one]: skill('one', 'allowed-tools: Bash\n', 'A !`printf ran`') }
    expect(await (await open(runs)).text('one')).toMatch(/A ran$/)
    for (const path of ['home/.claude/settings.json', 'repo/.claude/settings.json']) {
      const bundled = { skills: [{ name: 'code', description: 'C', allowedTools: ['Bash'], body: 'A !`printf ran`' }] }
      const opened = await open({ ...runs, [path]: '{ "disableSkillShellExecution": true }' }, { bundled })
      expect(await opened.text('one')).toMatch(/A \[shell .* policy\]$/)
      expect(await opened.text('code')).toMatch(/A ran$/)
    }
  })
})
