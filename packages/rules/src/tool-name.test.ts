import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatRule, namesTool, parseRule, toolOf, ToolRules } from './index.js'

test('the tool of a rule is what stands before its parenthesis', () => {
  expect(
    ['Bash(git:*)', 'Read', ' Read ', 'Bash (x)', 'Bash(a\n(b))', 'Bash(', '(x)', '', 'mcp__docs__*', '*'].map(toolOf),
  ).toEqual(['Bash', 'Read', 'Read', 'Bash', 'Bash', 'Bash', '', '', 'mcp__docs__*', '*'])
})

describe.each(['only', 'without'] as const)('in a list of "%s" a rule', mode => {
  const named = (rule: string, tools: readonly string[]): readonly string[] =>
    tools.filter(tool => namesTool(rule, tool, mode))

  test('names the tool that it is about, exactly', () => {
    const tools = ['Read', 'read', 'Reader', 'my.tool']
    expect(
      ['Read', 'Read(x)', ' Read ', 'Read(', 'my.tool', 'my.tool(x)', '', '(Read)'].map(rule => named(rule, tools)),
    ).toEqual([['Read'], ['Read'], ['Read'], ['Read'], ['my.tool'], ['my.tool'], [], []])
  })

  test('names every tool of a server, or those that begin as it says', () => {
    const tools = ['mcp__docs__get', 'mcp__docs__get_all', 'mcp__docs__put', 'mcp__docs2__get', 'mcp__docs', 'Read']
    expect(['mcp__docs', 'mcp__docs__*', 'mcp__docs__get*', 'mcp__docs__get'].map(rule => named(rule, tools))).toEqual([
      ['mcp__docs__get', 'mcp__docs__get_all', 'mcp__docs__put', 'mcp__docs'],
      tools.slice(0, 3),
      tools.slice(0, 2),
      tools.slice(0, 1),
    ])
    expect([
      namesTool('mcp__docs', 'mcp__docs__*', mode),
      namesTool('mcp__docs__*', 'mcp__docs__get_*', mode),
      namesTool('mcp__docs__get_*', 'mcp__docs__*', mode),
    ]).toEqual([true, true, false])
  })
})

test('an asterisk for tools of just anyone stands for them in what to do without, and for nothing in the only tools', () => {
  const tools = ['Read', 'Reader', 'mcp__docs__get', '*']
  const named = (rule: string, mode: 'only' | 'without'): readonly string[] =>
    tools.filter(tool => namesTool(rule, tool, mode))
  expect(['*', 'Read*', '*(x)', 'mcp__*'].map(rule => named(rule, 'without'))).toEqual([
    tools,
    ['Read', 'Reader'],
    tools,
    ['mcp__docs__get'],
  ])
  expect(['*', 'Read*', '*(x)', 'mcp__*', 'mcp__a__b__*'].map(rule => named(rule, 'only'))).toEqual([
    [],
    [],
    [],
    [],
    [],
  ])
})

describe('for any rule and tool', () => {
  const part = fc.constantFrom('a', 'B', '_', '__', '*', '-', 'mcp__', 'mcp__a', '__b')
  const name = fc.array(part, { maxLength: 4 }).map(parts => parts.join(''))
  const inner = fc.constantFrom('', '(x)', '(*)', '()', '(', '(x:*)', '(x) y', ' (x)')
  const rule = fc.tuple(name, inner).map(([tool, rest]) => tool + rest)

  const isSound = (text: string, behavior: 'allow' | 'deny'): boolean => !('problem' in parseRule(text, behavior))

  test('a use falls under a rule of the only tools only if that names its tool', async () => {
    await fc.assert(
      fc.asyncProperty(rule, name, async (text, tool) => {
        const falls = (await new ToolRules('only', [text]).ruleFor({ tool, content: 'x' })) !== undefined
        expect(falls && !namesTool(text, tool, 'only')).toBe(false)
      }),
      { numRuns: 2000 },
    )
  })

  test('a use of a tool that a rule about whole tools names falls under it', async () => {
    await fc.assert(
      fc.asyncProperty(name, name, fc.constantFrom('only' as const, 'without' as const), async (text, tool, mode) => {
        // A bare server name is not a tool of that server. A text that is not a valid rule may still be a tool's name.
        fc.pre(isSound(text, mode === 'only' ? 'allow' : 'deny') && text !== tool)
        const falls = (await new ToolRules(mode, [text]).ruleFor({ tool, content: 'x' })) !== undefined
        expect(namesTool(text, tool, mode) && !falls).toBe(false)
      }),
      { numRuns: 2000 },
    )
  })

  test('a rule that parses is about its tool, or all of the server that it names', () => {
    fc.assert(
      fc.property(rule, fc.constantFrom('allow' as const, 'deny' as const), (text, behavior) => {
        const parsed = parseRule(text, behavior)
        expect('problem' in parsed || parsed.tool === toolOf(text) || parsed.tool === `${toolOf(text)}__*`).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  test('a rule that is written about a tool begins with its name', () => {
    fc.assert(
      fc.property(name, fc.string(), (toolName, ruleContent) => {
        expect(toolOf(formatRule({ toolName, ruleContent }))).toBe(toolName)
      }),
    )
  })
})
