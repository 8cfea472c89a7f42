import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { runIn, type Console } from '../../../test/console.js'

let tree: TempTree
afterEach(() => tree.dispose())

/** Skills of the user, which may run when typed, and skills of an untrusted project. */
function skills(): Console {
  tree = tempTree({
    'home/.claude/skills/plain/SKILL.md': '---\ndescription: Harmless.\n---\nDo $ARGUMENTS.',
    'home/.claude/skills/touch/SKILL.md':
      '---\ndescription: Touches.\nmodel: opus\neffort: high\ndisallowed-tools: Write\n---\nA !`touch ran`B',
    'home/.claude/skills/forked/SKILL.md': '---\ndescription: Forks.\ncontext: fork\n---\nDo.',
    'work/.git': { dir: true },
    'work/.claude/skills/theirs/SKILL.md': '---\ndescription: Touches.\nallowed-tools: Read\n---\n!`touch ran`',
  })
  return { cwd: `${tree.path}/work`, home: `${tree.path}/home` }
}

/** The same skills, and `late`, which was added after the project was trusted: it is asked about. */
async function late(): Promise<Console> {
  const console = skills()
  expect((await runIn(['trust', '--yes'], console)).code).toBe(0)
  tree.write({
    'work/.claude/skills/late/SKILL.md': '---\ndescription: Late.\nmodel: opus\neffort: high\n---\nA !`touch ran`B',
  })
  return console
}

const hasRun = (): boolean => existsSync(`${tree.path}/work/ran`)

/** Answers each question with the first choice whose label contains one of these words. */
function choosing(...words: readonly string[]): Pick<Console, 'answer'> & { readonly asked: string[][] } {
  const asked: string[][] = []
  return {
    asked,
    answer(_title, choices) {
      const word = words[Math.min(asked.length, words.length - 1)] ?? ''
      asked.push(choices.map(({ label }) => label))
      return choices.find(({ label }) => label.includes(word))?.value
    },
  }
}

describe('what it prints', () => {
  test('is the messages for the model', async () => {
    const console = skills()
    expect(await runIn(['run', '/plain', '--', 'it', 'now'], console)).toEqual({
      code: 0,
      stderr: '',
      stdout: `<command-message>The "plain" skill is loading</command-message>\n<command-name>plain</command-name>\n\nBase directory for this skill: ${tree.path}/home/.claude/skills/plain\n\nDo it now.\n`,
    })
  })

  test('has beside it what changes for the agent', async () => {
    const { code, stdout, stderr } = await runIn(
      ['run', 'touch', '--allow', 'Skill(touch)', '--allow', 'Bash(touch ran)'],
      skills(),
    )
    expect(code).toBe(0)
    expect(stdout).toMatch(/\n\nA B\n$/)
    expect(stderr).toBe(
      'What changes for the agent\n  disallowed tools  Write\n  model             opus\n  effort            high\n',
    )
    expect(hasRun()).toBe(true)
  })

  test('is as JSON everything that an agent would be given', async () => {
    const { stdout } = await runIn(['run', 'touch', '--json', '--allow', 'Skill', '--allow', 'Bash'], skills())
    expect(JSON.parse(stdout)).toMatchObject({
      data: { success: true, commandName: 'touch', status: 'inline' },
      messages: [
        { type: 'user', isMeta: false },
        { type: 'user', isMeta: true, content: [{ type: 'text', text: expect.stringContaining('A B') }] },
        { type: 'attachment', attachment: { model: 'opus' } },
      ],
      changes: { allowedTools: [], disallowedTools: ['Write'], onlyTools: null, model: 'opus', effort: 'high' },
    })
  })
})

