import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { plain, runIn, type Console } from '../../../test/console.js'

let tree: TempTree
afterEach(() => tree.dispose())

/** Configuration without bundled skills, so that only the test's skills exist. */
const unbundled = { 'home/.config/skills/skills.config.json': '{"bundled":false}' }
const skill = (description: string, more = ''): string => `---\ndescription: ${description}\n${more}---\nBody.\n`

function project(): Console {
  tree = tempTree({
    'work/.git': { dir: true },
    'work/.claude/skills/deploy/SKILL.md': skill(
      'Ships what is on the branch.',
      'when_to_use: When the user says so.\n',
    ),
    'work/.claude/skills/review/SKILL.md': skill('Reviews a change before it is merged.'),
    'work/.claude/skills/secret/SKILL.md': skill('For people alone.', 'disable-model-invocation: true\n'),
    'home/.claude/skills/notes/SKILL.md': skill('Takes notes.'),
    ...unbundled,
  })
  return { cwd: `${tree.path}/work`, home: `${tree.path}/home` }
}

const whole = `<system-reminder>
The following skills are available for use with the Skill tool:

- notes: Takes notes.
- deploy: Ships what is on the branch. - When the user says so.
- review: Reviews a change before it is merged.
</system-reminder>`

describe('in a pipe', () => {
  test('it is the text that a model gets, to the letter, and nothing else', async () => {
    expect(await runIn(['listing'], project())).toEqual({ code: 0, stdout: whole, stderr: '' })
  })

  test('what had to be shortened or left out is said beside it, with what to do', async () => {
    const { code, stdout, stderr } = await runIn(['listing', '--context-window', '2500'], project())
    expect(code).toBe(0)
    expect(stdout).not.toBe(whole)
    expect(stderr).toMatch(/^Shortened, .*: .*deploy.*\n {2}.*: skills listing --context-window 1000000\n$/)
    const none = await runIn(['listing', '--context-window', '100'], project())
    // The order changes with time, so that each skill has its turn.
    expect(none.stderr).toMatch(/^Left out, .*: (?:(?:notes|deploy|review)(?:, )?){3}\n {2}/)
  })

  test('of no skill it is nothing', async () => {
    tree = tempTree(unbundled)
    expect(await runIn(['listing'], { cwd: tree.path, home: `${tree.path}/home` })).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    })
  })

  test('a skill that waits for a file that is worked on is not told of', async () => {
    const console = project()
    tree.write({ 'work/.claude/skills/styles/SKILL.md': skill('Styles.', 'paths: "**/*.css"\n') })
    expect(await runIn(['listing'], console)).toMatchObject({ stdout: whole })
    const { kept } = JSON.parse((await runIn(['listing', '--json'], console)).stdout) as {
      kept: { name: string; reasons: unknown[] }[]
    }
    expect(kept.find(({ name }) => name === 'styles')?.reasons).not.toEqual([])
  })

  test('what the program brings along is told of too', async () => {
    tree = tempTree()
    expect((await runIn(['listing'], { cwd: tree.path })).stdout).toMatch(
      /- check-skill: .*\n- explain-skills: .*\n- make-plugin: .*\n- write-skill: /,
    )
  })

  test('the budget of the environment counts', async () => {
    const { stdout } = await runIn(['listing', '--json'], {
      ...project(),
      env: { SLASH_COMMAND_TOOL_CHAR_BUDGET: '90' },
    })
    expect(JSON.parse(stdout)).toMatchObject({ budgetChars: 90 })
  })
})

