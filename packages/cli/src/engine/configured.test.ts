import { afterEach, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { runIn, type Console } from '../../test/console.js'

let tree: TempTree
afterEach(() => tree.dispose())

const skill = '---\ndescription: Does it.\n---\nDone.\n'

function project(configuration: Readonly<Record<string, string>>): Console {
  tree = tempTree({
    'home/.keep': '',
    'work/.git': { dir: true },
    'work/.claude/skills/deploy/SKILL.md': skill,
    'work/.claude/skills/old/SKILL.md': skill,
    'work/tools/.claude-plugin/plugin.json': '{"name":"tools"}',
    'work/tools/skills/lint/SKILL.md': skill,
    ...configuration,
  })
  return { cwd: `${tree.path}/work`, home: `${tree.path}/home` }
}

async function names(console: Console): Promise<readonly string[]> {
  return (await runIn(['list'], console)).stdout
    .split('\n')
    .flatMap(line => line.split('\t')[0] ?? [])
    .filter(name => name !== '')
}

test("the user's configuration counts, and flags add to it", async () => {
  const console = project({
    'home/.config/skills/skills.config.json': '{ "overrides": { "old": "off" }, "additional": ["more"] }',
    'home/.config/skills/more/.claude/skills/extra/SKILL.md': skill,
  })
  expect(await names(console)).toEqual(['deploy', 'extra'])
  expect((await runIn(['list', '--plugin-dir', `${tree.path}/work/tools`], console)).stdout).toContain('tools:lint')
})

test("a project's configuration counts once its folder is trusted, and until then a line says that it does not", async () => {
  const console = project({
    'work/skills.config.mjs': "export default () => ({ overrides: { old: 'off' }, plugins: ['tools'] })",
  })
  expect(await names(console)).toEqual(['deploy', 'old'])
  expect((await runIn([], console)).stdout).toContain('not trusted')
  expect(await runIn(['trust', '--yes'], console)).toMatchObject({ code: 0 })
  expect(await names(console)).toEqual(['deploy', 'tools:lint'])
})

test('rules of a configuration hold in a run, beside those of flags', async () => {
  const console = project({ 'work/skills.config.json': '{ "rules": { "deny": ["Skill(deploy)"] } }' })
  expect(await runIn(['run', 'deploy'], console)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('skills.config.json') as string,
  })
  expect((await runIn(['run', 'old', '--deny', 'Skill(old)'], console)).code).toBe(1)
})

test('servers are not asked, and that is said', async () => {
  const console = project({
    'home/.config/skills/skills.config.json': '{ "servers": { "notes": { "url": "http://127.0.0.1:1/" } } }',
  })
  expect((await runIn([], console)).stdout).toMatch(/ notes .*not shown/)
})

test('servers of plugins are not asked either', async () => {
  const console = project({
    'home/.config/skills/skills.config.json': '{ "plugins": [{ "path": "./acme", "servers": ["db"] }] }',
  })
  expect((await runIn([], console)).stdout).toMatch(/ db .*not shown/)
})

test('one that is broken is told of with its place', async () => {
  const console = project({ 'home/.config/skills/skills.config.json': '{\n "overrides": { "old": "of" }\n}' })
  expect((await runIn([], console)).stdout).toMatch(/skills\.config\.json:2\s+error/)
})
