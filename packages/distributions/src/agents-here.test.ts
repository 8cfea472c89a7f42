import { afterEach, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { agentsHere } from './agents-here.js'

let tree: TempTree
afterEach(() => tree.dispose())

test.each([
  ['nothing', {}, []],
  ['a folder of the project', { 'project/.claude/settings.json': '{}' }, [['claude-code', 'project/.claude']]],
  ['a file of the project', { 'project/opencode.json': '{}' }, [['opencode', 'project/opencode.json']]],
  ['a folder of the home folder', { 'home/.codex/config.toml': '' }, [['codex', 'home/.codex']]],
  ['a program', { 'bin/gemini': { content: '', mode: 0o755 } }, [['gemini-cli', 'bin/gemini']]],
  [
    'several',
    { 'home/.pi/agent/settings.json': '{}', 'project/CLAUDE.md': '' },
    [
      ['claude-code', 'project/CLAUDE.md'],
      ['pi', 'home/.pi'],
    ],
  ],
  // The common folder is no trace of an agent, nor is a file for all agents.
  ['what agents share', { 'project/.agents/skills/x/SKILL.md': '', 'project/AGENTS.md': '' }, []],
] as const)('agents are recognized by %s', (_what, files, expected) => {
  tree = tempTree({ 'project/.git/HEAD': '', ...files })
  const found = agentsHere(`${tree.path}/project`, {
    home: `${tree.path}/home`,
    env: { PATH: `relative:${tree.path}/bin` },
    platform: 'linux',
  })
  expect(found.map(({ name, trace }) => [name, trace])).toEqual(
    expected.map(([name, trace]) => [name, `${tree.path}/${trace}`]),
  )
})

test('folders that a variable moves are looked for where it says', () => {
  tree = tempTree({
    'set/opencode/opencode.json': '{}',
    'claude/settings.json': '{}',
    // Of another time, when the variable was not set.
    'home/.config/other': '',
  })
  const { path } = tree
  const host = { home: `${path}/home`, platform: 'linux' } as const
  const named = (env: Readonly<Record<string, string>>) => agentsHere(`${path}/project`, { ...host, env })
  expect(named({ XDG_CONFIG_HOME: `${path}/set`, CLAUDE_CONFIG_DIR: `${path}/claude` })).toEqual([
    { name: 'claude-code', trace: `${path}/claude` },
    { name: 'opencode', trace: `${path}/set/opencode` },
  ])
  expect(named({})).toEqual([])
})
