import { afterEach, expect, test } from 'vitest'
import { tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { runIn, type Console } from '../../../test/console.js'

let tree: TempTree
afterEach(() => tree.dispose())

const skill = (description: string): string => `---\ndescription: ${description}\n---\nDo it.\n`

function project(more: TreeEntries = {}): Console {
  tree = tempTree({
    'work/.git/HEAD': '',
    'work/.claude/skills/deploy/SKILL.md': skill('Ships the service to staging.'),
    'work/.claude/skills/rollback/SKILL.md': skill('Takes a release of the service back.'),
    'home/.keep': '',
    ...more,
  })
  return { cwd: `${tree.path}/work`, home: `${tree.path}/home` }
}

test('tells of each agent how its model is told of the skills', async () => {
  const { code, stdout } = await runIn(['eval', '--for', 'claude-code,codex'], project())
  expect(stdout.split('\n')).toEqual([
    'agent        window  whole  cut  name only  kept  never told',
    'claude-code  200000      2    0          0     0           0',
    'codex        200000      0    0          0     0           2',
    expect.stringMatching(/^deploy {2}never .* codex$/),
    expect.stringMatching(/^rollback {2}never .* codex$/),
    '',
  ])
  expect(code).toBe(0)
})

test('of a skill that loses a query it says to which, and ends with 1', async () => {
  const cases = JSON.stringify([{ query: 'take the release back', should_trigger: true }])
  const there = project({ 'work/.claude/skills/deploy/evals/evals.json': cases })
  const { code, stdout } = await runIn(['eval', 'deploy', '--for', 'claude-code'], there)
  expect(stdout).toContain('claude-code (200000): whole\n')
  expect(stdout).toMatch(/"take the .* back": not found, .* rollback/)
  expect(code).toBe(1)
  expect((await runIn(['eval', 'rollback', '--for', 'claude-code'], there)).code).toBe(0)
  const { stdout: json } = await runIn(['eval', '--for', 'claude-code', '--json'], there)
  expect(JSON.parse(json)).toMatchObject({
    level: 'routing',
    routing: { agents: [{ agent: 'claude-code', whole: 2 }], skills: [{ name: 'deploy' }, { name: 'rollback' }] },
  })
})

test('names cases that cannot be used with their line, and measures nothing', async () => {
  const there = project({ 'work/.claude/skills/deploy/evals/evals.json': '[\n{"query": "x"}]' })
  const { code, stdout, stderr } = await runIn(['eval'], there)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain('evals/evals.json:2:1')
  expect(stderr).toContain('needs "should_trigger": true or false')
})

test('--overlap has the skills that are near in words', async () => {
  const there = project({ 'work/.claude/skills/ship/SKILL.md': skill('Ships the service to staging.') })
  const { stdout } = await runIn(['eval', '--overlap'], there)
  expect(stdout).toMatch(/^ \d\d % {2}deploy {2}ship\n/)
})

test.each([
  ['--overlap', '--for=codex'],
  ['deploy', '--overlap'],
  ['--model=openai/x', '--overlap'],
  ['--model=openai/x', '--for=codex'],
  ['deploy', '--model=openai/x', '--against=SKILL.md', '--threshold=0.8'],
])('refuses options that do nothing beside another: eval %s %s', async (...argv) => {
  expect(await runIn(['eval', ...argv], project())).toMatchObject({ code: 2, stdout: '' })
})
