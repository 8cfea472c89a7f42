import { expect, test } from 'vitest'
import { breadthOf } from './tool-breadth.js'

test.each([
  ['*', 'any-tool', 'high'],
  ['*(x)', 'any-tool', 'high'],
  ['mcp__*', 'any-tool', 'high'],
  ['Bash', 'any-command', 'medium'],
  ['bash', 'any-command', 'medium'],
  ['Bash()', 'any-command', 'medium'],
  ['Bash(*)', 'any-command', 'medium'],
  ['Bash(:*)', 'any-command', 'medium'],
  ['Bash(*:*)', 'any-command', 'medium'],
  ['PowerShell(*)', 'any-command', 'medium'],
  ['Bash(python3.12:*)', 'any-command', 'medium'],
  ['Bash(/usr/bin/env *)', 'any-command', 'medium'],
  ['Bash(git status, sudo *)', 'any-command', 'medium'],
  ['mcp__files', 'allowed-tool', 'medium'],
  ['mcp__files__*', 'allowed-tool', 'medium'],
  ['mcp__files__read', 'allowed-tool', 'low'],
  ['Bash(git *)', 'allowed-tool', 'low'],
  ['Bash(git add:*, git status)', 'allowed-tool', 'low'],
  ['Bash(command -v:*)', 'allowed-tool', 'low'],
  ['Bash(python --version)', 'allowed-tool', 'low'],
  ['Write', 'allowed-tool', 'low'],
  ['WebFetch', 'allowed-tool', 'low'],
  ['Unheard', 'allowed-tool', 'low'],
  ['Read', 'allowed-tool', 'info'],
  ['Read(./docs/*)', 'allowed-tool', 'info'],
])('%s is %s of the level %s', (rule, code, level) => {
  expect(breadthOf(rule)).toMatchObject({ code, level })
})
