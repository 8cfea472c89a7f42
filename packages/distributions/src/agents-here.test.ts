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
