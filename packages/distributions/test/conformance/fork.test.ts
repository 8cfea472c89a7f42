/* oxlint-disable vitest/no-standalone-expect -- row() makes a test of each */
import { defineProvider } from '@skills/core'
import { decide, type RunRequest } from '@skills/invocation'
import { existsSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { row, skill } from './row.js'

/** Makes a runner that does one thing and answers, and records its requests. */
function recorder(text = 'Done.', during: (request: RunRequest) => Promise<void> = async () => {}) {
  const asked: RunRequest[] = []
  const runner = defineProvider({
    kind: 'runner',
    id: 'recorder',
    setup: () => ({
      async run(request: RunRequest) {
        asked.push(request)
        await during(request)
        return { text }
      },
    }),
  })
  return { asked, plugins: [runner] }
}

const forked = (more = '') => ({
  'repo/.claude/skills/one/SKILL.md': skill('one', `context: fork\n${more}`, 'Do $ARGUMENTS.'),
})
const said = ({ messages }: RunRequest) =>
  messages.map(blocks => blocks.map(block => (block.type === 'text' ? block.text : '')).join(''))

describe('sub-agents and hooks', () => {
  row(
    57,
    'M',
    'a fork has the skill as its system prompt and the arguments as its message, or a line in their place',
    async open => {
      const { asked, plugins } = recorder('')
      const opened = await open(forked(), { plugins })
      const tool = await opened.tool()
      const outcome = await tool.call({ skill_name: 'one', args: 'this' })
      await tool.call({ skill_name: 'one' })
      expect(asked.map(({ system }) => system)).toEqual(['Do this.', 'Do .'])
      expect(asked.map(said)).toEqual([['this'], ['Execute this skill task.']])
      expect(asked[0]?.tools).toEqual({ only: undefined, without: ['agent'] })
      expect(tool.toToolResult({ outcome }, 't').content).toBe('(Skill produced no output)')
    },
  )
  row(57, 'M', 'a fork may do no more than its parent', async open => {
    const answers: unknown[] = []
    const { plugins } = recorder('Done.', async ({ authorize }) => {
      for (const tool of ['Read', 'Bash', 'Write'])
        answers.push((await authorize({ tool, content: 'x', input: {} })).behavior)
    })
    const questions: string[] = []
    const onAsk = ({ request: { tool } }: { readonly request: { readonly tool: string } }) => {
      questions.push(tool)
      return 'deny' as const
    }
    const opened = await open(forked('allowed-tools: Read, Bash\n'), { plugins, onAsk, rules: { allow: ['Read'] } })
    await (await opened.tool()).call({ skill_name: 'one' })
    // A tool that the parent is allowed, one it is asked about, and one that the skill's own list leaves out. The
    // parent is asked about one of them.
    expect([answers, questions]).toEqual([['allow', 'deny', 'deny'], ['Bash']])
  })
  row(57, 'M', 'a list of tools is what a fork has, and without one it has all but agents', async open => {
    const { asked, plugins } = recorder()
    const listed = await (await open(forked('allowed-tools: Read, Bash\n'), { plugins })).tool()
    await listed.call({ skill_name: 'one' })
    const all = await (await open(forked(), { plugins })).tool()
    await all.call({ skill_name: 'one' })
    expect(asked.map(({ tools }) => tools)).toEqual([
      { only: ['Read', 'Bash'], without: [] },
      { only: undefined, without: ['agent'] },
    ])
  })
  row(57, 'M', 'the result of a fork is its text alone', async open => {
    const { plugins } = recorder('First\nand last.')
    const tool = await (await open(forked(), { plugins })).tool()
    const outcome = await tool.call({ skill_name: 'one' })
    expect(tool.toToolResult({ outcome }, 't').content).toBe('First\nand last.')
  })
  row(75, 'R', 'a fork keeps all tools, and uses those that its trusted skill lists unasked', async open => {
    const answers: string[] = []
    const { asked, plugins } = recorder('Done.', async ({ authorize }) => {
      for (const tool of ['Read', 'Write']) answers.push((await authorize({ tool, content: '/x', input: {} })).behavior)
    })
    const questions: string[] = []
    const onAsk = ({ request: { tool } }: { readonly request: { readonly tool: string } }) => {
      questions.push(tool)
      return tool === 'Skill' ? ('allow' as const) : ('deny' as const)
    }
    const opened = await open(forked('allowed-tools: Read\n'), { plugins, onAsk })
    // Also if a person typed it: the calls are those of a model.
    for (const caller of ['model', 'user'] as const) await opened.invoker.invoke({ name: 'one', caller })
    expect(asked.map(({ tools }) => tools.only)).toEqual([undefined, undefined])
    expect(answers).toEqual(['allow', 'deny', 'allow', 'deny'])
    expect(questions.filter(tool => tool !== 'Skill')).toEqual(['Write', 'Write'])
  })
  row(
    75,
    'SRCX',
    'a skill runs in a sub-agent whose first message is its body alone, and the result has the text',
    async open => {
      const { asked, plugins } = recorder('First\nand last.')
      const opened = await open(forked(), { plugins, text: { header: false } })
      const tool = await opened.tool()
      const outcome = await tool.call({ skill: 'one', args: 'this' })
      expect(asked.map(said)).toEqual([['Do this.']])
      expect(tool.toToolResult({ outcome }, 't').content).toBe(
        'Skill "one" completed (forked execution).\n\nResult:\nFirst\nand last.',
      )
      expect(outcome.newMessages).toEqual([])
    },
  )
  row(75, 'SRC', 'the line of the base directory belongs to that body', async open => {
    const { asked, plugins } = recorder()
    const opened = await open(forked(), { plugins })
    await (await opened.tool()).call({ skill: 'one', args: 'this' })
    expect(asked.map(said)).toEqual([
      [`Base directory for this skill: ${opened.tree.path}/repo/.claude/skills/one\n\nDo this.`],
    ])
  })
  row(75, 'X', 'nothing precedes that body', async open => {
    const { asked, plugins } = recorder()
    await (await (await open(forked(), { plugins })).tool()).call({ skill: 'one', args: 'this' })
    expect(asked.map(said)).toEqual([['Do this.']])
  })
  row(
    75,
    'SRCX',
    'a skill that a person invokes runs in a sub-agent too, and one without a text has a line in its place',
    async open => {
      const { asked, plugins } = recorder('')
      const opened = await open(
        { ...forked(), 'repo/.claude/skills/two/SKILL.md': skill('two', '', 'Here.') },
        { plugins },
      )
      const { data, newMessages } = await opened.invoker.invoke({ name: 'one', args: 'this', caller: 'user' })
      expect(data).toMatchObject({
        success: true,
        status: 'forked',
        commandName: 'one',
        agentId: asked[0]?.agentId,
        result: expect.stringMatching(/./),
      })
      expect(newMessages).toEqual([])
      expect([await opened.text('two'), asked.length]).toEqual([expect.stringContaining('Here.'), 1])
    },
  )
  row(75, 'KNO', 'no skill runs in a sub-agent', async open => {
    const { asked, plugins } = recorder()
    const opened = await open(forked(), { plugins })
    expect(await opened.text('one')).toContain('Do $ARGUMENTS.')
    const outcome = await (await opened.tool()).call({ [opened.distribution.tool.nameParameter ?? 'skill']: 'one' })
    expect(outcome.data.status).toBe('inline')
    expect(asked).toEqual([])
  })
  const hooking = {
    'repo/.claude/skills/one/SKILL.md': skill(
      'one',
      'hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: "touch asked; echo no >&2; exit 2"\n',
    ),
  }
  row(76, 'SRCX', 'hooks of a skill are asked once it was invoked, and may block', async open => {
    const opened = await open(hooking)
    await opened.catalog()
    expect((await decide(opened.skills, 'PreToolUse', { toolName: 'Bash', toolInput: {} })).block).not.toBe(true)
    await opened.text('one')
    expect((await decide(opened.skills, 'PreToolUse', { toolName: 'Read', toolInput: {} })).block).not.toBe(true)
    expect(await decide(opened.skills, 'PreToolUse', { toolName: 'Bash', toolInput: {} })).toMatchObject({
      block: true,
      reason: 'no',
    })
  })
  row(76, 'KNOM', 'there are no hooks of skills', async open => {
    const opened = await open(hooking)
    await opened.text('one')
    expect((await decide(opened.skills, 'PreToolUse', { toolName: 'Bash', toolInput: {} })).block).not.toBe(true)
    expect(existsSync(`${opened.tree.path}/repo/asked`)).toBe(false)
  })
  const askedInFork = async (open: Parameters<Parameters<typeof row>[3]>[0]) => {
    const answers: unknown[] = []
    const { plugins } = recorder(
      'Done.',
      async ({ authorize }) => void answers.push(await authorize({ tool: 'Bash', content: 'ls', input: {} })),
    )
    const file = 'repo/.claude/skills/one/SKILL.md'
    const opened = await open(
      { [file]: hooking[file].replace('hooks:', 'context: fork\nhooks:') },
      { plugins, rules: { allow: ['Bash'] } },
    )
    await (await opened.tool()).call({ skill: 'one' })
    expect((await decide(opened.skills, 'PreToolUse', { toolName: 'Bash', toolInput: {} })).block).not.toBe(true)
    return answers
  }
  row(76, 'SCX', 'hooks of a skill that runs in a sub-agent are those of the sub-agent', async open => {
    expect(await askedInFork(open)).toMatchObject([{ behavior: 'deny', message: expect.stringContaining('no') }])
  })
  row(76, 'R', 'hooks of a skill that runs in a sub-agent do not run', async open => {
    expect(await askedInFork(open)).toMatchObject([{ behavior: 'allow' }])
  })
})
