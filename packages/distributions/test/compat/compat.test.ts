import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { createSkills, processHost, SkillsError } from '@skills/core'
import { compat, compatDiagnostics } from '@skills/inspect/compat'
import type { AgentCompat, Compat } from '@skills/inspect/internal'
import { memoryState } from '@skills/state'
import { tempTree, type TreeEntries } from '@skills/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { agentsNamed } from '../../src/agents.js'
import { checkedAgainst } from '../../src/checked.js'
import { standard } from '../../src/agents/standard/index.js'

/** Compares how agents read the skills of a project. Paths are relative to its folder. */
async function made(files: TreeEntries, agents: readonly string[], more: { only?: string[]; files?: string[] } = {}) {
  const tree = tempTree({ 'p/.git/HEAD': '', 'h/.keep': '', ...files })
  onTestFinished(() => tree.dispose())
  const [reference] = await agentsNamed(['standard'])
  const found = await compat({
    reference: reference!,
    agents: await agentsNamed(agents),
    host: processHost({ cwd: `${tree.path}/p`, home: `${tree.path}/h`, env: {} }),
    ...(more.only && { only: more.only }),
    ...(more.files && { files: more.files.map(file => `${tree.path}/${file}`) }),
  })
  const of = (name: string, agent: string): AgentCompat => {
    const skill = found.skills.find(one => one.name === name)
    const cell = skill?.agents.find(one => one.agent === agent)
    if (cell === undefined) throw new Error(`No ${name} of ${agent} among ${found.skills.map(one => one.name).join()}`)
    return cell
  }
  return { found, of, tree }
}

const skill = (frontmatter: string, body = 'Do it.'): string => `---\n${frontmatter}\n---\n${body}\n`
const uses = ({ fields }: AgentCompat): Record<string, string> =>
  Object.fromEntries(fields.map(({ field, use }) => [field, use]))

