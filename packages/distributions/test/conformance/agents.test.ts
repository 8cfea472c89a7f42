/* oxlint-disable vitest/no-standalone-expect -- row() makes a test of each */
import { describe, expect } from 'vitest'
import { row, skill, type Open, type OpenOptions } from './row.js'
import type { TreeEntries } from '@skills/testing'

/** Makes a row whose tree has these skills, as `name: description`, or `-` if there are none. */
function finds(tree: TreeEntries, found: string, options?: OpenOptions): (open: Open) => Promise<void> {
  return async open => {
    const { entries } = await (await open(tree, options)).catalog()
    expect(entries.map(({ name, command }) => `${name}: ${command.description}`).join('; ') || '-').toBe(found)
  }
}

/** Returns a skill file with this frontmatter. */
const file = (frontmatter: string): string => `---\n${frontmatter}\n---\nBody.\n`
const one = (frontmatter: string): TreeEntries => ({ 'repo/.agents/skills/one/SKILL.md': file(frontmatter) })
const about = (name: string): string => `${name}: About ${name}.`
const at = (folder: string, name: string): TreeEntries => ({ [`${folder}/${name}/SKILL.md`]: skill(name) })

describe('agents that only list skills', () => {
  const inBoth = {
    'repo/.agents/skills/a/SKILL.md': file('name: a\ndescription: Project.'),
    'home/.agents/skills/a/SKILL.md': file('name: a\ndescription: User.'),
  }
  row(1, 'GIBHPQW', 'the project comes before the user', finds(inBoth, 'a: Project.'))
  row(1, 'DV', 'the project comes before the user', finds(inBoth, 'a: Project.; user:a: User.'))
  row(
    1,
    'U',
    'the folder of all agents comes first, that of the user before the other of the project',
    finds(
      {
        'repo/.claude/skills/a/SKILL.md': file('description: Third.'),
        'home/.agent/skills/a/SKILL.md': file('description: Second.'),
        'home/.claude/skills/a/SKILL.md': file('description: Fourth.'),
      },
      'a: Second.',
    ),
  )
  row(
    1,
    'I',
    'its own folders come before those of all agents',
    finds(
      {
        'repo/.pi/skills/a/SKILL.md': file('name: a\ndescription: Own.'),
        'repo/.agents/skills/a/SKILL.md': file('name: a\ndescription: All.'),
      },
      'a: Own.',
    ),
  )
  row(
    1,
    'G',
    'the folders of all agents come before its own',
    finds(
      {
        'repo/.gemini/skills/a/SKILL.md': file('name: a\ndescription: Own.'),
        'repo/.agents/skills/a/SKILL.md': file('name: a\ndescription: All.'),
      },
      'a: All.',
    ),
  )
  row(
    2,
    'U',
    'no parent counts',
    finds({ ...at('repo/.agent/skills', 'top'), ...at('repo/work/.claude/skills', 'near') }, about('near'), {
      cwd: 'repo/work',
    }),
  )
  row(
    4,
    'U',
    'hidden folders are entered, one folder deep',
    finds({ ...at('repo/.agent/skills', '.a'), ...at('repo/.agent/skills/deep', 'b') }, '.a: About .a.'),
  )
  row(
    7,
    'U',
    'two folders are two skills, by the names of the folders',
    finds(
      {
        'repo/.agent/skills/a/SKILL.md': file('name: same\ndescription: First.'),
        'repo/.agent/skills/b/SKILL.md': file('name: same\ndescription: Second.'),
      },
      'a: First.; b: Second.',
    ),
  )
  const nested = { ...at('repo/.agents/skills', 'top'), ...at('repo/work/.agents/skills', 'near') }
  row(
    2,
    'DIBP',
    'parents count up to the repository',
    finds(nested, `${about('near')}; ${about('top')}`, { cwd: 'repo/work' }),
  )
  row(2, 'GVQW', 'no parent counts', finds(nested, about('near'), { cwd: 'repo/work' }))
  row(
    2,
    'NI',
    'without a repository all parents count',
    finds({ 'plain/.agents/skills/top/SKILL.md': skill('top'), 'plain/work/.keep': '' }, about('top'), {
      cwd: 'plain/work',
    }),
  )
  row(
    3,
    'D',
    'skills are in .agents and .codex',
    finds(
      { ...at('repo/.codex/skills', 'a'), ...at('home/.codex/skills', 'b'), ...at('repo/.claude/skills', 'c') },
      `${about('a')}; ${about('b')}`,
    ),
  )
  row(
    3,
    'D',
    'a variable names its folder of the user',
    finds(at('home/.codex/skills', 'a'), '-', { env: { CODEX_HOME: '/none' } }),
  )
  row(
    3,
    'G',
    'skills are in .agents and .gemini',
    finds(
      { ...at('repo/.gemini/skills', 'a'), ...at('home/.gemini/skills', 'b'), ...at('repo/.claude/skills', 'c') },
      `${about('a')}; ${about('b')}`,
    ),
  )
  row(
    3,
    'I',
    'skills are in .agents, .pi and the agent folder in .pi of the user',
    finds(
      { ...at('repo/.pi/skills', 'a'), ...at('home/.pi/agent/skills', 'b'), ...at('home/.pi/skills', 'c') },
      `${about('a')}; ${about('b')}`,
    ),
  )
  row(
    3,
    'U',
    'skills are in .agent and .claude',
    finds({ ...at('repo/.agent/skills', 'a'), ...at('repo/.agents/skills', 'b') }, about('a')),
  )
  row(
    3,
    'V',
    'skills are in the folders of every agent that it fills',
    finds(
      {
        ...at('repo/.claude/skills', 'a'),
        ...at('repo/skills', 'b'),
        ...at('repo/.codex/skills', 'c'),
        ...at('home/.cursor/skills', 'd'),
        ...at('home/.config/opencode/skills', 'e'),
      },
      [about('a'), about('b'), about('d'), about('e')].join('; '),
    ),
  )
  row(
    3,
    'N',
    'skills are in .agents too, and in the .opencode of the user',
    finds({ ...at('repo/.agents/skills', 'a'), ...at('home/.opencode/skill', 'b') }, `${about('b')}; ${about('a')}`),
  )
  row(
    3,
    'N',
    'a variable takes the folders of others away',
    finds(at('repo/.agents/skills', 'a'), '-', { env: { OPENCODE_DISABLE_EXTERNAL_SKILLS: '1' } }),
  )
  const inOwn = (...folders: readonly string[]): TreeEntries =>
    Object.assign({}, ...folders.map((folder, index) => at(folder, 'abcdefg'.charAt(index))))
  row(
    3,
    'P',
    'skills are in .github, .agents and .claude, and in the .copilot of the user',
    finds(
      inOwn(
        'repo/.github/skills',
        'repo/.agents/skills',
        'repo/.claude/skills',
        'home/.copilot/skills',
        'home/.claude/skills',
      ),
      ['a', 'b', 'c', 'd'].map(about).join('; '),
    ),
  )
  row(
    3,
    'W',
    'skills are in skills and .agents of the workspace, and in .agents and .openclaw of the user',
    finds(
      inOwn(
        'repo/skills',
        'repo/.agents/skills',
        'home/.agents/skills',
        'home/.openclaw/skills',
        'repo/.claude/skills',
      ),
      ['a', 'b', 'c', 'd'].map(about).join('; '),
    ),
  )
  row(
    3,
    'L',
    'skills are in .clinerules, .cline and .agents',
    finds(
      inOwn('repo/.clinerules/skills', 'repo/.cline/skills', 'repo/.agents/skills', 'repo/.claude/skills'),
      ['a', 'b', 'c'].map(about).join('; '),
    ),
  )
  row(
    3,
    'Q',
    'skills are in .qwen and .agents',
    finds(inOwn('repo/.qwen/skills', 'repo/.agents/skills', 'repo/.claude/skills'), ['a', 'b'].map(about).join('; ')),
  )
  row(
    3,
    'B',
    'skills are in .claude, .agents, .kilo, .kilocode and the configuration of the user',
    finds(
      inOwn(
        'repo/.claude/skills',
        'repo/.agents/skills',
        'repo/.kilo/skill',
        'repo/.kilocode/skills',
        'home/.config/kilo/skills',
        'repo/.opencode/skills',
      ),
      ['d', 'c', 'e', 'a', 'b'].map(about).join('; '),
    ),
  )
  row(
    3,
    'H',
    'skills are in .kimi-code and .agents',
    finds(
      inOwn('repo/.kimi-code/skills', 'repo/.agents/skills', 'repo/.claude/skills'),
      ['a', 'b'].map(about).join('; '),
    ),
  )
  const json = (data: unknown): string => JSON.stringify(data)
  row(
    3,
    'I',
    'settings name folders of the user, and of a project those in it, which come first',
    finds(
      {
        'home/.pi/agent/settings.json': json({ skills: ['~/mine'] }),
        'repo/.pi/settings.json': json({ skills: ['../ours', '~/mine'] }),
        ...at('home/mine', 'a'),
        'repo/ours/one/SKILL.md': file('name: same\ndescription: Named.'),
        'repo/.pi/skills/two/SKILL.md': file('name: same\ndescription: Own.'),
      },
      `same: Named.; ${about('a')}`,
    ),
  )
  row(
    3,
    'N',
    'opencode.json of the user and of the project name folders, which come before all others',
    finds(
      {
        'home/.config/opencode/opencode.jsonc': '{ "skills": { "paths": ["~/mine",] } } // Mine.',
        'repo/opencode.json': json({ skills: { paths: ['ours', '~/mine', '../other'] } }),
        ...at('home/mine', 'a'),
        ...at('other', 'b'),
        'repo/ours/one/SKILL.md': file('name: same\ndescription: Named.'),
        'repo/.opencode/skill/two/SKILL.md': file('name: same\ndescription: Own.'),
      },
      `${about('a')}; same: Named.`,
    ),
  )
  const deep = { ...at('repo/.agents/skills/1/2/3/4/5', 'six'), ...at('repo/.agents/skills/1/2/3/4/5/6', 'seven') }
  row(4, 'DW', 'six folders deep', finds(deep, about('six')))
  row(4, 'NIBP', 'as deep as there are folders', finds(deep, `${about('seven')}; ${about('six')}`))
  row(4, 'GVLQ', 'one folder deep', finds(deep, '-'))
  const within = { ...at('repo/.agents/skills', 'out'), ...at('repo/.agents/skills/out', 'in') }
  row(4, 'DNB', 'there are skills within skills', finds(within, `${about('out')}; ${about('in')}`))
  row(4, 'GIVHLPQW', 'there is nothing within a skill', finds(within, about('out')))
  const atRoot = { 'repo/.agents/skills/SKILL.md': skill('root'), ...at('repo/.agents/skills', 'a') }
  row(4, 'DGNB', 'a file in the folder of skills is one too', finds(atRoot, `${about('root')}; ${about('a')}`))
  row(4, 'ILPW', 'a file in the folder of skills is the only one', finds(atRoot, about('root')))
  row(4, 'VHQ', 'a file in the folder of skills is none', finds(atRoot, about('a')))
  const hidden = { ...at('repo/.agents/skills', '.a'), 'repo/.agents/skills/.a/SKILL.md': skill('a') }
  row(4, 'DGIHPW', 'hidden folders are not entered', finds(hidden, '-'))
  row(4, 'NVBLQ', 'hidden folders are entered', finds(hidden, about('a')))
  const modules = at('repo/.agents/skills/node_modules', 'a')
  row(4, 'DNBP', 'packages are entered', finds(modules, about('a')))
  row(4, 'GIHLQW', 'packages are not entered', finds(modules, '-'))
  row(
    4,
    'I',
    'Markdown files within folders of all agents are skills, and those beside the folders of its own',
    finds(
      {
        'repo/.agents/skills/loose.md': skill('no'),
        'repo/.agents/skills/group/a.md': skill('a'),
        'repo/.pi/skills/b.md': skill('b'),
        'repo/.pi/skills/group/loose.md': skill('no'),
      },
      `${about('b')}; ${about('a')}`,
    ),
  )
  row(
    4,
    'I',
    'files of patterns leave skills out',
    finds(
      {
        'repo/.agents/skills/.gitignore': 'a/\n',
        'repo/.agents/skills/.fdignore': 'b\n',
        ...at('repo/.agents/skills', 'a'),
        ...at('repo/.agents/skills', 'b'),
        ...at('repo/.agents/skills', 'c'),
      },
      about('c'),
    ),
  )
  row(
    4,
    'I',
    'settings leave skills out, and of a project those of the project alone',
    finds(
      {
        'repo/.pi/settings.json': json({ skills: ['!**/a/**', '-skills/b'] }),
        ...at('repo/.pi/skills', 'a'),
        ...at('repo/.pi/skills', 'b'),
        ...at('repo/.pi/skills', 'c'),
        'home/.pi/agent/skills/a/SKILL.md': skill('a'),
      },
      `${about('c')}; ${about('a')}`,
    ),
  )
  row(
    4,
    'I',
    'a folder called SKILL.md is one like others',
    finds({ 'repo/.agents/skills/a/SKILL.md/inner.md': skill('inner') }, about('inner')),
  )
  const other = one('name: other\ndescription: D.')
  row(5, 'DGINVBHLPQW', 'the field gives the name', finds(other, 'other: D.'))
  row(
    5,
    'U',
    'the folder gives the name',
    finds({ 'repo/.agent/skills/one/SKILL.md': file('name: other\ndescription: D.') }, 'one: D.'),
  )
  row(5, 'DILPW', 'without a name the folder gives it', finds(one('description: D.'), 'one: D.'))
  row(5, 'GNVBHQ', 'without a name there is no skill', finds(one('description: D.'), '-'))
  row(5, 'DGQW', 'a number may be a name', finds(one('name: 12\ndescription: D.'), '12: D.'))
  row(5, 'NVBHLP', 'a number is no name', finds(one('name: 12\ndescription: D.'), '-'))
  row(
    5,
    'G',
    'what means something in a path becomes a hyphen',
    finds(one('name: a/b:c\ndescription: D.'), 'a-b-c: D.'),
  )
  row(
    7,
    'D',
    'all of one name are told, those that come later under a qualified one',
    finds(
      {
        'repo/.agents/skills/a/SKILL.md': file('name: same\ndescription: First.'),
        'repo/.codex/skills/b/SKILL.md': file('name: same\ndescription: Second.'),
      },
      'same: First.; project:same: Second.',
    ),
  )
  row(
    7,
    'V',
    'of one name there is one in the project and one of the user',
    finds(
      {
        'repo/.agents/skills/a/SKILL.md': file('name: same\ndescription: First.'),
        'repo/.claude/skills/b/SKILL.md': file('name: same\ndescription: Second.'),
        'home/.claude/skills/b/SKILL.md': file('name: same\ndescription: Third.'),
      },
      'same: First.; user:same: Third.',
    ),
  )
  const colon = one('name: one\ndescription: Use when: asked')
  row(21, 'DGNBQW', 'a value that holds a colon is text', finds(colon, 'one: Use when: asked'))
  row(21, 'IVHLP', 'a value that holds a colon is an error', finds(colon, '-'))
  row(21, 'DINVBHLP', 'a quote that is never closed is an error', finds(one('name: one\ndescription: "x'), '-'))
  row(
    21,
    'W',
    'a quote that is never closed is part of the description',
    finds(one('name: one\ndescription: "x'), 'one: "x'),
  )
  row(
    21,
    'DINVBHLPW',
    'a key that is given twice is an error',
    finds(one('name: one\nname: two\ndescription: D.'), '-'),
  )
  const marked = { 'repo/.agents/skills/one/SKILL.md': `\ufeff${file('name: one\ndescription: D.')}` }
  row(21, 'INVBHLPQW', 'a byte order mark is passed over', finds(marked, 'one: D.'))
  row(21, 'DG', 'behind a byte order mark there is no frontmatter', finds(marked, '-'))
  const script = { 'repo/.agents/skills/one/SKILL.md': '---js\n{ name: "one", description: String(6 * 7) }\n---\n' }
  row(21, 'DGINVBHPQW', 'frontmatter in a programming language is not run', finds(script, '-'))
  row(
    21,
    'U',
    'a description is what stands behind the first such word, as it is written',
    finds({ 'repo/.agent/skills/one/SKILL.md': 'No frontmatter.\ndescription: "In quotes"\n' }, 'one: "In quotes"'),
  )
  row(22, 'DGIVHQW', 'without a description there is no skill', finds(one('name: one'), '-'))
  row(22, 'NBL', 'a skill may have no description', finds(one('name: one'), 'one: '))
  row(22, 'U', 'a skill may have no description', finds({ 'repo/.agent/skills/one/SKILL.md': 'Body.\n' }, 'one: '))
  const long = `name: ${'n'.repeat(65)}\ndescription: D.`
  row(25, 'DP', 'a name of more than 64 characters is an error', finds(one(long), '-'))
  row(25, 'GINVBHLQW', 'a name may be long', finds(one(long), `${'n'.repeat(65)}: D.`))
  const large = { 'repo/.agents/skills/one/SKILL.md': file('name: one\ndescription: D.') + 'x'.repeat(2 * 1024 * 1024) }
  row(25, 'DGINVBHLPQ', 'a file may have more than a mebibyte', async open => {
    const { catalog, text } = await open(large)
    expect((await catalog()).entries.map(({ name }) => name)).toEqual(['one'])
    expect((await text('one')).length).toBeGreaterThan(2 * 1024 * 1024)
  })
  const barred = one('name: one\ndescription: D.\ndisable-model-invocation: true')
  row(23, 'IHPQW', 'a model is not told of a skill that is not for it', async open => {
    expect((await (await open(barred)).port.listing({})).entries).toEqual([])
  })
  row(23, 'DGNVBL', 'every skill is for the model', async open => {
    expect((await (await open(barred)).port.listing({})).text).toContain('one')
  })
  row(23, 'D', 'agents/openai.yaml keeps a skill from the model', async open => {
    const beside = { 'repo/.agents/skills/one/agents/openai.yaml': 'policy:\n  allow_implicit_invocation: false\n' }
    const { port } = await open({ ...one('name: one\ndescription: D.'), ...beside })
    expect((await port.listing({})).entries).toEqual([])
  })
  row(31, 'D', 'a skill for other products is left out', async open => {
    const products = (list: string) => ({ 'repo/.agents/skills/one/agents/openai.yaml': `policy: {products: ${list}}` })
    const tree = one('name: one\ndescription: D.')
    await finds({ ...tree, ...products('[chatgpt]') }, '-')(open)
    await finds({ ...tree, ...products('[chatgpt, Codex]') }, 'one: D.')(open)
  })
  row(31, 'G', 'settings keep skills from the model, in any letters', async open => {
    const { port, names } = await open({
      'home/.gemini/settings.json': '{ "skills": { "disabled": ["ONE"] } } // Not now.',
      'repo/.gemini/settings.json': json({ skills: { disabled: ['two'] } }),
      ...one('name: one\ndescription: D.'),
      ...at('repo/.agents/skills', 'two'),
      ...at('repo/.agents/skills', 'three'),
    })
    expect(await names()).toEqual(['one from project', 'three from project', 'two from project'])
    expect((await port.listing({})).entries.map(({ name }) => name)).toEqual(['three'])
  })
  row(73, 'DGIUVLPQW', 'no command of a body runs, and nothing stands for anything', async open => {
    const body = '---\nname: one\ndescription: D.\n---\n!`exit 1` $ARGUMENTS ${CLAUDE_SKILL_DIR}\n'
    const { text } = await open({ 'repo/.agents/skills/one/SKILL.md': body, 'repo/.agent/skills/one/SKILL.md': body })
    expect(await text('one', 'x')).toContain('!`exit 1` $ARGUMENTS ${CLAUDE_SKILL_DIR}')
  })
})
