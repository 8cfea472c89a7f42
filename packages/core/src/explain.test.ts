import { describe, expect, test } from 'vitest'
import { engine, fileSkill, listing, local, skill, source } from '../test/engine.js'
import {
  defineProvider,
  isModelVisible,
  loadResult,
  reasonsOf,
  type CatalogEntry,
  type Command,
  type Diagnostic,
  type Explanation,
  type Note,
  type SkillsOptions,
  type Source,
  type Status,
} from './index.js'

async function explained(
  name: string,
  lists: readonly (readonly Command[])[],
  options: Partial<SkillsOptions> = {},
): Promise<Explanation> {
  return engine({ plugins: lists.map((commands, at) => source(`s${at}`, commands)), ...options }).skills.explain(name)
}

function statuses({ answers }: Explanation): Status[] {
  return answers.map(({ status }) => status)
}

const problem: Diagnostic = {
  severity: 'error',
  type: 'parse',
  code: 'bad',
  message: 'It is bad.',
  path: '/u/a/SKILL.md',
  name: 'a',
}

describe('the status', () => {
  test('active says where a command comes from and that no one contests its name', async () => {
    const command = fileSkill('a', 'user', '/u/a/SKILL.md', 'text')
    expect(await explained('a', [[command]])).toEqual({
      query: 'a',
      answers: [
        {
          status: 'active',
          name: 'a',
          source: 'user',
          provider: 's0',
          path: '/u/a/SKILL.md',
          command,
          chosenBy: 'No other command has this name.',
          shadows: [],
          shadowedBy: undefined,
          isListed: true,
          notListedBecause: [],
          diagnostics: [],
        },
      ],
      notes: [],
      suggestions: [],
      incomplete: [],
    })
  })

  test('active and qualified say who shadows whom, and by which rule', async () => {
    const lists = [[fileSkill('a', 'managed', '/m/a', 'one')], [fileSkill('a', 'user', '/u/a', 'two')]]
    const { answers } = await explained('a', lists)
    expect(answers).toMatchObject([
      {
        status: 'active',
        name: 'a',
        source: 'managed',
        chosenBy: 'managed comes before user.',
        shadows: [{ name: 'a', source: 'user', path: '/u/a' }],
        isListed: true,
      },
      {
        status: 'qualified',
        name: 'user:a',
        shadowedBy: { source: 'managed', provider: 's0', path: '/m/a' },
        isListed: true,
        notListedBecause: [],
      },
    ])
    expect((await explained('user:a', lists)).answers).toMatchObject([{ status: 'qualified', name: 'user:a' }])
  })

  test.each([
    ['file', '/same', '/same', 'It is the same file as "a" of managed.'],
    ['text', '/1', '/2', 'It has the same text as "a" of managed.'],
  ])('duplicate is of a command with another’s %s', async (_, one, two, text) => {
    const explanation = await explained('a', [
      [fileSkill('a', 'managed', one, 'text')],
      [fileSkill('a', 'user', two, 'text')],
    ])
    expect(statuses(explanation)).toEqual(['active', 'duplicate'])
    const [, loser] = explanation.answers
    expect(loser).toMatchObject({
      source: 'user',
      notListedBecause: [{ cause: 'shadowed', text }],
      shadowedBy: { source: 'managed' },
    })
  })

  test('shadowed is of a command with no other name to go by', async () => {
    const explanation = await explained('a', [[skill('a', { source: 'managed' }), skill('a')]], {
      qualifyLosers: false,
    })
    expect(statuses(explanation)).toEqual(['active', 'shadowed'])
    expect(explanation.answers[1]?.notListedBecause).toEqual([
      { cause: 'shadowed', text: expect.stringContaining('"a" of managed.') as string },
    ])
  })

  test('disabled tells who switched a command off', async () => {
    const off = await explained('a', [[skill('a')]], { overrides: { a: 'off' } })
    expect(off.answers).toMatchObject([
      { status: 'disabled', isListed: false, notListedBecause: [{ cause: 'override' }] },
    ])
    const itself = await explained('a', [[skill('a', { isEnabled: () => false })]])
    expect(itself.answers).toMatchObject([{ status: 'disabled', notListedBecause: [{ cause: 'disabled' }] }])
  })

  test('failed is of a file that did not load, found by the name it would have', async () => {
    const warning: Diagnostic = { ...problem, severity: 'warning', code: 'odd', message: 'It is odd.' }
    const explanation = await engine({
      plugins: [source('s', [], { errors: [problem], warnings: [warning] })],
    }).skills.explain('A')
    expect(explanation.answers).toEqual([
      {
        status: 'failed',
        name: 'a',
        provider: 's',
        path: '/u/a/SKILL.md',
        source: undefined,
        command: undefined,
        chosenBy: 'It did not load.',
        shadows: [],
        shadowedBy: undefined,
        isListed: false,
        notListedBecause: [{ cause: 'error', text: 'It is bad.' }],
        diagnostics: [
          { ...problem, provider: 's' },
          { ...warning, provider: 's' },
        ],
      },
    ])
  })

  test('failed is said once of a file with several errors, and not of one that loaded nevertheless', async () => {
    const errors = [problem, { ...problem, code: 'worse' }]
    expect(statuses(await engine({ plugins: [source('s', [], { errors })] }).skills.explain('a'))).toEqual(['failed'])
    const commands = [fileSkill('a', 'user', '/u/a/SKILL.md', '')]
    const explanation = await engine({ plugins: [source('s', commands, { errors })] }).skills.explain('a')
    expect(statuses(explanation)).toEqual(['active'])
    expect(explanation.answers[0]?.diagnostics).toHaveLength(2)
  })

  test('active has what is wrong beside its file too, said by its name, and not of another file of the name', async () => {
    const beside = { ...problem, severity: 'warning' as const, path: '/u/a/agents/openai.yaml' }
    const warnings = [beside, { ...beside, path: '/v/a/SKILL.md' }, { ...beside, name: 'b' }]
    const plugins = [
      source('s', [fileSkill('a', 'user', '/u/a/SKILL.md', '')], { warnings }),
      source('t', [], { warnings: [beside] }),
    ]
    expect((await engine({ plugins }).skills.explain('a')).answers[0]?.diagnostics).toEqual([
      { ...beside, provider: 's' },
    ])
  })

  test('gone is of a command that a reload no longer found, until it is back', async () => {
    let commands = [skill('a', { aliases: ['b'] })]
    const { skills, clock } = engine({ plugins: [listing('s', () => loadResult({ commands }))] })
    const statusNow = async (name: string): Promise<Status[]> => statuses(await skills.explain(name))
    await skills.catalog()
    commands = []
    await clock.advance(1000)
    await skills.refresh()
    const { answers, suggestions } = await skills.explain('a')
    expect(answers).toMatchObject([
      { status: 'gone', name: 'a', provider: 's', isListed: false, notListedBecause: [{ cause: 'removed' }] },
    ])
    expect(answers[0]?.chosenBy).toContain('2024-01-01T00:00:01.000Z')
    expect(suggestions).toEqual([])
    expect(await statusNow('b')).toEqual(['gone'])
    commands = [skill('a')]
    await skills.refresh()
    expect(await statusNow('a')).toEqual(['active'])
    expect(await statusNow('b')).toEqual([])
  })

  test('gone is not said of what has another answer now', async () => {
    let now = loadResult({ commands: [fileSkill('a', 'user', '/u/a/SKILL.md', ''), skill('b')] })
    const { skills } = engine({ plugins: [listing('s', () => now)] })
    await skills.catalog()
    now = loadResult({ commands: [skill('b', { isEnabled: () => false })], errors: [problem] })
    await skills.refresh()
    expect(statuses(await skills.explain('a'))).toEqual(['failed'])
    expect(statuses(await skills.explain('b'))).toEqual(['disabled'])
  })
})

