import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitAlternatives, ToolRules } from './index.js'

const bash = (content: string) => ({ tool: 'Bash', content })

describe('a list of the only tools', () => {
  const only = new ToolRules('only', ['Read', 'Bash(git:*)', 'Bash(npm test)', 'mcp__files'])

  test('has the tools that it names', async () => {
    expect(
      await Promise.all([
        only.ruleFor({ tool: 'Read', content: '/etc/passwd' }),
        only.ruleFor({ tool: 'Write', content: 'x' }),
        only.ruleFor({ tool: 'read', content: 'x' }),
      ]),
    ).toEqual(['Read', undefined, undefined])
    expect(
      await Promise.all([
        only.ruleFor({ tool: 'mcp__files__read', content: '{}' }),
        only.ruleFor({ tool: 'mcp__filesystem__read', content: '{}' }),
      ]),
    ).toEqual(['mcp__files', undefined])
  })

  test('has of Bash one simple command that begins as it says, and nothing that runs more', async () => {
    expect(
      await Promise.all(
        ['git', 'git status', ' git log -5\n', 'timeout 5 git log', 'npm test'].map(script =>
          only.ruleFor(bash(script)),
        ),
      ),
    ).toEqual(['Bash(git:*)', 'Bash(git:*)', 'Bash(git:*)', 'Bash(git:*)', 'Bash(npm test)'])
    const more = [
      'gitx',
      'git status; id',
      'git $(id)',
      'git log > f',
      'git log | id',
      'git && id',
      'git\nid',
      'X=1 git',
      'id',
      '',
      'npm test x',
      'git "$(id)"',
      'GIT_DIR=. git',
    ]
    for (const script of more) expect(await only.ruleFor(bash(script)), script).toBeUndefined()
  })

  test('has the command that a variable leads to, and no other', async () => {
    const rules = new ToolRules('only', ['Bash(/skills/x/run.sh:*)', 'Bash(node /skills/x/run.js:*)', 'Bash(npm test)'])
    const use = (content: string, folder: string) =>
      rules.ruleFor({ tool: 'Bash', content, values: { SKILL_ARG_0: folder } })
    expect(
      await Promise.all([
        use('"${SKILL_ARG_0}"/run.sh --all', '/skills/x'),
        use('timeout 5 "${SKILL_ARG_0}"/run.sh', '/skills/x'),
        use('node "${SKILL_ARG_0}"/run.js', '/skills/x'),
        use('npm "${SKILL_ARG_0}"', 'test'),
      ]),
    ).toEqual([
      'Bash(/skills/x/run.sh:*)',
      'Bash(/skills/x/run.sh:*)',
      'Bash(node /skills/x/run.js:*)',
      'Bash(npm test)',
    ])
    for (const folder of ['/skills/y', '/skills/x/run.sh; id #', '', '/skills/x/../y', 'skills/x', '$(id)']) {
      expect(
        await Promise.all([use('"${SKILL_ARG_0}"/run.sh', folder), use('node "${SKILL_ARG_0}"/run.js', folder)]),
        folder,
      ).toEqual([undefined, undefined])
    }
    expect(
      await Promise.all([
        use('npm "${SKILL_ARG_0}"', 'test x'),
        use('npm "${SKILL_ARG_0}"', 'tests'),
        use('"${SKILL_ARG_0}"/run.sh | sh', '/skills/x'),
      ]),
    ).toEqual([undefined, undefined, undefined])
  })

  test('has nothing for what cannot be understood, and says so', async () => {
    const broken = new ToolRules('only', ['Bash(git', '*', 'Grep'])
    expect(broken.problems.map(({ rule }) => rule)).toEqual(['Bash(git', '*'])
    expect(await Promise.all([broken.ruleFor(bash('git')), broken.ruleFor({ tool: 'Grep', content: 'x' })])).toEqual([
      undefined,
      'Grep',
    ])
  })

  test('that is empty has nothing at all', async () => {
    expect(await new ToolRules('only', []).ruleFor({ tool: 'Read', content: '' })).toBeUndefined()
  })
})

describe('a list of tools to do without', () => {
  test('takes a tool away in upper or lower case, and a command wherever a script may run it', async () => {
    const without = new ToolRules('without', ['Skill', 'Bash(rm:*)', 'mcp__*'])
    expect(
      await Promise.all(
        ['Skill', 'skill', 'SKILL', 'mcp__a__b', 'Skills'].map(tool => without.ruleFor({ tool, content: 'x' })),
      ),
    ).toEqual(['Skill', 'Skill', 'Skill', 'mcp__*', undefined])
    expect(
      await Promise.all(
        ['rm x', 'cd / && rm x', 'echo $(rm x)', '/bin/rm x', 'echo rm'].map(script => without.ruleFor(bash(script))),
      ),
    ).toEqual(['Bash(rm:*)', 'Bash(rm:*)', 'Bash(rm:*)', 'Bash(rm:*)', undefined])
  })

  test('takes the whole tool away where it cannot be understood', async () => {
    const without = new ToolRules('without', ['Bash(rm'])
    expect(
      await Promise.all([
        without.ruleFor(bash('ls')),
        without.ruleFor({ tool: 'Read', content: '' }),
        without.problems.length,
      ]),
    ).toEqual(['Bash(rm', undefined, 1])
    expect(await new ToolRules('without', ['(x)']).ruleFor({ tool: 'Read', content: '' })).toBe('(x)')
  })
})

test('several commands in one pair of parentheses are several rules, where a prefix is among them', async () => {
  expect(splitAlternatives('Bash(git add:*, git status)')).toEqual(['Bash(git add:*)', 'Bash(git status)'])
  expect(splitAlternatives('Bash(echo a, b)')).toEqual(['Bash(echo a, b)', 'Bash(echo a)', 'Bash(b)'])
  expect(splitAlternatives('Read(a, b)')).toEqual(['Read(a, b)'])
})

test('a longer list of the only tools never has less, and a longer one to do without never takes away less', async () => {
  const rule = fc.constantFrom('Read', 'Bash', 'Bash(git:*)', 'Bash(git log *)', 'Bash(ls)', 'mcp__a', 'Bash(x', '*')
  const use = fc.record({
    tool: fc.constantFrom('Read', 'Bash', 'mcp__a__b'),
    content: fc.constantFrom('git log', 'git log; ls', 'ls', 'x'),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('only' as const, 'without' as const),
      fc.array(rule),
      fc.array(rule),
      use,
      async (mode, some, more, one) => {
        const [falls, fallsToo] = await Promise.all(
          [some, [...some, ...more]].map(async list => (await new ToolRules(mode, list).ruleFor(one)) !== undefined),
        )
        expect(falls === true && fallsToo !== true).toBe(false)
      },
    ),
  )
})