describe('--strategy', () => {
  test.each([
    ['proportional', /^- notes: Takes notes\.$/m],
    ['cutoff', /^- \/notes: Takes notes\. \(user\)$/m],
    ['fixed', /^These skills are available:$/m],
    ['xml', /<available_skills>/],
    ['grouped', /^- \*\*\/notes\*\*: Takes notes\.$/m],
  ])('%s is how it is laid out', async (strategy, text) => {
    const { code, stdout } = await runIn(['listing', '--strategy', strategy], project())
    expect(code).toBe(0)
    expect(stdout).toMatch(text)
  })

  test('that has no budget is not said to have one', async () => {
    const console = project()
    const fixed = await runIn(['listing', '--strategy', 'grouped'], { ...console, isTerminal: true, columns: 42 })
    expect(plain(fixed.stderr)).toMatch(/^\n\d+ characters, without a budget\n {2}[█▓]+·+\n/)
    tree.write({ 'work/.claude/skills/long/SKILL.md': skill('Long. '.repeat(40)) })
    const { stdout } = await runIn(['listing', '--strategy', 'fixed', '--json'], console)
    expect(JSON.parse(stdout)).toMatchObject({
      budgetChars: null,
      truncated: [{ name: 'long', source: 'project', cause: 'strategy' }],
    })
    expect((await runIn(['listing', '--strategy', 'fixed'], console)).stderr).toMatch(
      /^Shortened .* strategy, .*: long\n$/,
    )
  })

  test('that there is not is an argument that is not understood, with those that there are', async () => {
    expect(await runIn(['listing', '--strategy', 'fare'], project())).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^skills: .*"fare"\. .* fair\? .* fair, filling, proportional, cutoff, fixed, xml, grouped, dealt, shortlist\.\n$/,
      ),
    })
    expect(await runIn(['listing', '--strategy', 'constructor'], project())).toMatchObject({ code: 2 })
  })

  test('with a message it has what fits that best, and says how many skills there are besides', async () => {
    const console = project()
    tree.write({
      'home/.config/skills/skills.config.json': '{"bundled":false,"listing":{"strategy":"shortlist","most":1}}',
    })
    const { stdout, stderr } = await runIn(['listing', '--message', 'Please review this change'], console)
    expect(stdout).toContain('- review: Reviews a change before it is merged.\n(2 more skills are not shown here.)')
    expect(stderr).toBe('Left out, for others fit the conversation better: notes, deploy\n')
    const { stdout: json } = await runIn(['listing', '--message', 'what is on the branch', '--json'], console)
    expect(JSON.parse(json)).toMatchObject({
      entries: [{ name: 'deploy' }],
      omitted: [
        { name: 'notes', cause: 'strategy' },
        { name: 'review', cause: 'strategy' },
      ],
    })
    expect(await runIn(['listing', '--message', 'deploy', '--strategy', 'fair'], console)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('by the strategy "fair" does not depend on a message'),
    })
  })

  test('may be one of a plugin, which is among those that there are', async () => {
    const console = project()
    const setup = `() => ({
      order: entries => entries,
      lay: ordered => ({ text: ordered.map(({ name }) => name).join('+'), entries: [], omitted: [], truncated: [] }),
    })`
    tree.remove('home/.config/skills/skills.config.json')
    tree.write({
      'home/.config/skills/skills.config.mjs': `export default {
        bundled: false, providers: [{ kind: 'strategy', id: 'joined', contract: 1, setup: ${setup} }],
      }`,
    })
    const { code, stdout, stderr } = await runIn(['listing', '--strategy', 'joined', '--json'], console)
    expect({ code, stderr, text: (JSON.parse(stdout) as { text: string }).text }).toMatchObject({
      code: 0,
      stderr: '',
      text: expect.stringContaining('notes+deploy+review'),
    })
    expect((await runIn(['listing', '--strategy', 'join'], console)).stderr).toMatch(
      /"join"\. .* joined\? .* fair, filling, proportional, cutoff, fixed, xml, grouped, dealt, shortlist, joined\.\n$/,
    )
  })
})

describe('--costs', () => {
  test('names the rule that keeps a skill from being told of, and so does explain', async () => {
    tree = tempTree({
      'home/.claude/skills/a/SKILL.md': '---\ndescription: x\n---\nx',
      'home/.claude/skills/b/SKILL.md': '---\ndescription: x\n---\nx',
      'home/.claude/settings.json': '{"permissions":{"deny":["Skill(b)"]}}',
      work: { dir: true },
    })
    const console = { cwd: `${tree.path}/work`, home: `${tree.path}/home` }
    const rule = 'Skill\\(b\\) of userSettings denies "b"\\.'
    const { stdout } = await runIn(['listing', '--costs'], console)
    expect(stdout.split('\n').filter(line => line.includes('\tuser\t'))).toEqual([
      'a\tuser\t6\twhole',
      expect.stringMatching(new RegExp(`^b\tuser\t0\tdenied: .* ${rule}$`)),
    ])
    expect((await runIn(['explain', 'b'], console)).stdout).toMatch(new RegExp(`^  not listed     .* ${rule}$`, 'm'))
  })

  test('is what each skill takes, the most first, and at the end what found no room', async () => {
    const console = project()
    expect(await runIn(['listing', '--costs'], console)).toEqual({
      code: 0,
      stderr: '',
      stdout: 'deploy\tproject\t63\twhole\nreview\tproject\t47\twhole\nnotes\tuser\t21\twhole\n',
    })
    // The skills that find room change from day to day.
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T12:00:00Z') })
    onTestFinished(() => void vi.useRealTimers())
    const tight = await runIn(['listing', '--costs'], { ...console, env: { SLASH_COMMAND_TOOL_CHAR_BUDGET: '20' } })
    expect(tight.stdout).toBe(
      'deploy\tproject\t8\tname only\nnotes\tuser\t7\tname only\nreview\tproject\t0\tleft out\n',
    )
    expect(tight.code).toBe(0)
  })

  test('is a table on a terminal', async () => {
    const { stdout } = await runIn(['listing', '--costs'], { ...project(), isTerminal: true })
    expect(plain(stdout)).toBe(
      'NAME    SOURCE   CHARS  SHOWN\ndeploy  project     63  whole\nreview  project     47  whole\nnotes   user        21  whole\n',
    )
  })
})

