/* oxlint-disable vitest/no-standalone-expect -- row() makes a test of each */
import { loadResult } from '@skills/core'
import { listedBy, viewsOf } from '@skills/invocation/skill-tool'
import { describe, expect } from 'vitest'
import { row, skill, type Open } from './row.js'
import type { PromptCommand } from '@skills/core'

async function read(open: Open, content: string): Promise<PromptCommand | undefined> {
  const opened = await open({ 'repo/.claude/skills/one/SKILL.md': content })
  const command = (await opened.catalog()).entries.find(({ command: { source } }) => source === 'project')?.command
  return command?.type === 'prompt' ? command : undefined
}

const all = `---
name: one
description: D.
when-to-use: W.
allowed-tools: Read
model: big
effort: high
context: fork
argument-hint: H
arguments: a b
user-invocable: false
disable-model-invocation: true
paths: "*.ts"
version: "1.0"
aliases: other
disallowed-tools: Bash
agent: helper
background: true
hooks:
  Stop:
    - hooks:
        - type: command
          command: ls
shell: powershell
on-shell-error: skip
requires: two
license: MIT
compatibility: C
metadata:
  key: value
own: kept
---
Body.`

/** Returns the names of the fields in `all` that a command has. */
function set(command: PromptCommand | undefined): string {
  if (command === undefined) return 'none'
  const {
    whenToUse,
    allowedTools,
    disallowedTools,
    model,
    effort,
    context,
    agent,
    background,
    hooks,
    shell,
    requires,
    argumentHint,
    argumentNames,
    userInvocable,
    disableModelInvocation,
    paths,
    version,
    aliases,
  } = command
  const { license, compatibility, onShellError } = command
  const found = {
    whenToUse,
    tools: allowedTools.length > 0,
    model,
    effort,
    fork: context === 'fork',
    argumentHint,
    names: argumentNames.length > 0,
    notUser: !userInvocable,
    notModel: disableModelInvocation,
    paths: paths.length > 0,
    version,
    aliases: aliases.length > 0,
    notTools: disallowedTools.length > 0,
    agent,
    background,
    hooks,
    shell: shell !== 'bash',
    onShellError,
    requires: requires.length > 0,
    license,
    compatibility,
  }
  return Object.entries(found)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([key]) => key)
    .join(' ')
}