describe('a name', () => {
  const lists = [[skill('a'), skill('A'), skill('b', { displayName: 'a' }), skill('c', { aliases: ['a'] }), skill('d')]]

  test('is answered for by all that go by it, the one it leads to first', async () => {
    expect((await explained('A', lists)).answers.map(({ name }) => name)).toEqual(['A', 'a', 'b', 'c'])
    expect((await explained('a', lists)).answers.map(({ name }) => name)).toEqual(['a', 'A', 'b', 'c'])
  })

  test('that no one ever had gets close ones instead', async () => {
    expect(await explained('deplay', [[skill('deploy')]])).toEqual({
      query: 'deplay',
      answers: [],
      notes: [],
      suggestions: ['deploy'],
      incomplete: [],
    })
  })
})

describe('the reasons why the model is not told', () => {
  const entryOf = (command: Command, more: Partial<CatalogEntry> = {}): CatalogEntry => ({
    name: command.name,
    command,
    provider: 's',
    override: 'on',
    isQualified: false,
    ...more,
  })

  test.each([
    ['it is no prompt', entryOf(local('a')), ['flag'], /runs in the host/],
    [
      'its author keeps it from the model',
      entryOf(skill('a', { disableModelInvocation: true })),
      ['flag'],
      /disable-model-invocation/,
    ],
    ['it is built in', entryOf(skill('a', { source: 'builtin' })), ['flag'], /built in/],
    ['it is no skill', entryOf(skill('a', { isSkill: false })), ['flag'], /not a skill/],
    [
      'it is not described',
      entryOf(skill('a', { hasUserSpecifiedDescription: false, description: '' })),
      ['flag'],
      /no description/,
    ],
    ['it is for the user', entryOf(skill('a'), { override: 'user-only' }), ['override'], /user-only/],
  ])('name that %s', (_, entry, causes, text) => {
    expect(reasonsOf(entry).map(({ cause }) => cause)).toEqual(causes)
    expect(reasonsOf(entry)[0]?.text).toMatch(text)
  })

  test('are none for exactly what the model may see', () => {
    for (const isSkill of [true, false]) {
      for (const disableModelInvocation of [true, false]) {
        for (const origin of ['user', 'builtin']) {
          for (const hasUserSpecifiedDescription of [true, false]) {
            const command = skill('a', { isSkill, disableModelInvocation, source: origin, hasUserSpecifiedDescription })
            expect(reasonsOf(entryOf(command)).length === 0).toBe(isModelVisible(command))
          }
        }
      }
    }
  })

  test('are none for one that lost its plain name: it is listed under the qualified one', () => {
    expect(reasonsOf(entryOf(skill('a'), { name: 'project:a', isQualified: true }))).toEqual([])
  })

  test.each(['on', 'name-only', 'pinned'] as const)('are none under the override %s', override => {
    expect(reasonsOf(entryOf(skill('a'), { override }))).toEqual([])
  })
})