describe('where an agent finds a skill', () => {
  test('is here, or in the folder that it reads, under the name that it has there', async () => {
    const { of, found } = await made(
      { 'p/.claude/skills/deploy/SKILL.md': skill('name: Deploy It\ndescription: Ships it.') },
      ['claude-code', 'codex', 'opencode'],
    )
    expect(of('deploy', 'claude-code')).toMatchObject({ found: 'here', name: 'deploy', told: 'whole' })
    expect(of('deploy', 'opencode')).toMatchObject({ found: 'here', name: 'Deploy It', told: 'whole' })
    expect(of('deploy', 'codex')).toMatchObject({
      found: 'elsewhere',
      name: 'Deploy It',
      path: '.agents/skills/deploy/SKILL.md',
      change: { kind: 'place', text: expect.stringContaining(' .agents/skills/deploy.') },
    })
    expect(found.agents).toMatchObject([
      { name: 'claude-code', here: 1, lost: 0 },
      { name: 'codex', elsewhere: 1, lost: 1, misread: 1, checked: checkedAgainst.codex },
      { name: 'opencode', here: 1, lost: 0 },
    ])
  })

  test('is in a file that has another name there, or in a folder that is taken', async () => {
    const { of } = await made(
      {
        'p/.claude/skills/lower/skill.md': skill('name: lower\ndescription: Lower case.'),
        'p/.claude/skills/twice/SKILL.md': skill('name: twice\ndescription: One.'),
        'p/.agents/skills/twice/SKILL.md': skill('name: twice\ndescription: Another.'),
        'p/.claude/commands/said.md': 'Say it.',
        'p/.claude/skills/bare/SKILL.md': 'Do it.',
      },
      ['claude-code', 'gemini-cli'],
    )
    expect(of('lower', 'claude-code')).toMatchObject({ found: 'not', change: { text: 'Call its file SKILL.md.' } })
    expect(of('twice', 'gemini-cli').change).toEqual({
      kind: 'rename',
      text: 'Copy its folder to .agents/skills under another name: .agents/skills/twice is taken.',
    })
    expect(of('said', 'gemini-cli').change?.text).toMatch(/name: said .* description /)
    expect(of('bare', 'gemini-cli').change?.text).toMatch(/^Begin it .*`---`, with /)
  })

  test('waits for a file that its paths name, which is no loss', async () => {
    const { of, found } = await made(
      { 'p/.claude/skills/typed/SKILL.md': skill('name: typed\ndescription: Types.\npaths: src/**') },
      ['claude-code'],
    )
    expect(of('typed', 'claude-code')).toMatchObject({
      found: 'here',
      told: 'later',
      because: expect.stringContaining('src/**') as string,
    })
    expect(uses(of('typed', 'claude-code'))['paths']).toBe('used')
    expect(found.agents[0]?.lost).toBe(0)
  })

  test('is nowhere beyond the skills that it looks at, and that is the reason', async () => {
    const one = skill('description: One of many.')
    const { found: all } = await made(
      Object.fromEntries(Array.from({ length: 2001 }, (_, at) => [`p/.claude/skills/s${at}/SKILL.md`, one])),
      ['codex'],
    )
    const lost = all.skills.flatMap(({ agents }) => agents).filter(({ found }) => found === 'not')
    const because = 'At least 2 folders below .agents/skills were not searched: the limit is 2000.'
    expect(lost.map(cell => cell.because)).toEqual([because, because])
  })

  test('is the home folder for a skill of the user', async () => {
    const { of } = await made({ 'h/.claude/skills/notes/SKILL.md': skill('name: notes\ndescription: Takes notes.') }, [
      'gemini-cli',
    ])
    expect(of('notes', 'gemini-cli')).toMatchObject({ found: 'elsewhere', path: '.agents/skills/notes/SKILL.md' })
  })

  test('is none for a name that another has, and the answer names which', async () => {
    const { of } = await made(
      {
        'p/.agents/skills/one/SKILL.md': skill('name: same\ndescription: The first.'),
        'p/.agents/skills/two/SKILL.md': skill('name: same\ndescription: The second.'),
      },
      ['gemini-cli'],
    )
    const states = ['one', 'two'].map(name => of(name, 'gemini-cli').found)
    expect(states.toSorted()).toEqual(['here', 'shadowed'])
  })

  test('a file that no agent reads as it is is told of all the same', async () => {
    const { of } = await made({ 'p/.claude/skills/broken/SKILL.md': skill('name: [broken') }, ['claude-code', 'codex'])
    expect(of('broken', 'codex').found).toBe('not')
  })
})

describe('the one change', () => {
  test('was tried: a frontmatter that one agent cannot read is repaired, a name is written, a description given', async () => {
    const { of } = await made(
      {
        'p/.agents/skills/review/SKILL.md': skill('name: review\ndescription: Reviews: all of it'),
        'p/.agents/skills/nameless/SKILL.md': skill('description: Has no name.'),
        'p/.agents/skills/silent/SKILL.md': skill('name: silent'),
      },
      ['pi', 'gemini-cli'],
    )
    expect(of('review', 'pi')).toMatchObject({ found: 'not', change: { kind: 'repair' } })
    expect(of('nameless', 'gemini-cli')).toMatchObject({
      found: 'not',
      change: { kind: 'name', text: 'Write name: nameless into its frontmatter.' },
    })
    expect(of('silent', 'gemini-cli')).toMatchObject({ found: 'not', change: { kind: 'description' } })
  })

  test('is none where no edit of the file helps, as for one that its author keeps from listings', async () => {
    const { of } = await made(
      { 'p/.agents/skills/inner/SKILL.md': skill('name: inner\ndescription: For us.\nmetadata:\n  internal: true') },
      ['vercel-skills'],
    )
    expect(of('inner', 'vercel-skills')).toMatchObject({ found: 'not' })
    expect(of('inner', 'vercel-skills').change).toBeUndefined()
  })

  test('of a description that is cut is its length', async () => {
    const { of } = await made(
      { 'p/.claude/skills/long/SKILL.md': skill(`name: long\ndescription: ${'word '.repeat(600)}end`) },
      ['claude-code'],
    )
    const { told, change } = of('long', 'claude-code')
    expect(told).toBe('cut')
    expect(change?.text).toMatch(/ 3003 to \d+ characters/)
  })
})

