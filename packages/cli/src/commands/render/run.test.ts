import { existsSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { runIn, type Console } from '../../../test/console.js'

let tree: TempTree
afterEach(() => tree.dispose())

const body = `First: !\`echo hello $what\`
It costs \\$5, says \${CLAUDE_SKILL_DIR}.
`

/** A skill of the user, which needs no trust, and the same skill in an untrusted project. */
function skills(text = body, more = ''): Console {
  tree = tempTree({
    'home/.claude/skills/greet/SKILL.md': `---\ndescription: Greets.\narguments: [what]\n${more}---\n${text}`,
    'work/.git': { dir: true },
    'work/.claude/skills/there/SKILL.md': `---\ndescription: Greets.\n---\n${text}`,
    'work/.claude/skills/quiet/SKILL.md': '---\ndescription: x\nuser-invocable: false\n---\nBe quiet.',
  })
  return { cwd: `${tree.path}/work`, home: `${tree.path}/home` }
}

/** The same skills, and `late`, which was added after the project was trusted: its commands are asked about. */
async function late(text: string): Promise<Console> {
  const console = skills(text)
  expect((await runIn(['trust', '--yes'], console)).code).toBe(0)
  tree.write({ 'work/.claude/skills/late/SKILL.md': `---\ndescription: Late.\narguments: [what]\n---\n${text}` })
  return console
}

const header = (name: string, at: 'home' | 'work' = 'home'): string =>
  `Base directory for this skill: ${tree.path}/${at}/.claude/skills/${name}\n\n`

describe('the text', () => {
  test('is what a model would get, to the letter, its header included', async () => {
    const console = skills()
    expect(await runIn(['render', 'greet', '--allow', 'Bash(echo:*)', '--', 'you'], console)).toEqual({
      code: 0,
      stderr: '',
      stdout: `${header('greet')}First: hello you\nIt costs $5, says ${tree.path}/home/.claude/skills/greet.\n`,
    })
    expect((await runIn(['render', 'quiet'], console)).stdout).toBe(`${header('quiet', 'work')}Be quiet.`)
  })

  test('has all words after -- as its arguments, also those that look like options', async () => {
    const console = skills('[$ARGUMENTS]')
    expect((await runIn(['render', 'greet', '--', '--json', '-x', 'a b', '007'], console)).stdout).toBe(
      `${header('greet')}[--json -x a b 007]`,
    )
    expect(await runIn(['render', 'greet', 'x'], console)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^skills: skills render .*"x" .* --\.\n$/),
    })
  })

  test('keeps arguments from running, however they are written', async () => {
    const { stdout } = await runIn(
      ['render', 'greet', '--allow', 'Bash(echo:*)', '--', `$(touch ${'pwned'}); \`touch pwned\``],
      skills('!`echo [$ARGUMENTS]`'),
    )
    expect(stdout).toBe(`${header('greet')}[$(touch pwned); \`touch pwned\`]`)
    expect(existsSync(`${tree.path}/work/pwned`)).toBe(false)
  })

  test.each([true, false])('is obeyed by no terminal (%s)', async isTerminal => {
    const { stdout, stderr } = await runIn(['render', 'greet'], { ...skills('a\u001b[2J\u202eb'), isTerminal })
    expect(stdout).toBe(`${header('greet')}${isTerminal ? 'a<U+001B>[2J<U+202E>b\n' : 'a\u001b[2J\u202eb'}`)
    expect(stderr.includes('would control the terminal')).toBe(isTerminal)
  })
})

test('blank lines below the frontmatter are no part of the text, and arguments that nothing took stand below it, which is said', async () => {
  expect(await runIn(['render', 'greet', '--', 'you'], skills('\n \n\nCosts $5, or $7.\n'))).toEqual({
    code: 0,
    stdout: `${header('greet')}Costs $5, or $7.\n\nARGUMENTS: you`,
    stderr: expect.stringMatching(/^skills: No argument .* \$5, \$7 \(line 8\), .*\n$/),
  })
})

