/* oxlint-disable vitest/no-standalone-expect -- row() makes a test of each */
import { readFileSync } from 'node:fs'
import { decide, Session } from '@skills/invocation'
import { listedBy } from '@skills/invocation/skill-tool'
import { describe, expect } from 'vitest'
import { row, skill, type Open, type OpenOptions } from './row.js'

const one = 'repo/.claude/skills/one/SKILL.md'

/** Rows that are particular to the released Claude Code. */
describe('claude-code', () => {
  const expanded = async (open: Open, body: string, args = '', fields = '') =>
    (await (await open({ [one]: skill('one', fields, body) })).text('one', args)).replace(/^.*\n\n/, '')

  row(1, 'R', 'a skill in code comes after those of files, and a command after every skill of a file', async open => {
    const opened = await open(
      { [one]: skill('one'), 'home/.claude/commands/one.md': 'C', 'repo/.claude/commands/old.md': 'Old.' },
      { bundled: { skills: [{ name: 'one', description: 'In code.', body: 'B' }] } },
    )
    expect(await opened.names()).toEqual(['one from project', 'old from project'])
  })
  row(20, 'R', 'a field counts under its own name, and under no other', async open => {
    const opened = await open({ [one]: skill('one', 'allowed_tools: Bash\nwhen_to_use: W.\n') })
    expect((await opened.catalog()).get('one')?.command).toMatchObject({ allowedTools: [], whenToUse: 'W.' })
  })
  row(21, 'R', 'frontmatter is what the first two marks enclose, and what is no map of keys is none', async open => {
    const of = async (text: string) => (await (await open({ [one]: text })).text('one')).replace(/^.*\n\n/, '')
    expect(await of('---\ndescription: a --- b\n---\nB')).toBe('b\n---\nB')
    expect(await of('---\n- a\n---\nB')).toBe('B')
    expect(await of('\n---\ndescription: D.\n---\nB')).toBe('\n---\ndescription: D.\n---\nB')
  })
  row(
    21,
    'R',
    'values of broken YAML are read as quoted text, and if it still is broken none of it counts',
    async open => {
      const described = async (block: string) =>
        (await (await open({ 'repo/.claude/skills/one/SKILL.md': `---\n${block}\n---\nBody.\n` })).catalog()).get('one')
          ?.command.description
      expect(await described('description: Use when: asked')).toBe('Use when: asked')
      expect(await described('description: D.\nother: [a')).toBe('D.')
      expect(await described('description: D.\nother: "a" b')).toBe('Body.')
      expect(await described('description: D.\nno pair')).toBe('Body.')
      expect(await described('description: one\ndescription: 1.50')).toBe('1.5')
      expect(await described('\tdescription: D.')).toBe('D.')
    },
  )
  row(22, 'R', 'without a description there is the first line, else "Skill"', async open => {
    const opened = await open({
      [one]: '\n\n## A heading\n\nA paragraph.\n',
      'repo/.claude/skills/text/SKILL.md': '---\nname: text\n---\n  Of two\nlines.\n',
      'repo/.claude/skills/two/SKILL.md': '---\nname: two\n---\n',
    })
    expect((await opened.port.listing({})).text).toBe('- one: A heading\n- text: Of two\n- two: Skill')
  })
  row(20, 'R', 'names of arguments have white space between them, and a map or a number is none', async open => {
    const named = async (fields: string, body: string) => expanded(open, body, 'a b c', `${fields}\n`)
    expect(await named('arguments: first, second', '$first $second')).toBe('$first b')
    expect(await named('arguments: ["0", {name: x}, "7up", y]', '$7up $y $x')).toBe('a b $x')
  })
  row(20, 'R', 'a context in other letters is none, and the skill is there without it', async open => {
    const opened = await open({ [one]: skill('one', 'context: Fork\n') })
    expect((await opened.catalog()).get('one')?.command).toMatchObject({ context: 'inline' })
    expect(opened.told.map(({ code, severity }) => `${severity} ${code}`)).toEqual(['warning unknown-choice'])
  })
  row(21, 'R', 'a text that begins with > and has no line below it is read as it is written', async open => {
    const opened = await open({ [one]: '---\ndescription: > 5 things\n---\nB' })
    expect((await opened.port.listing({})).text).toBe('- one: &gt; 5 things')
  })
  row(22, 'R', 'a list where a description is expected is as if it were missing, with a warning', async open => {
    const opened = await open({ [one]: '---\ndescription: [a, b]\n---\nFirst line.\n' })
    expect((await opened.port.listing({})).text).toBe('- one: First line.')
    expect(opened.told).toMatchObject([{ severity: 'warning', code: 'invalid-text', field: 'description', line: 2 }])
  })
  row(23, 'R', 'a flag without a value is false', async open => {
    const opened = await open({ [one]: skill('one', 'user-invocable:\n') })
    await expect(opened.text('one')).rejects.toMatchObject({ code: 'E_NOT_INVOCABLE' })
  })
  row(23, 'R', 'flags are boolean-like, and anything else is false', async open => {
    const opened = await open({
      [one]: skill('one', 'disable-model-invocation: maybe\n'),
      'repo/.claude/skills/two/SKILL.md': skill('two', 'disable-model-invocation: yes\nuser-invocable: maybe\n'),
    })
    const catalog = await opened.catalog()
    expect(catalog.errors).toEqual([])
    expect([catalog.get('one')?.command, catalog.get('two')?.command]).toMatchObject([
      { disableModelInvocation: false },
      { disableModelInvocation: true, userInvocable: false },
    ])
  })
  const undescribed = 'plugin/skills/quiet/SKILL.md'
  row(30, 'R', 'described is what has any description, but of a plugin what its author described', async open => {
    const opened = await open(
      {
        [one]: 'Text.',
        'plugin/.claude-plugin/plugin.json': '{"name":"acme"}',
        [undescribed]: 'Text.',
        'plugin/skills/told/SKILL.md': skill('told'),
      },
      { published: { plugins: ['../plugin'] } },
    )
    expect((await opened.port.listing({})).entries.map(({ name }) => name)).toEqual(['one', 'acme:told'])
  })
  row(31, 'R', 'a model is told of commands too', async open => {
    const opened = await open({ 'repo/.claude/commands/git/push.md': '---\ndescription: Pushes.\n---\nP' })
    expect((await opened.port.listing({})).text).toBe('- git:push: Pushes.')
    expect(listedBy(opened.distribution.visibility)).toBeInstanceOf(Function)
  })
  const described = (length: number, ...names: readonly string[]) =>
    Object.fromEntries(
      names.map(name => [`repo/.claude/skills/${name}/SKILL.md`, `---\ndescription: ${'x'.repeat(length)}\n---\nB`]),
    )
  const shown = async (open: Open, entries: Readonly<Record<string, string>>, options: OpenOptions = {}, window = 0) =>
    (await (await open(entries, options)).port.listing({ contextWindow: window })).entries.map(
      ({ name, shown: how }) => `${name} ${how}`,
    )
  row(41, 'R', 'the strategy is filling', async open => {
    const { distribution } = await open({})
    expect(distribution.name).toBe('claude-code')
    expect(await shown(open, described(6000, 'a', 'b'), { listing: { maxDescription: 7000 } })).toEqual([
      'a whole',
      'b name',
    ])
  })
  row(42, 'R', 'each description in its turn is whole or not there, and a shorter one behind it may be', async open => {
    const entries = { ...described(150, 'a', 'b'), ...described(20, 'c') }
    expect(await shown(open, entries, { listing: { budget: 200 } })).toEqual(['a whole', 'b name', 'c whole'])
  })
  row(42, 'R', 'every name and every skill in code stays, at any budget', async open => {
    const bundled = { skills: [{ name: 'code', description: 'x'.repeat(100), body: 'B' }] }
    const opened = await open(described(100, 'a'), { bundled, listing: { budget: 1 } })
    const { entries, omitted } = await opened.port.listing({})
    expect([entries.map(({ name, shown: how }) => `${name} ${how}`), omitted]).toEqual([['a name', 'code whole'], []])
  })
  row(
    42,
    'R',
    'the budget is a hundredth of the window at four characters a token, and at three in a window above 200,000',
    async open => {
      const opened = await open(described(1500, ...Array.from({ length: 25 }, (_, at) => `s${at}`)))
      const whole = async (contextWindow: number) =>
        (await opened.port.listing({ contextWindow })).entries.filter(({ shown: how }) => how === 'whole').length
      expect([await whole(200_000), await whole(1_000_000)]).toEqual([5, 19])
    },
  )
  row(55, 'R', 'a skill needs permission for what it grants, not for how it runs', async open => {
    const asked: string[] = []
    const behaviour = async (fields: string, body = 'B') => {
      const opened = await open(
        { [one]: skill('one', fields, body) },
        { onAsk: ({ request: { tool } }) => (asked.push(tool), 'deny') },
      )
      return (await (await opened.tool()).checkPermissions({ skill: 'one' })).behavior
    }
    const harmless = ['model: big', 'effort: high', 'context: fork', 'agent: Explore', 'shell: bash']
    expect(await Promise.all(harmless.map(field => behaviour(`${field}\n`)))).toEqual(harmless.map(() => 'allow'))
    const hooks = 'hooks: { PreToolUse: [{ hooks: [{ type: command, command: x }] }] }'
    const granting = ['allowed-tools: Bash', 'disallowed-tools: Bash', hooks]
    expect(await Promise.all(granting.map(field => behaviour(`${field}\n`)))).toEqual(granting.map(() => 'ask'))
  })
  row(55, 'R', 'typing a name is a yes to the skill, and not to a command that it embeds', async open => {
    const asked: string[] = []
    const opened = await open(
      { [one]: skill('one', '', 'A !`touch made`') },
      { onAsk: ({ request: { tool, content } }) => (asked.push(`${tool} ${content}`), 'deny') },
    )
    await expect(opened.text('one')).rejects.toMatchObject({ code: 'E_SHELL' })
    expect(asked).toEqual(['Bash touch made'])
    const allowed = await open(
      { [one]: skill('one', 'allowed-tools: Bash\n', 'A !`printf ran`') },
      { onAsk: () => 'deny' },
    )
    expect(await allowed.text('one')).toMatch(/A ran$/)
  })
  row(71, 'R', 'there is no ${ARGUMENTS}, a position is never a price, and there is no ${ARG1}', async open => {
    expect(await expanded(open, '$ARGUMENTS | ${ARGUMENTS} | $0 | $1.50 | $10 | ${ARG1}', 'a "b c"')).toBe(
      'a "b c" | ${ARGUMENTS} | a | b c.50 | $10 | ${ARG1}',
    )
  })
  row(71, 'R', 'positions are the words of the first command that a shell would read', async open => {
    for (const [args, words] of [
      ['a #b c', 'a $1'],
      ['a|b c', 'a $1'],
      ['a > b c', 'a $1'],
      ['f(x) y', 'f y'],
      ['a ${HOME} z', 'a z'],
      ['$HOME z', '$HOME z'],
      ['a\nb', 'a $1'],
      ["'a b c", "'a b c $1"],
      ['"a\\b" z', 'a\\b z'],
      ['a b\\', 'a b'],
    ] as const)
      expect([args, await expanded(open, '$0 $1', args)]).toEqual([args, words])
  })
  row(71, 'R', 'arguments that nothing refers to stand behind the body as it ends', async open => {
    const opened = await open({ [one]: skill('one', '', 'Text.\n\n') })
    expect(await opened.text('one', 'a')).toMatch(/Text\.\n\n\n\nARGUMENTS: a$/)
  })
  row(
    71,
    'R',
    'what arguments bring in is never looked into, and a mark of a command in them is escaped',
    async open => {
      expect(
        await expanded(open, 'Now $ARGUMENTS.', '$ARGUMENTS ${CLAUDE_SKILL_DIR} $0 !`touch made` a! !b'),
      ).toContain('Now $ARGUMENTS ${CLAUDE_SKILL_DIR} $0 \\! `touch made` a! \\!b.')
    },
  )
  row(71, 'R', 'only English letters make a longer word of a reference', async open => {
    expect(await expanded(open, '$0é $00 $0_ $1.5', 'a b')).toContain('aé a $0_ b.5')
  })
  row(71, 'R', 'a declared name with a bracket behind it is none', async open => {
    expect(await expanded(open, '$first[0] $first-x', 'a b', 'arguments: first\n')).toBe('$first[0] a-x')
  })
  row(71, 'R', 'one backslash before a reference to arguments escapes it, and more than one do not', async open => {
    expect(await expanded(open, 'e=\\$1 d=\\\\$1 t=\\\\\\$1 n=$1', 'a b')).toBe('e=$1 d=\\\\b t=\\\\\\b n=b')
  })
  row(72, 'R', 'a backslash does not keep a variable from being one, and stays', async open => {
    expect(await expanded(open, 'dir=\\${CLAUDE_SKILL_DIR}')).toMatch(/^dir=\\\/.*\/repo\/\.claude\/skills\/one$/)
  })
  row(73, 'R', 'what a command writes to standard error stands among what it writes otherwise', async open => {
    expect(await expanded(open, '!`echo ERR >&2; echo OUT`|', '', 'allowed-tools: Bash\n')).toBe('ERR\nOUT|')
  })
  row(73, 'R', 'output has no blank line before it and no white space behind it', async open => {
    expect(await expanded(open, '!`printf "\\n  a \\n\\n"`|', '', 'allowed-tools: Bash\n')).toBe('  a|')
  })
  row(73, 'R', 'of more than 30,000 bytes of output the beginning is there', async open => {
    const text = await expanded(open, '!`printf "%040000d" 0`', '', 'allowed-tools: Bash\n')
    expect(text).toContain(`\n${'0'.repeat(2000)}\n`)
    expect(text.length).toBeLessThan(2200)
  })
  row(73, 'R', 'an argument stands between single quotes of a command too', async open => {
    expect(await expanded(open, "!`echo '<$0>'`", '"a;b"', 'allowed-tools: Bash\n')).toBe('<a;b>')
  })
  row(
    73,
    'R',
    'a fence of commands stands anywhere, also in another fence, and a backtick in its line hides a command',
    async open => {
      const body = '- x ```! echo one```\n````md\n```!\necho two\n```\n````\n`a` !`echo three` it`s !`echo four`'
      expect(await expanded(open, body, '', 'allowed-tools: Bash\n')).toBe(
        '- x one\n````md\ntwo\n````\n`a` three it`s !`echo four`',
      )
    },
  )
  row(73, 'R', 'a backslash before a command stays, and one within it keeps no backtick', async open => {
    const allowed = 'allowed-tools: Bash\n'
    expect(await expanded(open, '\\!`echo HI`', '', allowed)).toBe('\\!`echo HI`')
    await expect(expanded(open, '!`printf "\\`echo N\\`"`', '', allowed)).rejects.toMatchObject({ code: 'E_SHELL' })
  })
  row(76, 'R', 'a hook is told of the folder of its skill as that of a plugin alone', async open => {
    const hook =
      '{ Stop: [{ hooks: [{ type: command, command: \'echo "$CLAUDE_PLUGIN_ROOT|$CLAUDE_SKILL_DIR" > log\' }] }] }'
    const opened = await open({ [one]: skill('one', `hooks: ${hook}\n`) })
    const session = Session.open(opened.skills)
    await opened.invoker.invoke({ name: 'one', caller: 'user', sessionId: session.key })
    await decide(opened.skills, 'Stop', { message: 'ok', stopHookActive: false, sessionId: session.key })
    expect(readFileSync(`${opened.tree.path}/repo/log`, 'utf8')).toBe(`${opened.tree.path}/repo/.claude/skills/one|\n`)
  })
  row(82, 'R', 'descriptions that find no room are told of, with how many', async open => {
    const { skills, port } = await open(described(60, 'a', 'b'), { listing: { budget: 80 } })
    const told: unknown[] = []
    skills.hook('listing:truncated', event => void told.push(event))
    await port.listing({})
    expect(told).toMatchObject([{ omitted: [], truncated: ['b'], total: 2 }])
  })
})