describe('fields', () => {
  const files = {
    'p/.claude/skills/deploy/SKILL.md': skill(
      'name: deploy\ndescription: Ships it.\ncontext: fork\nallowed-tools: Read\ndisable-model-invocation: true\nlicense: MIT\nodd-key: 1',
      'Ship $ARGUMENTS.\n\n!`git status`\n',
    ),
  }

  test('are used or ignored as the distribution shows when it is run', async () => {
    const { of } = await made(files, ['claude-code', 'codex', 'pi'])
    expect(uses(of('deploy', 'claude-code'))).toMatchObject({
      context: 'used',
      'allowed-tools': 'used',
      'disable-model-invocation': 'used',
      $ARGUMENTS: 'used',
      '!`command`': 'used',
      'odd-key': 'ignored',
    })
    expect(uses(of('deploy', 'codex'))).toEqual({
      name: 'used',
      description: 'used',
      context: 'ignored',
      'allowed-tools': 'ignored',
      'disable-model-invocation': 'ignored',
      license: 'ignored',
      'odd-key': 'ignored',
      $ARGUMENTS: 'ignored',
      '!`command`': 'ignored',
    })
    expect(uses(of('deploy', 'pi'))).toMatchObject({ context: 'ignored', 'disable-model-invocation': 'used' })
    expect(of('deploy', 'claude-code').commands).toBe(1)
    expect(of('deploy', 'codex').commands).toBe(0)
    // A skill hidden from the model by a field is listed by an agent that does not know the field.
    expect([of('deploy', 'claude-code').told, of('deploy', 'codex').told]).toEqual(['user', 'whole'])
  })

  test('are ignored by an agent that shows its model the whole file, and heeds nothing of it', async () => {
    const { of } = await made(
      {
        'p/.claude/skills/one/SKILL.md': skill(
          'name: another\ndescription: D.\narguments: where\ncontext: fork',
          '$where',
        ),
      },
      ['openskills'],
    )
    expect(uses(of('one', 'openskills'))).toEqual({
      name: 'ignored',
      description: 'used',
      arguments: 'ignored',
      context: 'ignored',
    })
  })

  test('that cost nothing where they are ignored say so: a value that is the default, and what tools only show', async () => {
    const { of } = await made(
      { 'p/.claude/skills/plain/SKILL.md': skill('name: plain\ndescription: D.\nuser-invocable: true\nlicense: MIT') },
      ['codex'],
    )
    const { fields } = of('plain', 'codex')
    expect(fields.filter(({ use }) => use === 'ignored').map(({ field, what }) => [field, what])).toEqual([
      ['user-invocable', undefined],
      ['license', undefined],
    ])
  })

  test('mean something else: tools that are allowed here are the only ones there', async () => {
    const { of } = await made(
      { 'p/.claude/skills/tools/SKILL.md': skill('name: tools\ndescription: D.\nallowed-tools: Read') },
      ['claude-code', 'mini'],
    )
    expect(uses(of('tools', 'claude-code'))['allowed-tools']).toBe('used')
    expect(of('tools', 'mini').fields.find(({ field }) => field === 'allowed-tools')).toEqual({
      field: 'allowed-tools',
      use: 'other',
      what: expect.stringContaining('which tools') as string,
    })
  })

  test('a description that an agent reads in another way is told as it reads it', async () => {
    const { of } = await made({ 'p/.claude/skills/odd/SKILL.md': skill('name: odd\ndescription: "Quoted: here"\n') }, [
      'openskills',
    ])
    const { fields } = of('odd', 'openskills')
    expect(fields.find(({ field }) => field === 'description')).toMatchObject({ use: 'other' })
  })
})

