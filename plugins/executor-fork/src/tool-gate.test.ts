import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ToolRules } from '@skills/rules'
import { ToolGate } from './tool-gate.js'

const place = { cwd: '/', home: '/', platform: process.platform }

test.each<[string, readonly string[], readonly string[], readonly string[]]>([
  ['the narrower rule about a tool', ['Bash', 'Read'], ['Bash(git:*)', 'Write'], ['Bash(git:*)']],
  ['the command that begins as both say', ['Bash(git:*)'], ['Bash(git log:*)'], ['Bash(git log:*)']],
  [
    'the command that begins as both say, the narrower one first',
    ['Bash(git log:*)', 'Read'],
    ['Bash(git:*)', 'Read'],
    ['Bash(git log:*)', 'Read'],
  ],
  ['nothing of two that have nothing in common', ['Bash(npm:*)'], ['Bash(git:*)'], []],
  ['nothing of a script that no rule of commands gives', ['Bash(git log; id)'], ['Bash(git:*)'], []],
  [
    'nothing of what cannot be understood, which the gate lets nothing through for',
    ['Bash', 'Read'],
    [' Bash ', 'Read'],
    ['Read'],
  ],
  ['the narrower pattern of a server', ['mcp__docs'], ['mcp__docs__get_*', 'mcp__docs2__get'], ['mcp__docs__get_*']],
  ['one tool of a server', ['mcp__docs__get'], ['mcp__docs__*'], ['mcp__docs__get']],
  ['all of a server, written in two ways', ['mcp__docs'], ['mcp__docs__*'], ['mcp__docs__*']],
  ['nothing of what names no server', ['mcp__*', '*'], ['mcp__docs', 'Read'], []],
])('a runner hears of two lists %s', (_what, one, other, common) => {
  const gate = new ToolGate([
    { of: 'the one', only: one },
    { of: 'the other', only: other },
  ])
  expect(gate.toolLimits.only).toEqual(common)
})

test('what a runner is told to offer and what the gate lets through are the same for tools of just anyone', async () => {
  const gate = new ToolGate([
    { of: 'the one', only: ['mcp__*'] },
    { of: 'the other', only: ['mcp__docs'] },
  ])
  expect(gate.toolLimits.only).toEqual([])
  expect(await gate.refuses({ tool: 'mcp__docs__get', content: '' }, place)).toMatchObject({ of: 'the one' })
})

test('a runner hears nothing of a rule that cannot be understood, of one list either', () => {
  const gate = new ToolGate([{ of: 'the one', only: ['*', 'mcp__*', 'Bash(git', 'Read'] }])
  expect(gate.toolLimits.only).toEqual(['Read'])
})

test('a runner does without the whole tool where what to do without cannot be understood', async () => {
  const gate = new ToolGate([
    { of: 'the one', without: ['Bash(rm', 'Read(x)'] },
    { of: 'the other', without: ['Bash(rm'] },
  ])
  expect(gate.toolLimits).toEqual({ only: undefined, without: ['Bash', 'Read(x)'] })
  expect(await gate.refuses({ tool: 'Bash', content: 'ls' }, place)).toBeDefined()
})

test('what the list of a runner gives, all lists give', async () => {
  const rule = fc.constantFrom(
    'Read',
    'Bash',
    'Bash(git:*)',
    'Bash(git log:*)',
    'Bash(git log)',
    'Bash(git log; id)',
    'Bash(npm:*)',
    'Bash(git:*, npm test)',
    'Bash(x',
    '*',
    'mcp__a',
    'mcp__a__get_*',
    'mcp__a__get_x',
    'mcp__*',
    'Skill(acme:*)',
    'Skill(acme *)',
    'Skill(acme:web)',
    'Skill',
  )
  const use = fc.record({
    tool: fc.constantFrom('Read', 'Bash', 'mcp__a__get_x', 'mcp__a__put', 'mcp__b__get_x', 'Skill'),
    content: fc.constantFrom(
      'git',
      'git log',
      'git log -5',
      'git log; id',
      'timeout 5 git log',
      'npm test',
      'npm',
      'acme',
      'acme:web',
      'acme now',
      'x',
    ),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(rule, { maxLength: 5 }), { minLength: 1, maxLength: 3 }),
      fc.array(use, { minLength: 5, maxLength: 20 }),
      async (lists, uses) => {
        const gate = new ToolGate(lists.map(only => ({ of: 'one of them', only })))
        const told = new ToolRules('only', gate.toolLimits.only ?? [])
        for (const one of uses)
          expect(
            (await told.ruleFor(one)) !== undefined && (await gate.refuses(one, place)) !== undefined,
            JSON.stringify(one),
          ).toBe(false)
        expect(told.problems).toEqual([])
      },
    ),
    { numRuns: 1000 },
  )
})