describe('reading a file', () => {
  row(20, 'SC', 'every field is honoured', async open => {
    expect(set(await read(open, all))).toBe(
      'whenToUse tools model effort fork argumentHint names notUser notModel paths version aliases notTools agent background hooks shell onShellError requires license compatibility',
    )
    expect((await read(open, all))?.metadata).toEqual({ key: 'value', own: 'kept' })
  })
  row(20, 'K', 'these fields are honoured, and no others', async open => {
    expect(set(await read(open, all))).toBe('whenToUse tools model argumentHint notModel version')
  })
  row(20, 'NO', 'name and description are honoured, and no others', async open => {
    expect(set(await read(open, all))).toBe('')
  })
  row(20, 'M', 'these fields are honoured, and no others', async open => {
    expect(set(await read(open, all))).toBe('whenToUse tools fork notUser')
  })
  row(20, 'X', 'all but paths and effort is honoured', async open => {
    expect(set(await read(open, all))).toBe(
      'whenToUse tools model fork argumentHint names notUser notModel version aliases notTools agent background hooks shell onShellError requires license compatibility',
    )
  })
  row(21, 'SCX', 'frontmatter is YAML, repaired where it is none', async open => {
    expect(
      await read(open, '---\nname: one\ndescription: Use when: asked\nallowed-tools:\n  - Read\n---\n'),
    ).toMatchObject({ description: 'Use when: asked', allowedTools: ['Read'] })
  })
  row(21, 'KM', 'frontmatter is lines of key and value, split at the first colon, without nesting', async open => {
    expect(
      await read(open, '---\nname: one\ndescription: "Use when: asked"\nallowed-tools:\n  - Read\n---\nB'),
    ).toMatchObject({ description: 'Use when: asked', allowedTools: [] })
    expect(await read(open, '---\nname: one\ndescription: [1, {\n---\nB')).toMatchObject({ description: '[1, {' })
  })
  row(21, 'KM', 'a block that is never closed makes everything the body', async open => {
    const opened = await open({ 'repo/.claude/skills/one/SKILL.md': '---\nmodel: big\nText.' })
    expect(await opened.text('one')).toContain('---\nmodel: big\nText.')
    expect((await opened.catalog()).errors).toEqual([])
  })
  row(21, 'O', 'a value that holds a colon is text as it stands', async open => {
    for (const value of ['Use when: asked, or http://x: y', '[see: this]', '{use: when}', 'see http://x.y # note']) {
      expect(await read(open, `---\nname: one\ndescription: ${value}\n---\nBody`)).toMatchObject({
        description: value,
        contentLength: 4,
      })
    }
  })
  const [paragraph, heading, neither] = ['First of all.\n\n# Title\n', 'Text.\n\n## Title ##\n', '```\n# code\n```\n']
  const described = async (open: Open, body: string) => (await read(open, `---\nname: one\n---\n${body}`))?.description
  row(22, 'S', 'without a description there is the first paragraph, else the name', async open => {
    expect([await described(open, paragraph), await described(open, '')]).toEqual(['First of all.', 'one'])
  })
  row(22, 'C', 'without a description there is the first heading, else the name', async open => {
    expect([await described(open, heading), await described(open, neither)]).toEqual(['Title', 'one'])
  })
  row(22, 'K', 'without a description there is the first heading, else "Skill"', async open => {
    expect([await described(open, heading), await described(open, neither)]).toEqual(['Title', 'Skill'])
  })
  row(22, 'MX', 'without a description there is none', async open => {
    expect(await described(open, paragraph)).toBe('')
  })
  row(22, 'O', 'without a description there is no skill', async open => {
    expect(await described(open, paragraph)).toBeUndefined()
  })
  const flagged = async (open: Open, field: string, value: string) =>
    read(open, `---\nname: one\ndescription: D.\n${field}: ${value}\n---\n`)
  row(23, 'SCX', 'flags are boolean-like, and anything else is an error', async open => {
    expect((await flagged(open, 'user-invocable', 'No'))?.userInvocable).toBe(false)
    expect((await flagged(open, 'user-invocable', '1'))?.userInvocable).toBe(true)
    expect(await flagged(open, 'user-invocable', 'perhaps')).toBeUndefined()
  })
  row(23, 'K', 'only "true" is true', async open => {
    expect((await flagged(open, 'disable-model-invocation', 'true'))?.disableModelInvocation).toBe(true)
    expect((await flagged(open, 'disable-model-invocation', 'yes'))?.disableModelInvocation).toBe(false)
  })
  row(23, 'M', 'only "false" is false', async open => {
    expect((await flagged(open, 'user-invocable', 'false'))?.userInvocable).toBe(false)
    expect((await flagged(open, 'user-invocable', 'no'))?.userInvocable).toBe(true)
  })
  const tools = async (open: Open, value: string) => (await flagged(open, 'allowed-tools', value))?.allowedTools
  row(24, 'SRCX', 'tools are a list, or text split at commas and spaces, never inside parentheses', async open => {
    expect(await tools(open, 'Read Bash(git add:*, git status), Grep')).toEqual([
      'Read',
      'Bash(git add:*, git status)',
      'Grep',
    ])
  })
  row(24, 'SCX', 'tools may be a JSON array as text', async open => {
    expect(await tools(open, '\'["Read", "Grep"]\'')).toEqual(['Read', 'Grep'])
  })
  row(24, 'R', 'a JSON array as text is none: its brackets and quotes are part of the tools', async open => {
    expect(await tools(open, '\'["Read", "Grep"]\'')).toEqual(['["Read"', '"Grep"]'])
  })
  row(24, 'KM', 'tools are a JSON array, or text split at commas and never at spaces', async open => {
    expect(await tools(open, 'Read Me, Grep')).toEqual(['Read Me', 'Grep'])
    expect(await tools(open, '["Read", "Grep"]')).toEqual(['Read', 'Grep'])
  })
  row(24, 'M', 'brackets around what is no JSON are dropped', async open => {
    expect(await tools(open, '[Read, Grep]')).toEqual(['Read', 'Grep'])
  })
  row(24, 'K', 'brackets around what is no JSON are part of the tools', async open => {
    expect(await tools(open, '[Bash(git add:*), Read]')).toEqual(['[Bash(git add:*)', 'Read]'])
  })
  row(24, 'SRCXM', 'brackets around a list of tools are none of them', async open => {
    expect(await tools(open, '[Bash(git add:*), Read]')).toEqual(['Bash(git add:*)', 'Read'])
  })
  const limited: readonly (readonly [field: string, limit: number, reason: string])[] = [
    ['name', 64, 'NameTooLong'],
    ['description', 1024, 'DescriptionTooLong'],
    ['when_to_use', 1024, 'WhenToUseTooLong'],
    ['argument-hint', 256, 'ArgumentHintTooLong'],
  ]
  row(25, 'X', 'a field or a body over its limit in bytes is an error with a reason', async open => {
    for (const [field, limit, reason] of limited) {
      const file = (text: string) => ({
        'repo/.claude/skills/one/SKILL.md': `---\n${field === 'description' ? '' : 'description: D.\n'}${field}: ${text}\n---\n`,
      })
      expect(await (await open(file('x'.repeat(limit)))).names()).toHaveLength(1)
      // Each character has two bytes.
      const { errors } = await (await open(file('é'.repeat(limit / 2 + 1)))).catalog()
      expect(errors.map(({ message }) => message.split(':')[0])).toEqual([
        field === 'name' ? `${reason}(${limit + 2})` : reason,
      ])
    }
    const body = (length: number) => ({
      'repo/.claude/skills/one/SKILL.md': `---\ndescription: D.\n---\n${'x'.repeat(length)}`,
    })
    expect(await (await open(body(15_000))).names()).toHaveLength(1)
    expect((await (await open(body(15_001))).catalog()).errors.map(({ message }) => message.split(':')[0])).toEqual([
      'ContentTooLong',
    ])
  })
  row(25, 'X', 'the name of a folder has the limit of a name', async open => {
    const folder = (name: string) => open({ [`repo/.claude/skills/${name}/SKILL.md`]: '---\ndescription: D.\n---\n' })
    expect(await (await folder('x'.repeat(64))).names()).toHaveLength(1)
    const over = await folder('é'.repeat(35))
    expect([
      await over.names(),
      (await over.catalog()).errors.map(({ code, message }) => [code, message.split(':')[0]]),
    ]).toEqual([[], [['name-too-long', 'NameTooLong(70)']]])
  })
  row(25, 'SRCKNOM', 'the name of a folder has no limit', async open => {
    expect(
      await (await open({ [`repo/.claude/skills/${'x'.repeat(70)}/SKILL.md`]: skill('x'.repeat(70)) })).names(),
    ).toHaveLength(1)
  })
  row(25, 'SRCKNOM', 'a field over its limit is a warning at most and is kept', async open => {
    const command = await read(open, `---\nname: one\ndescription: ${'x'.repeat(2000)}\n---\n${'x'.repeat(20_000)}`)
    expect(command?.description).toHaveLength(2000)
  })
})

