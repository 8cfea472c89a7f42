/* oxlint-disable vitest/no-standalone-expect -- row() makes a test of each */
import { defineProvider } from '@skills/core'
import { decide, type RunRequest } from '@skills/invocation'
import { existsSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { row, skill } from './row.js'

/** A runner that answers at once, and what it was asked. */
function recorder(text = 'Done.') {
  const asked: RunRequest[] = []
  const runner = defineProvider({
    kind: 'runner', id: 'recorder', setup: () => ({
      run(request: RunRequest) {
        asked.push(request)
        return { text }
      },
    }),
  })
  return { asked, plugins: [runner] }
}

const forked = (more = '') => ({ 'repo/.claude/skills/one/SKILL.md': skill('one', `context: fork\n${more}`, 'Do $ARGUMENTS.') })
const said = ({ messages }: RunRequest) => messages.map(blocks => blocks.map(block => block.type === 'text' ? block.text : '').join(''))

describe('sub-agents and hooks', () => {
  row(57, 'M', 'a fork has the skill as its system prompt and the arguments as its message, or a line in their place', async open => {
    const { asked, plugins } = recorder('')
    const opened = await open(forked(), { plugins })
    const tool = await opened.tool()
    const outcome = await tool.call({ skill_name: 'one', args: 'this' })
    await tool.call({ skill_name: 'one' })
    expect(asked.map(({ system }) => system)).toEqual(['Do this.', 'Do .'])
    expect(asked.map(said)).toEqual([['this'], ['Execute this skill task.']])
    expect(asked[0]?.tools).toEqual({ only: undefined, without: ['agent'] })
    expect(tool.toToolResult({ outcome }, 't').content).toContain('(Skill produced no output)')
  })
  row(57, 'M', 'a fork may do no more than its parent', async open => {
    const { asked, plugins } = recorder()
    const opened = await open(forked(), { plugins, onAsk: () => 'deny' })
    await (await opened.tool()).call({ skill_name: 'one' })
    expect(await asked[0]?.authorize({ tool: 'Bash', content: 'ls', input: {} })).toMatchObject({ behavior: 'deny' })
  })
  row(75, 'SCX', 'a skill runs in a sub-agent whose first message is its body alone, and the result has the text', async open => {
    const { asked, plugins } = recorder('First\nand last.')
    const opened = await open(forked(), { plugins, text: { header: false } })
    const tool = await opened.tool()
    const outcome = await tool.call({ skill: 'one', args: 'this' })
    expect(asked.map(said)).toEqual([['Do this.']])
    expect(tool.toToolResult({ outcome }, 't').content).toBe('Skill "one" completed (forked execution).\n\nResult:\nFirst\nand last.')
    expect(outcome.newMessages).toEqual([])
  })
  row(75, 'SC', 'the line of the base directory belongs to that body', async open => {
    const { asked, plugins } = recorder()
    const opened = await open(forked(), { plugins })
    await (await opened.tool()).call({ skill: 'one', args: 'this' })
    expect(asked.map(said)).toEqual([[`Base directory for this skill: ${opened.tree.path}/repo/.claude/skills/one\n\nDo this.`]])
  })
  row(75, 'X', 'nothing precedes that body', async open => {
    const { asked, plugins } = recorder()
    await (await (await open(forked(), { plugins })).tool()).call({ skill: 'one', args: 'this' })
    expect(asked.map(said)).toEqual([['Do this.']])
  })
  row(75, 'KO', 'no skill runs in a sub-agent', async open => {
    const { asked, plugins } = recorder()
    const opened = await open(forked(), { plugins })
    expect(await opened.text('one')).toContain('Do $ARGUMENTS.')
    expect(asked).toEqual([])
  })
  const hooking = { 'repo/.claude/skills/one/SKILL.md': skill('one', 'hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: "touch asked; echo no >&2; exit 2"\n') }
  row(76, 'SCX', 'hooks of a skill are asked once it was invoked, and may block', async open => {
    const opened = await open(hooking)
    await opened.text('one')
    expect(await decide(opened.skills, 'PreToolUse', { toolName: 'Bash', toolInput: {} })).toMatchObject({ block: true, reason: 'no' })
  })
  row(76, 'KOM', 'there are no hooks of skills', async open => {
    const opened = await open(hooking)
    await opened.text('one')
    expect((await decide(opened.skills, 'PreToolUse', { toolName: 'Bash', toolInput: {} })).block).not.toBe(true)
    expect(existsSync(`${opened.tree.path}/repo/asked`)).toBe(false)
  })
})