describe('notes', () => {
  const noting = (text: string): Pick<Source, 'explain'> => ({
    explain: name => [{ text: `${text} ${name}`, path: '/p' }],
  })
  const empty = () => loadResult({})

  test('come from providers of every kind, with their ids, in their order', async () => {
    const greeter = defineProvider({
      kind: 'greeter',
      id: 'g',
      setup: () => ({ greet: () => '', ...noting('heard of') }),
    })
    const judge = defineProvider({ kind: 'judge', id: 'j', setup: () => ({ greet: () => '' }) })
    const plugins = [listing('b', empty, noting('looked for')), judge, greeter, listing('a', empty, noting('saw'))]
    expect((await engine({ plugins }).skills.explain('x')).notes).toEqual([
      { text: 'heard of x', path: '/p', provider: 'g' },
      { text: 'saw x', path: '/p', provider: 'a' },
      { text: 'looked for x', path: '/p', provider: 'b' },
    ])
  })

  test('are asked about the command that has the name', async () => {
    const asked: unknown[] = []
    const command = skill('a')
    const curious = listing('s', () => loadResult({ commands: [command] }), {
      explain: (...given) => (asked.push(given.slice(0, 2)), []),
    })
    const { skills } = engine({ plugins: [curious] })
    await skills.explain('a')
    await skills.explain('b')
    expect(asked).toEqual([
      ['a', command],
      ['b', undefined],
    ])
  })

  test.each(['greeter', 'judge', 'worker'] as const)(
    'of a %s that cannot explain say so, regardless of its kind makes of it',
    async kind => {
      const explain = (): readonly Note[] => {
        throw new Error('speechless')
      }
      const bad = defineProvider({ kind, id: 'bad', setup: () => ({ greet: () => '', explain }) })
      const { skills, diagnostics } = engine({ plugins: [bad, source('s', [skill('a')])] })
      const { answers, notes } = await skills.explain('a')
      expect(answers).toHaveLength(1)
      expect(notes).toEqual([{ text: expect.stringContaining('speechless'), provider: 'bad' }])
      expect(diagnostics).toEqual([])
    },
  )

  test('are not asked of a provider that says that it has none, which is not set up for them', async () => {
    const setUp: string[] = []
    const greeter = (id: string, more: { readonly explains?: false }) =>
      defineProvider({
        kind: 'greeter',
        id,
        ...more,
        setup: () => {
          setUp.push(id)
          return { greet: () => '', explain: (): readonly Note[] => [{ text: id }] }
        },
      })
    const { skills } = engine({
      plugins: [greeter('heard', {}), greeter('silent', { explains: false }), source('s', [skill('a')])],
    })
    expect((await skills.explain('a')).notes).toEqual([{ text: 'heard', provider: 'heard' }])
    expect(setUp).toEqual(['heard'])
  })

  test('that are no list are a failure too', async () => {
    const garbage: Source['explain'] = () => JSON.parse('"because"')
    expect((await engine({ plugins: [listing('s', empty, { explain: garbage })] }).skills.explain('a')).notes).toEqual([
      { text: expect.stringContaining('list of notes'), provider: 's' },
    ])
  })

  test('are waited for no longer than the limit', async () => {
    const { skills, clock } = engine({
      plugins: [listing('s', empty, { explain: () => new Promise(() => {}), limitMs: 50 })],
    })
    const explaining = skills.explain('a')
    await clock.advance(50)
    expect((await explaining).notes).toEqual([{ text: expect.stringContaining('longer than 50 ms'), provider: 's' }])
  })
})