describe('an embedded command', () => {
  const mark = 'A !`touch ran` B'

  test('does not run where no rule allows it and there is no terminal to ask at: it stays, and that is said', async () => {
    const { code, stdout, stderr } = await runIn(['render', 'late'], await late(mark))
    expect({ code, stdout }).toEqual({ code: 1, stdout: `${header('late', 'work')}${mark}` })
    expect(stderr).toMatch(
      /^skills: Not run, line 5: !`touch ran` {2}.*\nskills: .* incomplete\. .* Bash\(touch ran\): .* new .*"skills trust", .* --yes\. .*--no-shell .*\n$/,
    )
    expect(existsSync(`${tree.path}/work/ran`)).toBe(false)
  })

  test('is not even asked about with --no-shell, and nothing is amiss', async () => {
    const { code, stdout, stderr } = await runIn(
      ['render', 'greet', '--no-shell', '--yes', '--allow', 'Bash', '--', 'you'],
      { ...skills('A !`touch $what` B'), answer: () => 'once' },
    )
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `${header('greet')}A !\`touch $what\` B`,
      stderr: expect.stringMatching(/^skills: .* 5: !`touch \$what` .*\n$/) as string,
    })
    expect(existsSync(`${tree.path}/work/you`)).toBe(false)
  })

  test.each([[[]], [['--no-shell']]])('that is escaped is text, and nothing that did not run: %j', async more => {
    const console = skills('Write \\!`git status` to embed.')
    expect(await runIn(['render', 'greet', ...more], console)).toEqual({
      code: 0,
      stderr: '',
      stdout: `${header('greet')}Write !\`git status\` to embed.`,
    })
    const { tokens } = JSON.parse((await runIn(['render', 'greet', '--json', ...more], console)).stdout) as {
      tokens: unknown[]
    }
    expect(tokens).toMatchObject([
      {},
      { value: 'Write ' },
      { origin: 'text', expander: 'shell', written: '\\!', value: '!', isReplaced: true, command: null },
      { value: '`git status` to embed.' },
    ])
  })

  test('with nothing in it is told of with the reason', async () => {
    expect((await runIn(['render', 'greet'], skills('A !` ` B\n```!\n\n```\n'))).stderr).toMatch(
      /^skills: .* 5: !` ` .*\nskills: .* 6: ```! ``` .*\n$/,
    )
  })

  test('does not run in a folder that no one trusts, and the text is what a model would get then', async () => {
    const { code, stdout, stderr } = await runIn(['render', 'there', '--yes', '--allow', 'Bash'], skills(mark))
    expect(code).toBe(0)
    const start = header('there', 'work')
    expect(stdout.slice(0, start.length)).toBe(start)
    expect(stdout.slice(start.length)).toMatch(/^A \[shell command not run: .* not trusted\] B$/)
    expect(stderr).toContain('Not run, line 4: !`touch ran`')
    expect(stderr).toMatch(/not trusted\. .*skills trust\n/)
    expect(existsSync(`${tree.path}/work/ran`)).toBe(false)
  })

  test('runs without a question where its skill is trusted, since its name was typed', async () => {
    expect(await runIn(['render', 'greet'], skills(mark))).toEqual({
      code: 0,
      stderr: '',
      stdout: `${header('greet')}A  B`,
    })
    expect(existsSync(`${tree.path}/work/ran`)).toBe(true)
  })

  test('has a person at a terminal asked once whether they trust its folder', async () => {
    const titles: string[] = []
    const answer: Console['answer'] = title => {
      titles.push(title)
      return 'yes'
    }
    expect(await runIn(['render', 'there'], { ...skills(mark), answer })).toMatchObject({
      code: 0,
      stdout: `${header('there', 'work')}A  B`,
    })
    expect(titles).toEqual(['Trust it?'])
  })

  test('does not run against a rule, with any answer', async () => {
    const { code, stdout } = await runIn(['render', 'greet', '--yes', '--deny', 'Bash(touch:*)'], {
      ...skills(mark),
      answer: () => 'once',
    })
    expect(code).toBe(0)
    expect(stdout).toMatch(/A \[shell command not run: .*\] B$/)
    expect(existsSync(`${tree.path}/work/ran`)).toBe(false)
  })

  test('is asked about at a terminal, with everything that would run', async () => {
    const titles: string[] = []
    const answer: Console['answer'] = (title, choices) => {
      titles.push(title, ...choices.map(({ label }) => label))
      return 'once'
    }
    const { code, stdout, stderr } = await runIn(['render', 'late', '--', 'x\u001b[2J'], {
      ...(await late('!`echo $what`')),
      answer,
    })
    expect(code).toBe(0)
    expect(stdout).toBe(`${header('late', 'work')}x\u001b[2J`)
    expect(titles).toEqual(['May it?', 'No', 'Yes, this once', expect.stringContaining('Yes, always: Bash(echo ')])
    expect(stderr).toMatch(/^ {2}.* late of project \(/m)
    expect(stderr).toContain('    | echo "${SKILL_ARG_0}"\n  where SKILL_ARG_0 is:\n    | x<U+001B>[2J\n')
  })

  test('is not run when the person says no, and giving up ends with 130 and prints nothing', async () => {
    const console = await late(mark)
    const denied = await runIn(['render', 'late'], { ...console, answer: () => 'deny' })
    expect(denied).toMatchObject({ code: 0, stdout: expect.stringContaining('[shell command not run: ') })
    expect(await runIn(['render', 'late'], { ...console, answer: () => undefined })).toMatchObject({
      code: 130,
      stdout: '',
    })
    expect(existsSync(`${tree.path}/work/ran`)).toBe(false)
  })

  test('that is to end everything when it may not run ends the rendering', async () => {
    const { code, stdout, stderr } = await runIn(
      ['render', 'greet', '--deny', 'Bash'],
      skills(mark, 'on-shell-error: abort\n'),
    )
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('touch ran')
  })
})