describe('on a terminal', () => {
  test('it has a bar of the budget by source, and who is not told and why', async () => {
    const { stdout, stderr } = await runIn(['listing'], { ...project(), isTerminal: true, columns: 42 })
    expect(plain(stdout)).toBe(`${whole}\n`)
    expect(plain(stderr).split('\n')).toEqual([
      '',
      '133 characters of 8000',
      `  █▓${'·'.repeat(38)}`,
      '  █ user     22 characters, 1 skill',
      '  ▓ project  112 characters, 2 skills',
      'Not told:',
      expect.stringMatching(/^ {2}secret {2}\S.{0,31}$/),
      expect.stringMatching(/^ {10}\S.{0,31}$/),
      '          (disable-model-invocation).',
      '',
    ])
  })

  test('it says when there is nothing to tell', async () => {
    tree = tempTree(unbundled)
    expect(
      (await runIn(['listing'], { cwd: tree.path, home: `${tree.path}/home`, isTerminal: true })).stderr,
    ).toContain(' no skill.')
  })

  test('nothing in it is obeyed', async () => {
    tree = tempTree({ '.claude/skills/a/SKILL.md': '---\ndescription: "Red \\u202e and \\e[2J ends."\n---\nx' })
    const { stdout } = await runIn(['listing'], { cwd: tree.path, isTerminal: true })
    // oxlint-disable-next-line no-control-regex -- none of them may be there
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
  })
})

describe('--json', () => {
  test('has entries, what each source takes, what is cut and left out, and why', async () => {
    const { stdout } = await runIn(['listing', '--json', '--context-window', '200000'], project())
    expect(JSON.parse(stdout)).toEqual({
      text: whole,
      place: 'reminder',
      contextWindow: 200_000,
      budgetChars: 8000,
      usedChars: 133,
      entries: [
        {
          name: 'notes',
          source: 'user',
          shown: 'whole',
          chars: 21,
          text: '- notes: Takes notes.',
          toldChars: 12,
          ofChars: 12,
        },
        {
          name: 'deploy',
          source: 'project',
          shown: 'whole',
          chars: 63,
          text: '- deploy: Ships what is on the branch. - When the user says so.',
          toldChars: 53,
          ofChars: 53,
        },
        {
          name: 'review',
          source: 'project',
          shown: 'whole',
          chars: 47,
          text: '- review: Reviews a change before it is merged.',
          toldChars: 37,
          ofChars: 37,
        },
      ],
      sources: [
        { source: 'user', chars: 22, entries: 1 },
        { source: 'project', chars: 112, entries: 2 },
      ],
      omitted: [],
      truncated: [],
      kept: [{ name: 'secret', source: 'project', reasons: [{ cause: 'flag', text: expect.any(String) }] }],
    })
  })

  test('names the cause of what is cut', async () => {
    const { stdout } = await runIn(['listing', '--json', '--context-window', '100'], project())
    expect(JSON.parse(stdout)).toMatchObject({
      contextWindow: 100,
      budgetChars: 4,
      entries: [],
      omitted: expect.arrayContaining([
        { name: 'notes', source: 'user', cause: 'budget' },
        expect.objectContaining({ name: 'deploy' }),
        expect.objectContaining({ name: 'review' }),
      ]),
    })
    const cut = JSON.parse(
      (
        await runIn(['listing', '--json', '--context-window', '2500'], {
          cwd: `${tree.path}/work`,
          home: `${tree.path}/home`,
        })
      ).stdout,
    ) as unknown
    expect(cut).toMatchObject({
      truncated: expect.arrayContaining([{ name: 'deploy', source: 'project', cause: 'budget' }]),
      omitted: [],
    })
  })
})

test.each(['0', '-5', '1.5', '1e3', 'many', '200k', '99999999999999999999', ''])(
  '--context-window %j is an argument that is not understood',
  async given => {
    const { code, stdout, stderr } = await runIn(['listing', `--context-window=${given}`], project())
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/ --context-window /)
  },
)
