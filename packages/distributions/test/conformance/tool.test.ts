/* oxlint-disable vitest/no-standalone-expect -- row() makes a test of each */
import { defineProvider, loadResult, promptCommand, type CatalogEntry } from '@skills/core'
import { preloadSkills, type Outcome } from '@skills/invocation'
import { existsSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { modelText, row, skill, type Open, type Opened } from './row.js'

const one = { 'repo/.claude/skills/one/SKILL.md': skill('one') }
const risky = {
  'repo/.claude/skills/one/SKILL.md':
    '---\nname: one\ndescription: About one.\nallowed-tools: Bash\nmodel: big[1m]\n---\nText.',
}
const denying = { onAsk: () => 'deny' as const }
const nameOf: Readonly<Record<string, string>> = { N: 'name', O: 'name', M: 'skill_name' }
const inputFor = (letter: string, name: string) => ({ [nameOf[letter] ?? 'skill']: name })

/** Returns the text that the model gets when it invokes the skill `one`. */
async function again(opened: Opened, args = ''): Promise<string> {
  const tool = await opened.tool()
  const outcome = await tool.call({ ...inputFor(opened.letter, 'one'), args })
  return modelText(outcome) || tool.toToolResult({ outcome }, 't').content
}

async function called(opened: Opened, name = 'one'): Promise<string> {
  const tool = await opened.tool()
  return tool.toToolResult({ outcome: await tool.call(inputFor(opened.letter, name)) }, 't').content
}

describe('the tool and the invocation', () => {
  row(50, 'SRCX', 'the tool is Skill { skill, args? }', async open => {
    const { name, inputSchema } = await (await open({})).tool()
    expect([name, Object.keys(Object(inputSchema['properties'])), inputSchema['required']]).toEqual([
      'Skill',
      ['skill', 'args'],
      ['skill'],
    ])
  })
  row(50, 'K', 'the tool is Skill { skill }', async open => {
    const { name, inputSchema } = await (await open({})).tool()
    expect([name, Object.keys(Object(inputSchema['properties']))]).toEqual(['Skill', ['skill']])
  })
  row(50, 'NO', 'the tool is skill { name }', async open => {
    const { name, inputSchema } = await (await open({})).tool()
    expect([name, Object.keys(Object(inputSchema['properties']))]).toEqual(['skill', ['name']])
  })
  row(50, 'M', 'the tool is skill { skill_name, args? }', async open => {
    const { name, inputSchema } = await (await open({})).tool()
    expect([name, Object.keys(Object(inputSchema['properties'])), inputSchema['required']]).toEqual([
      'skill',
      ['skill_name', 'args'],
      ['skill_name'],
    ])
  })
  row(50, 'SRCKMX', 'the text of the tool says not to name a skill without invoking it', async open => {
    expect((await (await open({})).tool()).description).toContain('Never mention a skill without calling this tool.')
  })
  row(51, 'SRCKNOMX', 'an empty name is 1, an unknown one 2, and a sound one passes', async (open, letter) => {
    const tool = await (await open(one)).tool()
    const code = async (name: string) => {
      const answer = await tool.validateInput(inputFor(letter, name))
      return answer.result ? 0 : answer.errorCode
    }
    expect([await code(' '), await code('nothing'), await code(' /one ')]).toEqual([1, 2, 0])
  })
  row(51, 'SKX', 'one that could not be loaded is 3', async open => {
    const tool = await (
      await open({ 'repo/.claude/skills/bad/SKILL.md': Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0, 0xff]) })
    ).tool()
    expect(await tool.validateInput({ skill: 'bad' })).toMatchObject({ errorCode: 3 })
  })
  row(51, 'RC', 'there is no 3', async open => {
    const tool = await (
      await open({ 'repo/.claude/skills/bad/SKILL.md': Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0, 0xff]) })
    ).tool()
    expect(await tool.validateInput({ skill: 'bad' })).toMatchObject({ errorCode: 2, message: 'Unknown skill: bad' })
  })
  row(51, 'SRCKX', 'one that is not for models is 4', async open => {
    const tool = await (
      await open({ 'repo/.claude/skills/mine/SKILL.md': skill('mine', 'disable-model-invocation: true\n') })
    ).tool()
    expect(await tool.validateInput({ skill: 'mine' })).toMatchObject({ errorCode: 4 })
  })
  row(51, 'SRCNOMX', 'one that is no prompt is 5, and named', async (open, letter) => {
    const tool = await (await open(one, { plugins: [localPlugin()] })).tool()
    expect(await tool.validateInput(inputFor(letter, 'here'))).toMatchObject({
      result: false,
      errorCode: 5,
      message: expect.stringContaining('here'),
    })
  })
  row(51, 'SR', 'what is unknown has close names beside it', async open => {
    expect(await (await (await open(one)).tool()).validateInput({ skill: 'onne' })).toMatchObject({
      message: 'Unknown skill: onne. Did you mean one?',
    })
  })
  row(51, 'CKMX', 'what is unknown has no close names beside it', async (open, letter) => {
    expect(await (await (await open(one)).tool()).validateInput(inputFor(letter, 'onne'))).toMatchObject({
      message: 'Unknown skill: onne',
    })
  })
  row(
    52,
    'RC',
    'a canonical name goes to a remote provider before anything else, and is allowed unless denied',
    async open => {
      const asked: string[] = []
      const opened = await open(one, {
        ...denying,
        rules: { deny: ['Skill(bad)'] },
        port: {
          remote: slug => {
            asked.push(slug)
            return slug === 'none' ? undefined : remoteEntry(slug)
          },
        },
      })
      const tool = await opened.tool()
      expect(await tool.validateInput({ skill: '_canonical_none' })).toMatchObject({ errorCode: 6 })
      expect(await tool.checkPermissions({ skill: '_canonical_good' })).toMatchObject({ behavior: 'allow' })
      expect(await tool.checkPermissions({ skill: '_canonical_bad' })).toMatchObject({ behavior: 'deny' })
      expect(modelText(await tool.call({ skill: '_canonical_good' }))).toBe('Remote text.')
      await expect(tool.call({ skill: '_canonical_bad' })).rejects.toMatchObject({ code: 'E_DENIED' })
      expect(asked).toContain('none')
    },
  )
  row(52, 'RC', 'without a provider such a name is unknown', async open => {
    expect(await (await (await open(one)).tool()).validateInput({ skill: '_canonical_good' })).toMatchObject({
      errorCode: 2,
    })
  })
  row(53, 'SRCKNOMX', 'a denial names its rule, and leave has the input', async (open, letter) => {
    const denied = await (await open(one, { rules: { deny: ['Skill(one)'] } })).tool()
    expect(await denied.checkPermissions(inputFor(letter, 'one'))).toMatchObject({
      behavior: 'deny',
      decisionReason: { type: 'rule', rule: 'Skill(one)' },
    })
    const allowed = await (await open(one, { rules: { allow: ['Skill(one)'] } })).tool()
    expect(await allowed.checkPermissions(inputFor(letter, '/one'))).toMatchObject({
      behavior: 'allow',
      updatedInput: inputFor(letter, 'one'),
    })
  })
  const suggestion = (ruleContent: string) => ({
    type: 'addRules',
    rules: [{ toolName: 'Skill', ruleContent }],
    behavior: 'allow',
    destination: 'localSettings',
  })
  row(53, 'SRC', 'a question suggests the exact name and its prefix', async open => {
    expect(await (await (await open(risky)).tool()).checkPermissions({ skill: 'one' })).toMatchObject({
      behavior: 'ask',
      message: 'Execute skill: one',
      suggestions: [suggestion('one'), suggestion('one:*')],
      metadata: { command: { name: 'one' } },
    })
  })
  row(53, 'K', 'a question suggests the exact name alone', async open => {
    expect(await (await (await open(risky)).tool()).checkPermissions({ skill: 'one' })).toMatchObject({
      message: 'Execute skill: one',
      suggestions: [suggestion('one')],
    })
  })
  const prefixed = {
    ...one,
    'repo/.claude/commands/one/deep.md': 'Deep.',
    'repo/.claude/skills/onex/SKILL.md': skill('onex', 'allowed-tools: Bash\n'),
    'repo/.claude/skills/two/SKILL.md': skill('two', 'allowed-tools: Bash\n'),
  }
  const underPrefix = async (open: Open) => {
    const tool = await (await open(prefixed, { rules: { deny: ['Skill(one:*)'] } })).tool()
    const found: string[] = []
    for (const name of ['one', 'one:deep', 'onex', 'two'])
      if ((await tool.checkPermissions({ skill: name })).behavior === 'deny') found.push(name)
    return found
  }
  row(54, 'S', 'one:* is one itself and what follows a colon', async open => {
    expect(await underPrefix(open)).toEqual(['one', 'one:deep'])
  })
  row(54, 'RCK', 'one:* is what begins like it', async open => {
    expect(await underPrefix(open)).toEqual(['one', 'one:deep', 'onex'])
  })
  row(55, 'SC', 'a skill that sets harmless fields alone and embeds no command needs no permission', async open => {
    const behaviour = async (content: string) => {
      const tool = await (await open({ 'repo/.claude/skills/one/SKILL.md': content })).tool()
      const { behavior, decisionReason } = await tool.checkPermissions({ skill: 'one' })
      return `${behavior} ${decisionReason.type}`
    }
    const harmless = [
      'when_to_use: W.',
      'argument-hint: "[what]"',
      'arguments: a b',
      'aliases: other',
      'version: 1',
      'license: MIT',
      'compatibility: all',
      'metadata:\n  k: v',
      'own: kept',
      'requires: two',
      'user-invocable: false',
      // Values that have no effect, as if they were missing.
      'context: inline',
      'model: inherit',
      'shell: bash',
      'allowed-tools:',
      'hooks:',
    ]
    const harmful = [
      'allowed-tools: Read',
      'disallowed-tools: Bash',
      'model: big',
      'effort: high',
      'context: fork',
      'agent: helper',
      'background: true',
      'shell: powershell',
      'on-shell-error: skip',
      'hooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: ls',
    ]
    expect(await behaviour(skill('one', `${harmless.join('\n')}\n`))).toBe('allow safe')
    for (const field of harmful)
      expect([field, await behaviour(skill('one', `${field}\n`))]).toEqual([field, 'ask default'])
    expect(await behaviour(skill('one', '', 'Look: !`ls`'))).toBe('ask default')
    expect(await behaviour(skill('one', '', 'Look:\n\n```!\nls\n```\n'))).toBe('ask default')
  })
  row(55, 'K', 'every skill needs permission', async open => {
    expect(await (await (await open(one)).tool()).checkPermissions({ skill: 'one' })).toMatchObject({ behavior: 'ask' })
  })
  row(56, 'NO', 'a question has its own shape, and the last wildcard that matches decides', async open => {
    const asking = { rules: { files: [], wildcards: [{ source: 'host', map: { skill: { one: 'ask' } } }] } } as const
    expect(await (await (await open(one, asking)).tool()).checkPermissions({ name: 'one' })).toMatchObject({
      behavior: 'ask',
      request: { permission: 'skill', patterns: ['one'], always: ['one'], metadata: {} },
    })
    const behaviour = async (entries: Readonly<Record<string, 'allow' | 'deny' | 'ask'>>) => {
      const tool = await (
        await open(one, { rules: { files: [], wildcards: [{ source: 'host', map: { skill: entries } }] } })
      ).tool()
      return (await tool.checkPermissions({ name: 'one' })).behavior
    }
    expect(await behaviour({ '*': 'allow', 'o*': 'deny', one: 'allow', 'on?': 'deny' })).toBe('deny')
    expect(await behaviour({ '*': 'deny', 'o*': 'ask', 'on?': 'allow', two: 'deny' })).toBe('allow')
    expect(await behaviour({ one: 'allow', 'o*': 'deny', '*': 'ask' })).toBe('ask')
  })
  row(56, 'O', 'a skill that no wildcard matches is asked about', async open => {
    const rules = { files: [], wildcards: [{ source: 'host', map: { skill: { two: 'allow', o: 'deny' } } }] } as const
    for (const more of [{}, { rules }])
      expect(await (await (await open(one, more)).tool()).checkPermissions({ name: 'one' })).toMatchObject({
        behavior: 'ask',
      })
  })
  row(
    56,
    'N',
    'a skill that is only read is not asked about, as the program allows what no rule mentions',
    async open => {
      expect(await (await (await open(one)).tool()).checkPermissions({ name: 'one' })).toMatchObject({
        behavior: 'allow',
      })
    },
  )
  row(56, 'N', 'the result is the untouched body between tags, its folder and up to ten files of it', async open => {
    const folder = 'repo/.claude/skills/one'
    const body = '$ARGUMENTS $1\n!`touch ran`\n```!\ntouch ran\n```\n@notes.txt @../../../root.txt </skill_content>'
    const opened = await open({
      [`${folder}/SKILL.md`]: skill('one', '', `\n  ${body}  \n\n`),
      [`${folder}/notes.txt`]: 'NOTE',
      [`${folder}/.hidden`]: '',
      [`${folder}/more/SKILL.md`]: 'Not a file beside it.',
      [`${folder}/more/deep.txt`]: '',
      [`${folder}/node_modules/a.js`]: '',
      [`${folder}/ignored.txt`]: '',
      'repo/.gitignore': 'ignored.txt\n',
      'repo/root.txt': 'ROOT',
      'repo/.claude/skills/two/SKILL.md': skill('two'),
      ...Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`repo/.claude/skills/two/${at + 10}.txt`, ''])),
    })
    const tool = await opened.tool()
    const result = async (name: string) => {
      const { content, details } = tool.toToolResult({ outcome: await tool.call({ name }) }, 't')
      return { content: content.replaceAll(opened.tree.path, '~'), details }
    }
    const { content, details } = await result('one')
    expect(content.split('\n')).toEqual([
      '<skill_content name="one">',
      '# Skill: one',
      '',
      ...body.split('\n'),
      '',
      `Base directory for this skill: ~/${folder}`,
      expect.stringMatching(/^Relative paths in this skill /),
      'Note: file list is sampled.',
      '',
      '<skill_files>',
      ...['.hidden', 'notes.txt', 'more/deep.txt'].map(name => `<file>~/${folder}/${name}</file>`),
      '</skill_files>',
      '</skill_content>',
    ])
    expect(details).toMatchObject({ title: 'Loaded skill: one' })
    expect((await result('two')).content.match(/<file>/g)).toHaveLength(10)
    expect(existsSync(`${opened.tree.path}/repo/ran`)).toBe(false)
  })
  row(56, 'N', 'what is missing names what there is', async open => {
    expect(await (await (await open(one)).tool()).validateInput({ name: 'x' })).toMatchObject({
      message: 'Skill "x" not found. Available skills: one',
    })
  })
  row(
    56,
    'O',
    'the result has a title, the folder and the trimmed body, and what is missing names what there is',
    async open => {
      const opened = await open({ 'repo/.claude/skills/one/SKILL.md': skill('one', '', '\n  Text.  \n\n') })
      const tool = await opened.tool()
      const outcome = await tool.call({ name: 'one' })
      const dir = `${opened.tree.path}/repo/.claude/skills/one`
      expect(tool.toToolResult({ outcome }, 't')).toEqual({
        type: 'tool_result',
        tool_use_id: 't',
        content: `## Skill: one\n\n**Base directory**: ${dir}\n\nText.`,
        details: { title: 'Loaded skill: one', metadata: { name: 'one', dir } },
      })
      expect(outcome.newMessages).toEqual([])
      expect(await tool.validateInput({ name: 'x' })).toMatchObject({
        message: 'Skill "x" not found. Available skills: one',
      })
      expect(await (await (await open({})).tool()).validateInput({ name: 'x' })).toMatchObject({
        message: expect.stringMatching(/"x" .*: none$/),
      })
    },
  )
  row(
    57,
    'M',
    'a line is split at its first space, and is one plain message of the user, also for a skill that would fork',
    async open => {
      const opened = await open({
        'repo/.claude/skills/one/SKILL.md': skill('one', 'context: fork\n', 'Do $ARGUMENTS.'),
      })
      const [outcome] = (await opened.invoker.run('/one this  and\tthat')) ?? []
      expect(outcome?.newMessages).toEqual([{ type: 'user', content: 'Do this  and\tthat.' }])
      // A tab is part of a name, and a line is one command.
      expect(await opened.invoker.run('/one\tx')).toBeUndefined()
      expect((await opened.invoker.run('/one /one x'))?.map(({ newMessages }) => newMessages)).toEqual([
        [{ type: 'user', content: 'Do /one x.' }],
      ])
    },
  )
  row(57, 'M', 'what is no skill of the user is said as it stands', async open => {
    const { invoker } = await open({ 'repo/.claude/skills/quiet/SKILL.md': skill('quiet', 'user-invocable: false\n') })
    expect([await invoker.run('/nothing x'), await invoker.run('/quiet x')]).toEqual([undefined, undefined])
  })
  row(57, 'M', 'the tool answers with the text, and an unknown name is named', async open => {
    const opened = await open(one)
    expect(await called(opened)).toBe('[Skill "one" activated]\n\nDoes one.')
    expect(await (await opened.tool()).validateInput({ skill_name: 'x' })).toMatchObject({
      message: 'Unknown skill: x',
    })
  })
  row(58, 'K', 'what is unknown or no prompt is so named, and the result says what is launched', async open => {
    const opened = await open(one, { plugins: [localPlugin()] })
    const tool = await opened.tool()
    await expect(opened.invoker.run('/zz now')).rejects.toMatchObject({
      code: 'E_UNKNOWN_NAME',
      message: 'Unknown command: zz',
    })
    await expect(preloadSkills(opened.invoker, ['one', 'zz'])).rejects.toMatchObject({ message: 'Unknown command: zz' })
    expect(await tool.validateInput({ skill: 'here' })).toMatchObject({
      errorCode: 5,
      message: 'Unexpected local command.',
    })
    expect(await called(opened)).toBe('Launching skill: one')
  })
  row(
    58,
    'K',
    'skills that an agent begins with are read one after another, in order, without arguments',
    async open => {
      const opened = await open({ ...one, 'repo/.claude/skills/two/SKILL.md': skill('two', '', 'Two: $ARGUMENTS') })
      const messages = await preloadSkills(opened.invoker, ['two', 'one'], { agentId: 'helper' })
      expect(
        messages.flatMap(({ isMeta, content }) =>
          isMeta === true && typeof content !== 'string'
            ? content.map(block => (block.type === 'text' ? block.text.split('\n').at(-1) : ''))
            : [],
        ),
      ).toEqual(['Two: $ARGUMENTS', 'Does one.'])
    },
  )
  const visible = async (opened: Opened, name: string, args = '') =>
    (await opened.invoker.invoke({ name, args, caller: 'user' })).newMessages[0]?.content
  row(59, 'SKX', 'a person sees that the skill is loading', async open => {
    expect(await visible(await open(one), 'one')).toBe(
      '<command-message>The "one" skill is loading</command-message>\n<command-name>one</command-name>',
    )
  })
  row(59, 'RC', 'a person sees what they typed', async open => {
    const opened = await open(one)
    expect(await visible(opened, 'one')).toBe(
      '<command-message>one</command-message>\n<command-name>/one</command-name>',
    )
    expect(await visible(opened, 'one', 'now')).toBe(
      '<command-message>one</command-message>\n<command-name>/one</command-name>\n<command-args>now</command-args>',
    )
  })
  row(59, 'SK', 'a legacy command is running', async open => {
    expect(await visible(await open({ 'repo/.claude/commands/old.md': 'O' }), 'old')).toMatch(
      /^<command-message>The "old" command is running</,
    )
  })
  row(59, 'SRCKX', 'the model is not sent what a person sees', async open => {
    const { newMessages } = await (await (await open(one)).tool()).call({ skill: 'one' })
    expect(newMessages.map(({ isMeta }) => isMeta)).toEqual([true])
  })
  row(60, 'SRCKX', 'tools are united, the model is taken over, and a message carries both', async open => {
    const opened = await open(
      { 'repo/.claude/skills/one/SKILL.md': skill('one', 'allowed-tools: Read, Bash\nmodel: small\n') },
      { inline: { models: { small: 'fast-1' }, thinkingTokens: () => 99 } },
    )
    const outcome: Outcome = await opened.invoker.invoke({ name: 'one', caller: 'user' })
    const before = {
      toolPermissionContext: { alwaysAllowRules: { command: ['Grep', 'Read'], session: ['Edit'] }, mode: 'plan' },
      options: { maxThinkingTokens: 1 },
      own: 1,
    }
    expect(outcome.contextModifier?.(before)).toEqual({
      toolPermissionContext: {
        alwaysAllowRules: { command: ['Grep', 'Read', 'Bash'], session: ['Edit'] },
        mode: 'plan',
      },
      options: { mainLoopModel: 'fast-1', maxThinkingTokens: 99 },
      own: 1,
    })
    expect(before.toolPermissionContext.alwaysAllowRules.command).toEqual(['Grep', 'Read'])
    expect(outcome.newMessages.at(-1)?.attachment).toEqual({
      type: 'command_permissions',
      allowedTools: ['Read', 'Bash'],
      model: 'fast-1',
    })
  })
  row(60, 'SRCKX', 'a skill without tools allows none, and no tokens are no limit', async open => {
    const opened = await open(
      { 'repo/.claude/skills/one/SKILL.md': skill('one', 'model: big\n') },
      { inline: { thinkingTokens: () => 0 } },
    )
    const outcome = await opened.invoker.invoke({ name: 'one', caller: 'user' })
    expect(outcome.data).not.toHaveProperty('allowedTools')
    expect(outcome.newMessages.at(-1)?.attachment).toEqual({ type: 'command_permissions', model: 'big' })
    expect(outcome.contextModifier?.({})).toEqual({ options: { mainLoopModel: 'big' } })
  })
  row(
    61,
    'SR',
    'a line says that an agent has the text of a skill already, until its conversation is shortened',
    async open => {
      const opened = await open(one)
      const texts = [await again(opened), await again(opened), await again(opened, 'x')]
      opened.skills.emit('compact:after', {})
      await opened.catalog()
      texts.push(await again(opened, 'x'))
      const line = 'The skill "one" is already loaded; its instructions are above.'
      expect(texts).toEqual([
        expect.stringMatching(/Does one\.$/),
        line,
        expect.stringMatching(/Does one\.\n\nARGUMENTS: x$/),
        expect.stringMatching(/ARGUMENTS: x$/),
      ])
    },
  )
  row(61, 'CKNOMX', 'a skill that is invoked again is sent again', async open => {
    const opened = await open(one)
    const first = await again(opened)
    expect(first).toContain('Does one.')
    expect(await again(opened)).toBe(first)
  })
  row(60, 'SRC', 'effort is taken over', async open => {
    const outcome = await (
      await open({ 'repo/.claude/skills/one/SKILL.md': skill('one', 'effort: high\n') })
    ).invoker.invoke({ name: 'one', caller: 'user' })
    expect(outcome.contextModifier?.({})).toEqual({ effortValue: 'high' })
  })
})

function remoteEntry(name: string): CatalogEntry {
  return {
    name,
    provider: 'remote',
    override: 'on',
    isQualified: false,
    command: promptCommand({
      name,
      source: 'mcp',
      loadedFrom: 'mcp',
      description: 'Remote.',
      model: 'big',
      load: () => ({ blocks: [{ type: 'text', text: 'Remote text.' }] }),
    }),
  }
}

function localPlugin() {
  const command = {
    type: 'local' as const,
    name: 'here',
    displayName: 'here',
    aliases: [],
    description: 'Here.',
    hasUserSpecifiedDescription: true,
    source: 'project',
    loadedFrom: 'builtin' as const,
    userInvocable: true,
    isHidden: false,
    isEnabled: () => true,
    call: () => ({ text: 'Here.' }),
  }
  return defineProvider({
    kind: 'source',
    id: 'own',
    setup: () => ({ source: 'project', list: () => loadResult({ commands: [command] }) }),
  })
}