describe('--json', () => {
  test('tells of each piece where it comes from, and joined they are the text', async () => {
    const { code, stdout } = await runIn(
      ['render', 'greet', '--json', '--allow', 'Bash(echo:*)', '--', 'you'],
      skills(),
    )
    expect(code).toBe(0)
    const { text, tokens } = JSON.parse(stdout) as { text: string; tokens: { value: string }[] }
    expect(tokens.map(({ value }) => value).join('')).toBe(text)
    expect(tokens).toMatchObject([
      { origin: 'frame', expander: 'text', offset: null, line: null, written: null, value: header('greet') },
      { origin: 'text', offset: 0, line: 5, column: 1, value: 'First: ', isReplaced: false },
      {
        origin: 'command',
        expander: 'shell',
        offset: 7,
        line: 5,
        column: 8,
        written: '!`echo hello $what`',
        value: 'hello you',
        isReplaced: true,
        parts: [{ origin: 'argument', written: '$what', value: 'you', offset: 20 }],
        command: {
          hasRun: true,
          tool: 'Bash',
          script: 'echo hello "${SKILL_ARG_0}"',
          values: { SKILL_ARG_0: 'you' },
          behavior: 'allow',
          decidedBy: 'rule',
          rule: 'Bash(echo:*)',
          ruleSource: '--allow',
        },
      },
      { origin: 'text', value: '\nIt costs ' },
      { origin: 'text', expander: 'text', written: '\\$', line: 6, column: 10, value: '$', isReplaced: true },
      { origin: 'text', value: '5, says ' },
      { origin: 'variable', written: '${CLAUDE_SKILL_DIR}', value: `${tree.path}/home/.claude/skills/greet` },
      { origin: 'text', value: '.\n' },
    ])
  })

  test('has what is put below the text, and a command that did not run', async () => {
    const { code, stdout } = await runIn(['render', 'late', '--json', '--', 'you'], await late('A !`touch ran`'))
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      text: `${header('late', 'work')}A !\`touch ran\`\n\nARGUMENTS: you`,
      tokens: [
        {},
        {},
        {
          origin: 'command',
          value: '!`touch ran`',
          isReplaced: false,
          command: { hasRun: false, behavior: 'deny', decidedBy: 'default', rule: null },
        },
        { origin: 'frame', value: '\n\nARGUMENTS: you' },
      ],
    })
  })
})

test('a name that no command has is one sentence', async () => {
  expect(await runIn(['render', 'gret'], skills())).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^skills: .*gret.*greet.*\n$/),
  })
})