describe('without a terminal', () => {
  test('a question is a denial that says what to do, and nothing is printed', async () => {
    const console = await late()
    expect(await runIn(['run', 'late'], console)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^skills: Nothing was run\. .* Skill\(late\): .*--yes\.\n$/) as string,
    })
    expect(hasRun()).toBe(false)
  })

  test('--yes answers each question, this once', async () => {
    const console = await late()
    const { code, stderr } = await runIn(['run', 'late', '--yes'], console)
    expect(code).toBe(0)
    expect(stderr).toMatch(/^skills: Allowed .* --yes: Skill\(late\)$/m)
    expect(hasRun()).toBe(true)
    expect((await runIn(['run', 'late'], console)).code).toBe(1)
    expect(existsSync(`${tree.path}/home/.local/state/skills/approvals.json`)).toBe(false)
  })

  test('what a rule denies is denied, even with --yes and --allow', async () => {
    const { code, stdout, stderr } = await runIn(
      ['run', 'touch', '--yes', '--allow', 'Skill', '--deny', 'Skill(touch)'],
      skills(),
    )
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^skills: .*touch.*\n$/)
    expect(hasRun()).toBe(false)
  })

  test('a rule that does not parse allows nothing', async () => {
    expect((await runIn(['run', 'late', '--allow', 'Skill(late'], await late())).code).toBe(1)
    expect((await runIn(['run', 'touch', '--allow'], skills())).stderr).toMatch(/ --allow /)
  })
})

describe('at a terminal', () => {
  test('a question shows what it is about, and no is the first answer', async () => {
    const person = choosing('this once')
    const { code, stderr } = await runIn(['run', 'late'], { ...(await late()), ...person })
    expect(code).toBe(0)
    expect(person.asked).toEqual([['No', 'Yes, this once', 'Yes, always: Skill(late)', 'Yes, always: Skill(late:*)']])
    expect(stderr).toMatch(/Execute skill: late \(.*\)\?\n {2}the skill {2}late of project \(/)
    expect(stderr).toMatch(/ opus\n.* high\n {2}embeds\n {4}\| touch ran\n/)
    expect(hasRun()).toBe(true)
  })

  test('a yes for once is asked again the next time', async () => {
    const console = await late()
    const person = choosing('this once')
    expect((await runIn(['run', 'late'], { ...console, ...person })).code).toBe(0)
    expect((await runIn(['run', 'late'], { ...console, ...person })).code).toBe(0)
    expect(person.asked.length).toBe(2)
    expect((await runIn(['run', 'late'], console)).code).toBe(1)
  })

  test('an answer for always is a rule in the state of the user, outside of the project, and holds the next time', async () => {
    const console = await late()
    expect((await runIn(['run', 'late'], { ...console, ...choosing('always: Skill(late)') })).code).toBe(0)
    const folder = `${tree.path}/home/.local/state/skills/permissions`
    const [file = ''] = readdirSync(folder)
    expect(JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'))).toEqual({
      permissions: { allow: ['Skill(project:late)'] },
    })
    expect(readdirSync(`${tree.path}/work/.claude`)).toEqual(['skills'])
    expect((await runIn(['run', 'late'], console)).code).toBe(0)
  })

  test('an answer that cannot be saved holds this once, and that is said', async () => {
    const console = await late()
    const answer: Console['answer'] = (_title, choices) => {
      // Written while the question is open.
      tree.write({ 'home/.local/state/skills/permissions': 'a file in the way' })
      return choices[2]?.value
    }
    const { code, stderr } = await runIn(['run', 'late', '--allow', 'Bash'], { ...console, answer })
    expect(code).toBe(0)
    expect(stderr).toMatch(/skills: .* not saved, .*permissions.*\n/)
    expect(hasRun()).toBe(true)
  })

  test('no is no', async () => {
    const denied = await runIn(['run', 'late'], { ...(await late()), ...choosing('No') })
    expect(denied).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('skills: Execute skill: late'),
    })
    expect(hasRun()).toBe(false)
  })

  test('giving up ends with 130, denies, and prints nothing', async () => {
    expect(await runIn(['run', 'late'], { ...(await late()), ...choosing('nothing that is there') })).toMatchObject({
      code: 130,
      stdout: '',
    })
    expect(hasRun()).toBe(false)
  })
})

test('a skill of the user is asked nothing about: its name was typed', async () => {
  expect(await runIn(['run', 'touch'], skills())).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/\n\nA B\n$/),
  })
  expect(hasRun()).toBe(true)
})

