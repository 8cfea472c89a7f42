import { afterEach, describe, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { plain, runIn, type Console } from '../../../test/console.js'

let tree: TempTree
afterEach(() => tree.dispose())

const skill = (description: string, more = ''): string => `---\ndescription: ${description}\n${more}---\nBody.\n`

function project(): Console {
  tree = tempTree({
    'home/.claude/skills/deploy/SKILL.md': skill('Deploys for the user.'),
    'work/.git': { dir: true },
    'work/.claude/skills/deploy/SKILL.md': skill('Deploys the project.'),
    'work/.claude/skills/review/SKILL.md': skill(
      'Reviews a change, line by line, and says what is wrong with it and why.',
      'name: Code Review\nversion: 1.10\nuser-invocable: no\n',
    ),
    'work/.claude/skills/failed/SKILL.md': skill('x', 'user-invocable: maybe\n'),
    'work/.claude/skills/sly/SKILL.md': skill('"ev\\e[31mil\\ttab\\u202e"'),
  })
  return { cwd: `${tree.path}/work`, home: `${tree.path}/home` }
}

/** Summary with a problem; it is printed to standard error. */
const summary = '3 skills · 1 more under a qualified name: skills list --all · 1 error: skills lint\n'

describe('for a program', () => {
  test('a line has name, source and whole description between tabs, and no more than that', async () => {
    const { code, stdout, stderr } = await runIn(['list'], project())
    expect(code).toBe(0)
    expect(stdout).toBe(
      [
        'deploy\tuser\tDeploys for the user.\n',
        'review\tproject\tReviews a change, line by line, and says what is wrong with it and why.\n',
        'sly\tproject\tev<U+001B>[31mil tab<U+202E>\n',
      ].join(''),
    )
    expect(stderr).toBe(summary)
  })

  test('--all adds a last column and what cannot be invoked by its plain name', async () => {
    const { stdout } = await runIn(['list', '--all'], project())
    expect(
      stdout
        .split('\n')
        .slice(0, -1)
        .map(line => line.split('\t'))
        .map(([name, source, , state]) => [name, source, state]),
    ).toEqual([
      ['deploy', 'user', 'active'],
      ['review', 'project', 'active'],
      ['sly', 'project', 'active'],
      ['project:deploy', 'project', 'qualified'],
      ['failed', 'project', 'failed'],
    ])
  })

  test('a policy keeps skills out, and --all says which policy', async () => {
    const console = project()
    // If the owner of the managed folder is not root, there may also be a warning.
    tree.write({ 'managed/managed-settings.json': '{ "skills": { "disabledSkills": ["review"] } }' })
    const { stdout } = await runIn(['list', '--all', '--json'], { ...console, managedDirs: [`${tree.path}/managed`] })
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({
        name: 'review',
        state: 'disabled',
        reason: `The policy ${tree.path}/managed/managed-settings.json names "review" among its disabled skills.`,
      }),
    )
  })

  test('--json is an array, one object a line, every key always there', async () => {
    const { code, stdout, stderr } = await runIn(['list', '--json'], project())
    expect(code).toBe(0)
    expect(stderr).toBe(summary)
    expect(stdout.split('\n')).toHaveLength(6)
    const skills: unknown = JSON.parse(stdout)
    expect(skills).toMatchObject([
      {
        name: 'deploy',
        displayName: 'deploy',
        state: 'active',
        source: 'user',
        description: 'Deploys for the user.',
        whenToUse: null,
        path: `${tree.path}/home/.claude/skills/deploy/SKILL.md`,
        userInvocable: true,
        disableModelInvocation: false,
        shadowedBy: null,
        reason: null,
      },
      { name: 'review', displayName: 'Code Review', version: '1.10', userInvocable: false },
      { name: 'sly', description: 'ev\u001b[31mil\ttab\u202e' },
    ])
    const keys = (skills as Record<string, unknown>[]).map(one => Object.keys(one).join())
    expect(new Set(keys).size).toBe(1)
  })

  test('--json --all tells of each what became of it', async () => {
    const { stdout } = await runIn(['list', '--json', '--all'], project())
    expect((JSON.parse(stdout) as Record<string, unknown>[]).slice(3)).toMatchObject([
      {
        name: 'project:deploy',
        state: 'qualified',
        shadowedBy: { name: 'deploy', source: 'user' },
        reason: 'user comes before project.',
      },
      {
        name: 'failed',
        state: 'failed',
        description: null,
        userInvocable: null,
        reason: expect.stringContaining('maybe'),
      },
    ])
  })

  test('nothing found is an empty list, not an error', async () => {
    tree = tempTree()
    expect(await runIn(['list'], { cwd: tree.path })).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await runIn(['list', '--json'], { cwd: tree.path })).toEqual({ code: 0, stdout: '[]\n', stderr: '' })
  })
})

