/* oxlint-disable vitest/no-standalone-expect -- row() makes a test of each */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { row, skill, type Open } from './row.js'

const here = 'repo/.claude/skills/one'
const rules = { allow: ['Skill', 'Bash'] }

/** Returns the body as the model reads it, without the lines about the folder before it. */
async function expanded(
  open: Open,
  body: string,
  args = '',
  more: Parameters<Open>[1] = {},
  entries: Parameters<Open>[0] = {},
): Promise<string> {
  const opened = await open({ [`${here}/SKILL.md`]: skill('one', '', body), ...entries }, more)
  const text = await opened.text('one', args)
  return text
    .replace(/^Base directory for this skill: .*\n\n/, '')
    .replace(/^## Skill: one\n\n\*\*Base directory\*\*: .*\n\n/, '')
    .replaceAll(opened.tree.path, '~')
}

describe('expansion', () => {
  row(70, 'SRCK', 'the folder stands before the body', async open => {
    const opened = await open({ [`${here}/SKILL.md`]: skill('one', '', 'Text.') })
    expect(await opened.text('one')).toBe(`Base directory for this skill: ${opened.tree.path}/${here}\n\nText.`)
  })
  row(70, 'NO', 'the name and the folder stand before the body', async open => {
    const opened = await open({ [`${here}/SKILL.md`]: skill('one', '', 'Text.') })
    expect(await opened.text('one')).toBe(`## Skill: one\n\n**Base directory**: ${opened.tree.path}/${here}\n\nText.`)
  })
  row(70, 'M', 'nothing stands before the body', async open => {
    expect(await (await open({ [`${here}/SKILL.md`]: skill('one', '', 'Text.') })).text('one')).toBe('Text.')
  })
  row(70, 'X', 'relative paths of links and in code are made absolute where something is there', async open => {
    const opened = await open({
      [`${here}/SKILL.md`]: skill('one', '', 'See [it](notes.md), `notes.md`, [no](other.md) and `$HOME`.'),
      [`${here}/notes.md`]: 'N',
    })
    const absolute = `${opened.tree.path}/${here}/notes.md`
    expect(await opened.text('one')).toBe(`See [it](${absolute}), \`${absolute}\`, [no](other.md) and \`$HOME\`.`)
  })
  const references = '$ARGUMENTS | ${ARGUMENTS} | $0 | $1 | $10 | ${ARG1}'
  row(71, 'S', 'all arguments are referred to in two ways, positions count from 0', async open => {
    expect(await expanded(open, references, 'a "b c"')).toBe('a "b c" | a "b c" | a | b c | $10 | ${ARG1}')
    expect(await expanded(open, 'No reference.', 'a')).toBe('No reference.\n\nARGUMENTS: a')
    expect(await expanded(open, '[$ARGUMENTS] $0')).toBe('[] $0')
    const eleven = Array.from({ length: 11 }, (_, at) => `w${at}`).join(' ')
    expect(await expanded(open, '$10 $ARGUMENTS[1] $ARGUMENTS[11] \\$0 $0.50', eleven)).toBe(
      'w10 w1 $ARGUMENTS[11] $0 $0.50',
    )
  })
  row(71, 'SRC', 'a declared name is the word at its place, or nothing', async open => {
    const opened = await open({ [`${here}/SKILL.md`]: skill('one', 'arguments: who what\n', '[$who] [$what] [$whom]') })
    expect([await opened.text('one', 'me'), await opened.text('one', 'me "all of it"')]).toEqual([
      expect.stringMatching(/\n\[me\] \[\] \[\$whom\]$/),
      expect.stringMatching(/\n\[me\] \[all of it\] \[\$whom\]$/),
    ])
  })
  row(71, 'SCKMX', 'what arguments bring in is never looked into', async open => {
    const args = '$ARGUMENTS $& ${CLAUDE_SKILL_DIR} $0 !`touch made` @.notes/a.md'
    expect(await expanded(open, 'Now $ARGUMENTS.', args, { rules: { ...rules, files: [] } })).toBe(`Now ${args}.`)
  })
  row(71, 'C', 'there is no ${ARGUMENTS}, positions have one digit, and ${ARG1} is the first', async open => {
    expect(await expanded(open, references, 'a "b c"')).toBe('a "b c" | ${ARGUMENTS} | a | b c | $10 | a')
    const eleven = Array.from({ length: 11 }, (_, at) => `w${at}`).join(' ')
    expect(await expanded(open, '$9 $10 $ARGUMENTS[1] ${ARG0} ${ARG2} ${ARG11} ${ARG12}', eleven)).toBe(
      'w9 $10 w1 ${ARG0} w1 w10 ${ARG12}',
    )
    expect(await expanded(open, '[$ARGUMENTS] $0 ${ARG1}')).toBe('[] $0 ${ARG1}')
    expect(await expanded(open, 'No reference.', 'a')).toBe('No reference.\n\nARGUMENTS: a')
  })
  row(71, 'K', 'without arguments $ARGUMENTS stays; with some it is replaced, or they are appended', async open => {
    expect(await expanded(open, references)).toBe(references)
    expect(await expanded(open, '$ARGUMENTS, $0, $ARGUMENTS', 'a b')).toBe('a b, $0, a b')
    expect(await expanded(open, '${ARGUMENTS} \\$ARGUMENTS', 'a')).toBe('${ARGUMENTS} \\a')
    expect(await expanded(open, '$ARGUMENTS', '  ')).toBe('$ARGUMENTS')
    expect(await expanded(open, 'No reference.', 'a')).toBe('No reference.\n\nARGUMENTS: a')
  })
  row(71, 'X', 'arguments are trimmed, and replaced also by nothing, or appended', async open => {
    expect(await expanded(open, '[$ARGUMENTS] $0 ${ARGUMENTS}', '  a b ')).toBe('[a b] $0 ${ARGUMENTS}')
    expect(await expanded(open, '[$ARGUMENTS]', '  ')).toBe('[]')
    expect([await expanded(open, 'No reference.', ' a '), await expanded(open, 'No reference.', '  ')]).toEqual([
      'No reference.\n\nARGUMENTS: a',
      'No reference.',
    ])
  })
  row(71, 'M', 'arguments are referred to in two ways and never appended', async open => {
    expect(await expanded(open, '$ARGUMENTS | ${ARGUMENTS} | $0', 'a b')).toBe('a b | a b | $0')
    expect(await expanded(open, 'No reference.', 'a')).toBe('No reference.')
  })
  row(71, 'NO', 'nothing refers to arguments', async open => {
    expect(await expanded(open, references, 'a b')).toBe(references)
  })
  const variables = '${CLAUDE_SKILL_DIR} ${CLAUDE_SESSION_ID} ${CLAUDE_PROJECT_DIR}'
  row(72, 'SRC', 'every variable is replaced', async open => {
    expect(await expanded(open, variables)).toBe(`~/${here} 00000000-0000-4000-8000-000000000000 ~/repo`)
  })
  row(72, 'SRC', 'the effort of the skill, and the folders of its plugin, are variables', async open => {
    const effort = await open({
      [`${here}/SKILL.md`]: skill('one', 'effort: high\n', '${CLAUDE_EFFORT} ${CLAUDE_PLUGIN_ROOT} ${OTHER}'),
    })
    expect(await effort.text('one')).toMatch(/\nhigh \$\{CLAUDE_PLUGIN_ROOT\} \$\{OTHER\}$/)
    expect(await expanded(open, '${CLAUDE_EFFORT}')).toBe('${CLAUDE_EFFORT}')
    const opened = await open(
      {
        'plugin/.claude-plugin/plugin.json':
          '{"name":"acme","userConfig":{"region":{"type":"string","default":"north"}}}',
        'plugin/skills/one/SKILL.md': skill(
          'one',
          '',
          '${CLAUDE_PLUGIN_ROOT} ${user_config.region} ${CLAUDE_PLUGIN_DATA}',
        ),
      },
      { published: { plugins: ['../plugin'] } },
    )
    const text = await opened.text('acme:one')
    expect(text.replaceAll(opened.tree.path, '~').split('\n').at(-1)).toBe(
      '~/plugin north ~/home/.local/state/skills/plugins/acme',
    )
  })
  row(72, 'KX', 'nothing of a plugin is a variable', async open => {
    const opened = await open(
      {
        'plugin/.claude-plugin/plugin.json': '{"name":"acme"}',
        'plugin/skills/one/SKILL.md': skill('one', '', '${CLAUDE_PLUGIN_ROOT} ${CLAUDE_EFFORT}'),
      },
      { published: { plugins: ['../plugin'] } },
    )
    expect((await opened.text('acme:one')).split('\n').at(-1)).toBe('${CLAUDE_PLUGIN_ROOT} ${CLAUDE_EFFORT}')
  })
  row(72, 'M', 'the folder is replaced and nothing else', async open => {
    expect(await expanded(open, variables)).toBe(`~/${here} \${CLAUDE_SESSION_ID} \${CLAUDE_PROJECT_DIR}`)
  })
  row(72, 'KNOX', 'no variable is replaced', async open => {
    expect(await expanded(open, variables)).toBe(variables)
  })
  /** Returns a script that waits up to `times` rounds for the file of another command and prints whether it came. */
  const meeting = (first: string, second: string, times = 20) =>
    `: > ${first}; for i in $(seq ${times}); do [ -e ${second} ] && break; sleep 0.1; done; [ -e ${second} ] && printf met || printf alone`
  row(73, 'S', 'embedded commands run, not in code, and a failure stands in its place', async open => {
    expect(await expanded(open, 'a !`printf x` b\n\n```\n!`printf y`\n```\n', '', { rules })).toBe(
      'a x b\n\n```\n!`printf y`\n```\n',
    )
    expect(await expanded(open, 'a !`echo why >&2; exit 3` b', '', { rules })).toMatch(/ exit code 3: why\] b$/)
    expect(await expanded(open, '```!\nprintf x\n```\n\\!`printf y`', '', { rules })).toBe('x\n!`printf y`')
  })
  row(73, 'S', 'the commands of a body run one after another', async open => {
    expect(await expanded(open, `!\`${meeting('a', 'b', 10)}\` !\`${meeting('b', 'a', 10)}\``, '', { rules })).toBe(
      'alone met',
    )
  })
  row(73, 'SRCK', 'an argument is never part of a script', async open => {
    const text = await expanded(open, '!`printf "%s" $ARGUMENTS`', '$(touch made) "; touch made', { rules })
    expect(text.replaceAll('"', '')).toContain('$(touch made) ; touch made')
  })
  row(73, 'RCK', 'embedded commands run, in fences too, and a failure aborts', async open => {
    expect(await expanded(open, 'a !`printf x` b\n\n```\n!`printf y`\n```\n', '', { rules })).toBe(
      'a x b\n\n```\ny\n```\n',
    )
    expect(await expanded(open, '```!\nprintf x\n```\n', '', { rules })).toBe('x\n')
    expect(await expanded(open, 'v!`printf 1`.0', '', { rules })).toBe('v!`printf 1`.0')
    await expect(expanded(open, '!`exit 3`', '', { rules })).rejects.toMatchObject({ code: 'E_SHELL' })
  })
  row(73, 'RCK', 'the commands of a body run side by side', async open => {
    expect(await expanded(open, `!\`${meeting('a', 'b')}\` !\`${meeting('b', 'a')}\``, '', { rules })).toBe('met met')
  })
  row(73, 'NO', 'commands are embedded anywhere, in words too', async open => {
    expect(await expanded(open, 'v!`printf 1`.0', '', { rules: { ...rules, files: [] } })).toBe('v1.0')
    expect(await expanded(open, '```\n!`printf y`\n```\n', '', { rules: { ...rules, files: [] } })).toBe('```\ny\n```')
  })
  row(73, 'MX', 'no command is embedded', async open => {
    expect(await expanded(open, 'a !`printf x` b', '', { rules })).toBe('a !`printf x` b')
    expect(await expanded(open, '```!\ntouch ran\n```', '', { rules })).toBe('```!\ntouch ran\n```')
  })
  const notes = { 'repo/.notes/a.md': 'NOTE' }
  row(
    74,
    'NO',
    'a file is brought in, but not after a word character or a backtick, and not the dot at its end',
    async open => {
      expect(
        await expanded(open, 'See @.notes/a.md, a@.notes/a.md `@.notes/a.md` @.notes/a.md.', '', {}, notes),
      ).toMatch(/^See \S*NOTE\S*, a@\.notes\/a\.md `@\.notes\/a\.md` \S*NOTE\S*\.$/)
    },
  )
  row(74, 'SRCKMX', 'no file is brought in', async open => {
    expect(await expanded(open, '@.notes/a.md', '', {}, notes)).toBe('@.notes/a.md')
  })
  row(74, 'SRCKMX', 'a host may switch files on', async open => {
    expect(await expanded(open, 'See @.notes/a.md', '', { files: {} }, notes)).toContain('NOTE')
  })
  const waiting = { [`${here}/SKILL.md`]: skill('one', 'paths: "*.css"\n') }
  row(77, 'SRC', 'a skill with paths waits for a file, and folders further down are looked for', async open => {
    const opened = await open({ ...waiting, 'repo/sub/.claude/skills/deep/SKILL.md': skill('deep') })
    expect((await opened.port.listing({})).entries).toEqual([])
    expect(await (await opened.tool()).validateInput({ skill: 'one' })).toMatchObject({ result: false, errorCode: 2 })
    opened.skills.emit('file:touched', { paths: [`${opened.tree.path}/repo/a.ts`, `${opened.tree.path}/home/a.css`] })
    expect((await opened.port.listing({})).entries).toEqual([])
    opened.skills.emit('file:touched', { paths: [`${opened.tree.path}/repo/sub/a.css`] })
    expect((await opened.port.listing({})).entries.map(({ name }) => name.replace('sub:', '')).sort()).toEqual([
      'deep',
      'one',
    ])
    expect(await (await opened.tool()).validateInput({ skill: 'one' })).toEqual({ result: true })
  })
  row(77, 'SC', 'a person may type the name of a skill that waits', async open => {
    expect(await (await open(waiting)).text('one')).toContain('Does one.')
  })
  row(77, 'KNOMX', 'no skill waits, and nothing is looked for', async open => {
    const opened = await open({ ...waiting, 'repo/sub/.claude/skills/deep/SKILL.md': skill('deep') })
    expect((await opened.port.listing({})).entries.map(({ name }) => name)).toEqual(['one'])
    opened.skills.emit('file:touched', { paths: [`${opened.tree.path}/repo/sub/a.css`] })
    expect((await opened.port.listing({})).entries.map(({ name }) => name)).toEqual(['one'])
  })
  const runs = { [`${here}/SKILL.md`]: skill('one', '', '!`touch ran`') }
  row(78, 'SRCKNO', 'nothing that a project embeds runs until it is trusted', async open => {
    const opened = await open(runs, { trust: undefined, rules })
    await expect(opened.text('one')).rejects.toMatchObject({ code: 'E_DENIED' })
    expect(existsSync(`${opened.tree.path}/repo/ran`)).toBe(false)
    const trusted = await open(runs, { trust: { all: true }, rules })
    await trusted.text('one')
    expect(existsSync(`${trusted.tree.path}/repo/ran`)).toBe(true)
  })
  row(78, 'S', "what is the user's own is trusted", async open => {
    const opened = await open(
      { 'home/.claude/skills/one/SKILL.md': skill('one', '', '!`touch ran`') },
      { trust: undefined, rules },
    )
    await opened.text('one')
    expect(existsSync(`${opened.tree.path}/repo/ran`)).toBe(true)
  })
  const allowed = async (open: Open, trust: { readonly all: boolean } | undefined): Promise<unknown> => {
    const opened = await open({ [`${here}/SKILL.md`]: skill('one', 'allowed-tools: Bash\n') }, { trust })
    const { data } = await opened.invoker
      .invoke({ name: 'one', caller: 'user' })
      .catch((error: { readonly code: string }) => ({ data: { allowedTools: error.code } }))
    return data['allowedTools']
  }
  row(78, 'SRCKX', 'what a skill of a project allows itself counts once the project is trusted', async open => {
    expect([await allowed(open, undefined), await allowed(open, { all: true })]).toEqual(['E_DENIED', ['Bash']])
  })
  row(78, 'M', 'what a skill names as its tools allows nothing, trusted or not', async open => {
    expect([await allowed(open, undefined), await allowed(open, { all: true })]).toEqual(['E_DENIED', undefined])
  })
})