describe('a skill of a project that is not trusted', () => {
  test('is not run without a terminal, with any flags: the sentence says how to trust it', async () => {
    const { code, stdout, stderr } = await runIn(
      ['run', 'theirs', '--yes', '--allow', 'Skill', '--allow', 'Bash'],
      skills(),
    )
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^skills: Nothing was run\. .*"theirs" .* not trusted, .*: skills trust\n$/,
      ) as string,
    })
    expect(hasRun()).toBe(false)
  })

  test('has a person at a terminal asked once, for its folder, and then runs', async () => {
    const console = skills()
    const person = choosing('Yes, as it is shown')
    const { code, stderr } = await runIn(['run', 'theirs'], { ...console, ...person })
    expect([code, person.asked.length]).toEqual([0, 1])
    expect(stderr).toContain('    | runs: touch ran\n')
    expect(stderr).toContain(`skills: Trusted: ${tree.path}/work\n`)
    expect(hasRun()).toBe(true)
    expect((await runIn(['run', 'theirs'], console)).code).toBe(0)
  })

  test('is not run after a no, and giving up ends with 130', async () => {
    const console = skills()
    expect(await runIn(['run', 'theirs'], { ...console, ...choosing('No') })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('is not trusted'),
    })
    expect(await runIn(['run', 'theirs'], { ...console, ...choosing('nothing that is there') })).toMatchObject({
      code: 130,
      stdout: '',
    })
    expect(hasRun()).toBe(false)
  })

  test('runs once it is trusted, and is asked about when it changed: the question says what did', async () => {
    const console = skills()
    await runIn(['trust', '--yes'], console)
    expect(await runIn(['run', 'theirs'], console)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('allowed tools'),
    })
    expect(hasRun()).toBe(true)
    tree.write({
      'work/.claude/skills/theirs/SKILL.md': '---\ndescription: Touches.\nallowed-tools: Bash\n---\n!`touch ran`',
    })
    const { code, stderr } = await runIn(['run', 'theirs'], { ...console, ...choosing('No') })
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /Execute skill: theirs \(.* changed .*: allowed-tools was Read .* Bash; SKILL\.md changed\)\?/,
    )
  })

  test('that changed is told of without a terminal, by run, list and the overview, and not once it is agreed to', async () => {
    const console = skills()
    const line = expect.stringMatching(
      /^skills: Asked .* changed .*: theirs \(allowed-tools was Read .* Bash; SKILL\.md changed\)\. .*: skills trust\n$/,
    ) as string
    const beside = async (): Promise<readonly string[]> =>
      Promise.all([['list'], [], ['list', '--json']].map(async argv => (await runIn(argv, console)).stderr))
    await runIn(['trust', '--yes'], console)
    expect(await beside()).toEqual(['', '', ''])
    tree.write({
      'work/.claude/skills/theirs/SKILL.md': '---\ndescription: Touches.\nallowed-tools: Bash\n---\n!`touch ran`',
    })
    expect(await beside()).toEqual([line, line, ''])
    expect(await runIn(['run', 'theirs'], console)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^skills: Nothing was run\. .* Skill\(theirs\): .*: allowed-tools was Read .* Bash; SKILL\.md changed\. .*--yes\.\n$/,
      ),
    })
    expect((await runIn(['explain', 'theirs'], console)).stdout).toMatch(/note: .* \/theirs .* asked for permission/)
    await runIn(['trust', '--yes'], console)
    expect(await beside()).toEqual(['', '', ''])
    expect((await runIn(['explain', 'theirs'], console)).stdout).toMatch(
      /note: .*"theirs", .*\nnote: .* \/theirs, .* without asking you/,
    )
  })
})

test('a skill that is to run apart has no one who runs it', async () => {
  expect(await runIn(['run', 'forked', '--yes'], skills())).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('runner'),
  })
})

test('a name that no command has is one sentence', async () => {
  expect(await runIn(['run', 'plian'], skills())).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^skills: .*plian.*plain.*\n$/),
  })
})
