import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { allowsNothing } from './allows-nothing.js'
import { parseRule } from './rule.js'
import { strictProbe } from './probe.js'
import { RuleSet } from './rule-set.js'

/** True if one rule allows a command, with `*` standing for any text anywhere. */
function allows(rule: string, content: string): boolean {
  const parsed = parseRule(rule, 'allow', { asterisks: 'anywhere' })
  if ('problem' in parsed) return false
  const set = new RuleSet([{ behavior: 'allow', text: rule, source: 'test', ...parsed }], {
    prefix: 'text-or-words',
    wins: 'first',
    form: text => text,
  })
  return set.find(strictProbe({ tool: 'Bash', content })) !== undefined
}

test.each([
  ['Bash(*touch*)', 'touch a.txt', true],
  ['Bash(git status*)', 'git status --short', true],
  ['Bash(git status*)', 'git status', true],
  ['Bash(git log * -- src)', 'git log -5 -- src', true],
  ['Bash(~/.claude/skills/x/scripts/*)', '~/.claude/skills/x/scripts/run.sh now', true],
  ['Bash(./scripts/*)', './scripts/../../bin/x', false],
  ['Bash(* --version)', 'git --version', true],
  ['Bash(* --version)', 'rm -r x --version', false],
  ['Bash(*touch*)', 'rm touch', false],
  ['Bash(git status*)', 'git status; rm x', false],
  ['Bash(git*)', 'git -c core.pager=x log', false],
  ['Bash(find *)', 'find . -delete', false],
  ['Bash(find*)', 'find . -delete', false],
  ['Bash(npm run *:*)', 'npm run test:unit', false],
  ['Bash(a?c*)', 'abc', false],
  [String.raw`Bash(echo \* *)`, 'echo x y', false],
])('with an asterisk anywhere %s allows %s: %s', (rule, command, isAllowed) => {
  expect(allows(rule, command)).toBe(isAllowed)
})

describe('a rule grants what a plain reading of it gives, and no more', () => {
  /** Evaluates a rule simply: `*` is any text; ` *` and `:*` at the end are further words. */
  function plainly(rule: string, command: string): boolean {
    const content = /^Bash\(([^]*)\)$/.exec(rule)?.[1]
    if (rule === 'Bash' || content === '*') return true
    if (content === undefined || content.trim() !== content || content === '') return false
    const start = /^([^]+?)(?::| )\*$/.exec(content)?.[1]
    if (start !== undefined && !start.includes('*')) return command === start || command.startsWith(`${start} `)
    const pattern = content
      .split('*')
      .map(piece => piece.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('[^]*')
    return new RegExp(`^${pattern}$`).test(command)
  }

  it('in any white space, quotes, brackets and letters', () => {
    const piece = fc.constantFrom(
      'touch',
      'a',
      ' ',
      '*',
      ':',
      '(',
      ')',
      '"',
      "'",
      '[',
      ']',
      ',',
      '\n',
      '\t',
      '\u00a0',
      'Touch',
      '.',
      '/',
    )
    const around = fc.constantFrom('', ' ', '"', '["', '\n', '(', '\t', '\u2003', "'")
    const tool = fc.constantFrom('Bash', 'bash', 'BASH', 'Bash ', ' Bash', 'Bash\u200b')
    fc.assert(
      fc.property(tool, fc.array(piece, { maxLength: 6 }), around, around, (name, pieces, before, after) => {
        const rule = `${before}${name}(${pieces.join('')})${after}`
        for (const command of ['touch a', 'touch', 'a', 'touch a.', 'a touch'])
          expect(allows(rule, command) && !plainly(rule, command), `${JSON.stringify(rule)} ${command}`).toBe(false)
      }),
      { numRuns: 3000, seed: 1 },
    )
  })

  it('not to a name with white space around it', () => {
    for (const rule of [
      'Skill( s )',
      'Skill(s )',
      'Bash( touch:* )',
      'Read( ./x )',
      '["Bash(touch:*)"]',
      'Bash(a)\nBash(b)',
    ])
      expect(parseRule(rule, 'allow'), rule).toHaveProperty('problem')
    expect(parseRule('Skill( s )', 'deny')).toEqual({ tool: 'Skill', content: { kind: 'exact', text: 's' } })
  })
})

test('a rule that allows nothing is told with what to write', () => {
  expect(allowsNothing('Bash(git status*)')).toMatchObject({ instead: 'Bash(git status:*)', isAnywhere: true })
  expect(allowsNothing('Bash(~/x/scripts/*)')).toMatchObject({ instead: undefined, isAnywhere: true })
  expect(allowsNothing('Bash( touch:* )')).toMatchObject({ instead: 'Bash(touch:*)', isAnywhere: false })
  expect(allowsNothing('Read(./*.{md,ts})')).toMatchObject({ isAnywhere: false })
  for (const rule of ['Bash(git:*)', 'Read', 'Read(./src/**)', 'Skill(a:*)', 'mcp__x'])
    expect(allowsNothing(rule)).toBeUndefined()
})