describe('what is asked for', () => {
  const files = {
    'p/.claude/skills/one/SKILL.md': skill('name: one\ndescription: One.'),
    'p/.claude/skills/two/SKILL.md': skill('name: two\ndescription: Two.'),
    'p/apart/three/SKILL.md': skill('name: three\ndescription: Three.'),
  }
  const names = ({ skills }: Compat): readonly string[] => skills.map(({ name }) => name)

  test('may be some skills by name, or files that no agent finds', async () => {
    expect(names((await made(files, ['codex'], { only: ['two'] })).found)).toEqual(['two'])
    const { of, found } = await made(files, ['codex'], { files: ['p/apart/three/SKILL.md'] })
    expect(names(found)).toEqual(['three'])
    expect(of('three', 'codex')).toMatchObject({ found: 'elsewhere', name: 'three' })
  })

  test('is refused for a name that no agent has, with the closest', async () => {
    const error = await made(files, ['codex'], { only: ['twoo'] }).catch((reason: unknown) => reason)
    expect(SkillsError.is(error) && [error.code, error.message]).toEqual([
      'E_UNKNOWN_NAME',
      expect.stringMatching(/"twoo".*"two"/),
    ])
  })
})

test('nothing of a skill runs, and no folder of samples is left', async () => {
  // A temporary folder of its own: other tests put samples into that of the system.
  const temporary = tempTree({ '.keep': '' })
  onTestFinished(() => temporary.dispose())
  vi.stubEnv('TMPDIR', temporary.path)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(tmpdir()).toBe(temporary.path)
  const { tree } = await made(
    {
      'p/.claude/skills/evil/SKILL.md': skill(
        'name: evil\ndescription: D.\nhooks:\n  SessionStart:\n    - hooks: [{type: command, command: touch ../../../ran-hook}]',
        '!`touch ran-command`',
      ),
    },
    Object.keys(checkedAgainst),
  )
  expect(existsSync(`${tree.path}/p/ran-command`) || existsSync(`${tree.path}/p/ran-hook`)).toBe(false)
  expect(readdirSync(temporary.path).filter(name => name.startsWith('skills-compat-'))).toEqual([])
})

test("a caller's own engine is the reference, with what it is configured to find", async () => {
  const tree = tempTree({
    'p/.git/HEAD': '',
    'h/.keep': '',
    'more/.claude/skills/extra/SKILL.md': skill('description: E.'),
  })
  onTestFinished(() => tree.dispose())
  const host = processHost({ cwd: `${tree.path}/p`, home: `${tree.path}/h`, env: {} })
  const distribution = standard({
    host,
    additional: [`${tree.path}/more`],
    state: memoryState(),
    trust: { all: true },
    onDiagnostic: () => {},
  })
  await using skills = createSkills(distribution)
  const [reference] = await agentsNamed(['standard'])
  const found = await compat({
    reference: reference!,
    engine: { skills, distribution },
    agents: await agentsNamed(['codex']),
    host,
  })
  expect(found.skills).toMatchObject([{ name: 'extra', agents: [{ agent: 'codex', found: 'elsewhere' }] }])
})

test('findings have the line of the field, and are errors for agents that are wanted alone', async () => {
  const { found } = await made(
    { 'p/.claude/skills/deploy/SKILL.md': skill('name: deploy\ndescription: D.\ncontext: fork') },
    ['codex', 'pi'],
  )
  const all = await compatDiagnostics(found, { wanted: ['codex'] })
  expect(all.map(({ severity, code, line, message }) => [severity, code, line, message.split(':')[0]])).toEqual([
    ['error', 'agent-loses-skill', undefined, 'codex'],
    ['info', 'agent-ignores-field', 4, 'codex ignores `context`'],
    ['warning', 'agent-loses-skill', undefined, 'pi'],
    ['info', 'agent-ignores-field', 4, 'pi ignores `context`'],
  ])
})