describe('for a person', () => {
  test('it is a table cut to the width of the terminal, and a line about the whole', async () => {
    const { stdout, stderr } = await runIn(['list'], { ...project(), isTerminal: true, columns: 50 })
    expect(plain(stdout)).toBe(
      [
        'NAME    SOURCE   DESCRIPTION',
        'deploy  user     Deploys for the user.',
        'review  project  Reviews a change, line by line,…',
        'sly     project  ev<U+001B>[31mil tab<U+202E>',
        '',
      ].join('\n'),
    )
    for (const line of plain(stdout).split('\n')) expect(line.length).toBeLessThanOrEqual(50)
    expect(plain(stderr)).toBe(`\n${summary.replaceAll(' · ', '\n')}`)
  })

  test('--all says in words what became of each', async () => {
    const { stdout } = await runIn(['list', '--all'], { ...project(), isTerminal: true })
    expect(plain(stdout)).toContain('project:deploy  project  qualified  Deploys the project.\n')
    expect(plain(stdout)).toMatch(/^failed +project +failed +`user-invocable` /m)
  })

  test('--json keeps what a terminal obeys from reaching it', async () => {
    const { stdout } = await runIn(['list', '--json'], { ...project(), isTerminal: true })
    expect(stdout).not.toContain('\u202e')
    expect(JSON.parse(stdout)).toMatchObject([{}, {}, { description: 'ev\u001b[31mil\ttab\u202e' }])
  })

  test('that all is well is said too, and where to look when there is nothing', async () => {
    tree = tempTree({ '.claude/skills/a/SKILL.md': skill('x') })
    expect(plain((await runIn(['list'], { cwd: tree.path, isTerminal: true })).stderr)).toBe('\n1 skill\n')
    tree.remove('.claude')
    expect(plain((await runIn(['list'], { cwd: tree.path, isTerminal: true })).stderr)).toMatch(
      /^0 skills\nRun skills without arguments .*\n$/,
    )
  })
})

test('what is not in the list is counted by its state, each once, as --all has it', async () => {
  tree = tempTree({
    'home/.claude/skills/deploy/SKILL.md': skill('Deploys for the user.'),
    'home/.claude/skills/same/SKILL.md': skill('x'),
    'work/.git': { dir: true },
    'work/.claude/skills/deploy/SKILL.md': skill('Deploys the project.'),
    'work/.claude/skills/same/SKILL.md': skill('x'),
    'work/.claude/skills/old/SKILL.md': skill('Old.'),
    'home/.config/skills/skills.config.json': '{ "overrides": { "old": "off" } }',
  })
  const console = { cwd: `${tree.path}/work`, home: `${tree.path}/home`, isTerminal: true, columns: 120 }
  expect(plain((await runIn(['list'], console)).stderr)).toMatch(
    /^\n2 skills · 1 .* qualified name, 1 .* same .*, 1 disabled: skills list --all\n$/,
  )
  const all = await runIn(['list', '--all', '--json'], { ...console, isTerminal: false })
  expect((JSON.parse(all.stdout) as { state: string }[]).map(({ state }) => state)).toEqual([
    'active',
    'active',
    'qualified',
    'duplicate',
    'disabled',
  ])
  expect(plain((await runIn(['list', '--all'], console)).stderr)).toBe('\n5 skills\n')
  expect((await runIn([], { ...console, columns: 120 })).stdout).toMatch(
    /3 skills active, 1 .*, 1 the same .*, 1 disabled\n/,
  )
})

describe('--source', () => {
  test('shows one source', async () => {
    expect((await runIn(['list', '--source', 'user'], project())).stdout).toBe('deploy\tuser\tDeploys for the user.\n')
    expect((await runIn(['list', '--source', 'managed'], project())).stdout).toBe('')
  })

  test('that does not exist is an error with the closest', async () => {
    expect(await runIn(['list', '--source', 'projct'], project())).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/"projct"\. .* project\?\n$/),
    })
    const { stderr } = await runIn(['list', '--source', 'xyzzy'], project())
    expect(stderr).toMatch(/^skills: .*"xyzzy"\. .* managed, user, project, .*\.\n$/)
  })

  test('is none that legacy commands have in common: each has the source that it lies in', async () => {
    const console = project()
    tree.write({ 'work/.claude/commands/old.md': '---\ndescription: Old.\n---\nOld.' })
    const { code, stdout, stderr } = await runIn(['list', '--source', 'legacy'], console)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^skills: .*"legacy"\. (?:(?!legacy).)*\n$/)
    expect((await runIn(['list', '--source', 'project'], console)).stdout).toContain('old\tproject\tOld.\n')
  })
})
