import fc from 'fast-check'
import { expect, test } from 'vitest'
import { covers, ToolRules } from './index.js'

test.each([
  ['Read', 'Read'],
  ['Bash', 'Bash(git:*)'],
  ['Bash(*)', 'Bash(git log)'],
  ['Bash(git:*)', 'Bash(git *)'],
  ['Bash(git:*)', 'Bash(git log:*)'],
  ['Bash(git:*)', 'Bash(git)'],
  ['Bash(git log:*)', 'Bash(timeout 5 git log)'],
  ['Bash(echo a, b)', 'Bash(echo a, b)'],
  ['Bash(cafe\u0301)', 'Bash(caf\u00e9)'],
  ['mcp__docs', 'mcp__docs__*'],
  ['mcp__docs__*', 'mcp__docs'],
  ['mcp__docs', 'mcp__docs__get_*'],
  ['mcp__docs__get_*', 'mcp__docs__get_all'],
  ['Skill(acme:*)', 'Skill(acme)'],
  ['Skill(acme:*)', 'Skill(/acme:deploy)'],
  ['Skill(acme:*)', 'Skill(acme:web:*)'],
  ['Skill(deploy *)', 'Skill(deploy now)'],
  ['Skill(mcp__docs__*)', 'Skill(mcp__docs__a)'],
])('%s covers %s', (rule, other) => {
  expect(covers(rule, other)).toBe(true)
})

test.each([
  ['Read', 'Write'],
  ['Read', 'read'],
  ['Bash(git:*)', 'Bash'],
  ['Bash(git log:*)', 'Bash(git:*)'],
  ['Bash(git:*)', 'Bash(npm:*)'],
  ['Bash(git:*)', 'Bash(gitx:*)'],
  ['Bash(git)', 'Bash(git:*)'],
  ['Bash(git:*)', 'Bash(git log; id)'],
  ['Bash(git:*)', 'Bash(git $(id))'],
  ['Bash(git status)', 'Bash(git  status)'],
  ['Bash(git:*)', 'PowerShell(git log)'],
  ['mcp__docs__get_*', 'mcp__docs'],
  ['mcp__docs', 'mcp__docs2__get'],
  ['Skill(acme:*)', 'Skill(acmes)'],
  ['Skill(deploy *)', 'Skill(deploy:*)'],
  ['Skill(acme:*)', 'Skill(acme *)'],
  ['*', 'Read'],
  ['mcp__*', 'mcp__docs'],
  ['*', '*'],
  ['Bash(git', 'Bash(git'],
  [' Bash ', ' Bash '],
])('%s does not cover %s', (rule, other) => {
  expect(covers(rule, other)).toBe(false)
})

test('what a rule gives, every rule that covers it gives too', async () => {
  const tool = fc.constantFrom('Bash', 'PowerShell', 'Skill', 'Read', 'mcp__a', 'mcp__a__*', 'mcp__a__b', 'mcp__a__b*')
  const part = fc.constantFrom(
    'git',
    'git',
    'log',
    ' ',
    ' ',
    ' ',
    ':',
    '*',
    ':*',
    ' *',
    'x',
    ';',
    '/',
    'timeout 5 ',
    'mcp__',
    'mcp__a__',
    '"',
    '$',
    'é',
    'e\u0301',
  )
  const content = fc.array(part, { maxLength: 6 }).map(parts => parts.join(''))
  const rule = fc.oneof(
    tool,
    fc.tuple(tool, content).map(([name, text]) => `${name}(${text})`),
  )
  const use = fc.record({
    tool: fc.constantFrom('Bash', 'PowerShell', 'Skill', 'Read', 'mcp__a__b', 'mcp__a__bc', 'mcp__a__c'),
    content,
    more: fc.boolean(),
  })
  let covered = 0
  await fc.assert(
    fc.asyncProperty(rule, rule, fc.array(use, { minLength: 1, maxLength: 8 }), async (wide, narrow, uses) => {
      fc.pre(covers(wide, narrow))
      covered++
      const [outer, inner] = [wide, narrow].map(one => new ToolRules('only', [one]))
      // The rule's own text is asked about too, alone and with more after it.
      const own = /\((.*?)(?::\*| \*|\*)?\)$/.exec(narrow)?.[1] ?? ''
      for (const { more, ...one } of uses) {
        for (const text of [one.content, more ? own + one.content : own]) {
          const asked = { ...one, content: text }
          expect(
            (await inner?.ruleFor(asked)) !== undefined && (await outer?.ruleFor(asked)) === undefined,
            JSON.stringify(asked),
          ).toBe(false)
        }
      }
    }),
    { numRuns: 1000 },
  )
  expect(covered).toBe(1000)
})