describe('who sees what', () => {
  const entries = {
    'repo/.claude/skills/written/SKILL.md': '---\nname: written\ndescription: D.\n---\nB',
    'repo/.claude/skills/derived/SKILL.md': '# Derived\n',
    'repo/.claude/skills/when/SKILL.md': '---\nname: when\nwhen_to_use: W.\n---\n',
    'repo/.claude/skills/silent/SKILL.md':
      '---\nname: silent\nuser-invocable: false\ndisable-model-invocation: true\ndescription: S.\n---\nB',
    'repo/.claude/commands/old.md': '---\ndescription: Old.\n---\nO',
  }
  const views = async (open: Open) => {
    const { skills, distribution } = await open(entries, { bundled: { skills: [] } })
    const { modelVisible, slashVisible, hybrid } = viewsOf(await skills.catalog(), distribution.visibility)
    const names = (list: typeof hybrid) =>
      list
        .filter(({ command }) => command.source === 'project')
        .map(({ name }) => name)
        .sort()
        .join(' ')
    return { modelVisible: names(modelVisible), slashVisible: names(slashVisible), hybrid: names(hybrid) }
  }
  row(30, 'CK', 'described is what an author described or said when to use', async open => {
    expect((await views(open)).modelVisible).toBe('when written')
  })
  row(30, 'S', 'described is what has any description, also of its text, or when to use', async open => {
    expect((await views(open)).modelVisible).toBe('derived when written')
  })
  row(30, 'NOX', 'described is what has any description or when to use', async (open, letter) => {
    expect((await views(open)).modelVisible).toBe('NO'.includes(letter) ? 'silent written' : 'when written')
  })
  row(30, 'M', 'every skill is described', async open => {
    expect((await views(open)).modelVisible).toBe('derived silent when written')
  })
  row(31, 'SCK', 'a model is told of skills alone', async open => {
    expect((await views(open)).modelVisible).not.toContain('old')
  })
  row(31, 'X', 'a model is told of what is no skill too', async open => {
    const { distribution } = await open({})
    const isListed = listedBy(distribution.visibility)
    const command = {
      ...(await import('@skills/core')).promptCommand({
        name: 'old',
        source: 'project',
        description: 'Old.',
        load: () => ({ template: '' }),
      }),
      isSkill: false,
      loadedFrom: 'commands' as const,
    }
    expect(isListed({ name: 'old', command, provider: 'x', override: 'on', isQualified: false })).toBe(true)
  })
  row(31, 'M', 'a model is told of every skill', async open => {
    expect((await views(open)).modelVisible.split(' ')).toHaveLength(4)
  })
  row(32, 'SCK', 'there are three lists of a catalog', async (open, letter) => {
    const silent = 'SCK'.includes(letter) ? 'silent when written' : ''
    expect(await views(open)).toEqual({
      modelVisible: letter === 'S' ? 'derived when written' : 'when written',
      slashVisible: 'old',
      hybrid: letter === 'S' ? 'derived silent when written' : silent,
    })
  })
  row(32, 'NOMX', 'there are three lists of a catalog', async open => {
    const { slashVisible, hybrid } = await views(open)
    expect([slashVisible, hybrid.includes('written')]).toEqual(['', true])
  })
  row(32, 'SRCKNOMX', 'the lists are made once and are new together with the catalog', async open => {
    const {
      skills,
      distribution: { visibility },
    } = await open(entries)
    const first = viewsOf(await skills.catalog(), visibility)
    expect(viewsOf(await skills.catalog(), visibility)).toBe(first)
    skills.invalidate()
    expect(viewsOf(await skills.catalog(), visibility)).not.toBe(first)
  })
  row(33, 'SRCX', 'hidden is what a person may not invoke, and a model is told of it all the same', async open => {
    const opened = await open({
      'repo/.claude/skills/quiet/SKILL.md': '---\nname: quiet\ndescription: Q.\nuser-invocable: false\n---\nB',
    })
    expect((await opened.catalog()).get('quiet')?.command.isHidden).toBe(true)
    expect((await opened.port.listing({})).entries.map(({ name }) => name)).toEqual(['quiet'])
  })
  row(33, 'K', 'every skill is hidden', async open => {
    expect((await read(open, '---\nname: one\ndescription: D.\n---\n'))?.isHidden).toBe(true)
  })
  row(34, 'SRCKNOMX', 'a command that says that it is off is in no list and cannot be looked up', async open => {
    const { defineProvider, promptCommand } = await import('@skills/core')
    const command = {
      ...promptCommand({ name: 'off', source: 'project', description: 'Off.', load: () => ({ template: '' }) }),
      isEnabled: () => false,
    }
    const opened = await open(
      {},
      {
        plugins: [
          defineProvider({
            kind: 'source',
            id: 'own',
            setup: () => ({ source: 'project', list: () => loadResult({ commands: [command] }) }),
          }),
        ],
      },
    )
    const catalog = await opened.catalog()
    expect([
      catalog.lookup('off'),
      (await opened.names()).includes('off from project'),
      (await opened.port.listing({})).entries,
    ]).toEqual([undefined, false, []])
  })
})
