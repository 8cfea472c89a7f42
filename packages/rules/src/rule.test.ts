import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeContent, formatRule, parseRule } from './rule.js'

describe('a rule', () => {
  it('is a tool, or a tool with what it is about', () => {
    expect(parseRule('Skill', 'allow')).toEqual({ tool: 'Skill', content: { kind: 'any' } })
    expect(parseRule('Skill(*)', 'allow')).toEqual({ tool: 'Skill', content: { kind: 'any' } })
    expect(parseRule('Skill(deploy)', 'allow')).toEqual({ tool: 'Skill', content: { kind: 'exact', text: 'deploy' } })
    expect(parseRule('Skill(/deploy)', 'deny')).toEqual({ tool: 'Skill', content: { kind: 'exact', text: 'deploy' } })
    expect(parseRule('Skill(acme:*)', 'allow')).toEqual({ tool: 'Skill', content: { kind: 'prefix', text: 'acme' } })
    expect(parseRule('Skill(deploy *)', 'allow')).toEqual({ tool: 'Skill', content: { kind: 'words', text: 'deploy' } })
    expect(parseRule('Bash(git log:*)', 'allow')).toEqual({ tool: 'Bash', content: { kind: 'words', text: 'git log' } })
    expect(parseRule('Bash(git log *)', 'allow')).toEqual({ tool: 'Bash', content: { kind: 'words', text: 'git log' } })
    expect(parseRule(String.raw`Bash(echo \(a\) \* \\)`, 'allow')).toEqual({
      tool: 'Bash',
      content: { kind: 'exact', text: String.raw`echo (a) * \ `.trim() },
    })
    expect(parseRule('Bash(f(x))', 'allow')).toEqual({ tool: 'Bash', content: { kind: 'exact', text: 'f(x)' } })
  })

  it('names a server only where its name cannot be taken for another', () => {
    expect(parseRule('mcp__github__*', 'allow')).toEqual({ tool: 'mcp__github__*', content: { kind: 'any' } })
    expect(parseRule('mcp__github', 'allow')).toEqual({ tool: 'mcp__github__*', content: { kind: 'any' } })
    expect(parseRule('mcp__github__get_*', 'allow')).toEqual({ tool: 'mcp__github__get_*', content: { kind: 'any' } })
    expect(parseRule('Skill(mcp__github__*)', 'allow')).toEqual({
      tool: 'Skill',
      content: { kind: 'start', text: 'mcp__github__' },
    })
    for (const rule of ['mcp__a__b__*', 'Skill(mcp__a__b__*)'])
      expect(parseRule(rule, 'deny'), rule).toHaveProperty('problem', expect.stringContaining('second "__"'))
    expect(parseRule('Skill(mcp__*)', 'allow')).toHaveProperty('problem', 'does not name a server')
  })

  it('allows no tools of just anyone, but may forbid them', () => {
    for (const rule of ['*', 'B*', 'mcp__*']) {
      expect(parseRule(rule, 'allow'), rule).toHaveProperty('problem', expect.stringContaining('of any origin'))
      expect(parseRule(rule, 'deny'), rule).toEqual({ tool: rule, content: { kind: 'any' } })
    }
  })

  it('that does not parse says where and why', () => {
    const problems = [
      '',
      '(x)',
      'Bash(',
      'Bash(git',
      'Bash()',
      'Bash( )',
      'Bash(a) b',
      'Bash(a)(b)',
      'Bash git',
      '9(x)',
    ].map(rule => [rule, parseRule(rule, 'deny')])
    expect(problems).toEqual([
      ['', { problem: 'does not begin with the name of a tool', at: 1, scope: '*' }],
      ['(x)', { problem: 'does not begin with the name of a tool', at: 1, scope: '*' }],
      ['Bash(', { problem: 'has no closing parenthesis', at: 6, scope: 'Bash' }],
      ['Bash(git', { problem: 'has no closing parenthesis', at: 9, scope: 'Bash' }],
      ['Bash()', { problem: 'has nothing between its parentheses', at: 6, scope: 'Bash' }],
      ['Bash( )', { problem: 'has nothing between its parentheses', at: 6, scope: 'Bash' }],
      ['Bash(a) b', { problem: 'continues after its closing parenthesis', at: 8, scope: 'Bash' }],
      ['Bash(a)(b)', { problem: 'continues after its closing parenthesis', at: 8, scope: 'Bash' }],
      ['Bash git', { problem: 'has " " where a parenthesis is expected', at: 5, scope: 'Bash' }],
      ['9(x)', { problem: 'does not begin with the name of a tool', at: 1, scope: '*' }],
    ])
  })

  it('takes an asterisk literally that is no prefix, and says so', () => {
    for (const rule of ['Skill(my-*)', 'Bash(ls*)', 'Bash(git:* push)', 'Skill(a*b:*)']) {
      expect(parseRule(rule, 'allow'), rule).toMatchObject({
        content: { kind: 'exact' },
        doubt: expect.stringContaining('literally'),
      })
    }
    expect(parseRule('Bash(rm*)', 'deny')).toEqual({ tool: 'Bash', content: { kind: 'pattern', text: 'rm*' } })
    expect(parseRule(String.raw`Skill(my-\*)`, 'allow')).toEqual({
      tool: 'Skill',
      content: { kind: 'exact', text: 'my-*' },
    })
  })

  it('never throws, and stands for exactly the text that was escaped into it', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ' ', '(', ')', '*', '\\', ':', '\n', '/', 'é') }), text => {
        const parsed = parseRule(formatRule({ toolName: 'Bash', ruleContent: escapeContent(text) }), 'allow')
        const isPlain = text !== '' && text.trim() === text
        expect('problem' in parsed ? 'refused' : parsed.content).toEqual(isPlain ? { kind: 'exact', text } : 'refused')
        for (const behavior of ['allow', 'deny', 'ask'] as const) expect(() => parseRule(text, behavior)).not.toThrow()
      }),
    )
  })

  it('reads a rule that forbids as a pattern if it names the parameter of the tool', () => {
    expect(parseRule('Skill(skill:*-docs)', 'deny')).toMatchObject({
      content: { kind: 'pattern', text: 'skill:*-docs' },
    })
    expect(parseRule('Skill(skill: *-docs)', 'deny')).toMatchObject({
      content: { kind: 'pattern', text: 'skill:*-docs' },
    })
    expect(parseRule('Skill(skill: deploy)', 'ask')).toMatchObject({ content: { kind: 'exact', text: 'skill:deploy' } })
    expect(parseRule('Skill(skill:*-docs)', 'allow')).toMatchObject({ content: { kind: 'exact' } })
  })

  it('refuses white space before the end of a rule that allows, since the program allows nothing by it', () => {
    expect(parseRule('Skill(deploy :*)', 'allow')).toMatchObject({ problem: expect.stringContaining('white space') })
    expect(parseRule('Skill(deploy :*)', 'deny')).toMatchObject({ content: { kind: 'prefix', text: 'deploy' } })
  })
})