describe('folders of files that a program brings along', () => {
  row(
    11,
    'X',
    'they are written to a folder in the home, anew when their marker differs, and scanned like any other',
    async () => {
      const { createSkills } = await import('@skills/core')
      const { cocode } = await import('../../src/agents/cocode/index.js')
      const { fakeHost, tempTree } = await import('@skills/testing')
      const tree = tempTree({ 'repo/.keep': '' })
      const folder = `${tree.path}/.cocode/skills-bundled`
      const names = async (files: Readonly<Record<string, string>>) => {
        const skills = createSkills(
          cocode({
            host: fakeHost({ cwd: `${tree.path}/repo`, home: tree.path, uid: process.getuid?.() }),
            managed: { dirs: [] },
            bundledFiles: files,
            onDiagnostic: () => {},
          }),
        )
        const { entries } = await skills.catalog()
        await skills.close()
        return entries.map(({ name, command }) => `${name} from ${command.source}`)
      }
      try {
        const marker = () => readFileSync(`${folder}/.cocode-bundled.marker`, 'utf8')
        expect(await names({ 'a/SKILL.md': skill('a') })).toEqual(['a from bundled'])
        const first = marker()
        // As that system computes it: sorted paths, each followed by its content, without separators.
        expect(first).toBe(
          createHash('sha256')
            .update(`a/SKILL.md${skill('a')}`)
            .digest('hex')
            .slice(0, 16),
        )
        writeFileSync(`${folder}/a/SKILL.md`, skill('a', 'version: 2\n'))
        await names({ 'a/SKILL.md': skill('a') })
        expect(readFileSync(`${folder}/a/SKILL.md`, 'utf8')).toContain('version: 2')
        expect(await names({ 'a/SKILL.md': skill('a'), 'b/SKILL.md': skill('b') })).toEqual([
          'a from bundled',
          'b from bundled',
        ])
        expect(marker()).not.toBe(first)
        expect(readFileSync(`${folder}/a/SKILL.md`, 'utf8')).not.toContain('version: 2')
      } finally {
        rmSync(tree.path, { recursive: true, force: true })
      }
    },
  )
})
