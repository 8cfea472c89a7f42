import { describe, expect, test } from 'vitest'
import { engine, fileSkill, identity, local, names, skill, source } from '../test/engine.js'
import { pathOf, SkillsError, type Catalog, type Command, type SkillsOptions } from './index.js'

/** Makes the catalog of several providers, one for each list, in this order. */
async function catalogOf(
  lists: readonly (readonly Command[])[],
  options: Partial<SkillsOptions> = {},
): Promise<Catalog> {
  return engine({ plugins: lists.map((commands, at) => source(`s${at}`, commands)), ...options }).skills.catalog()
}

function codeOf(act: () => unknown): string | undefined {
  try {
    act()
  } catch (error) {
    return SkillsError.is(error) ? error.code : String(error)
  }
  return undefined
}

const composed = 'caf\u00e9'
const decomposed = 'cafe\u0301'

describe('precedence', () => {
  test('is that of the standard list, then of names, for sources it does not name', async () => {
    const origins = ['zoo', 'builtin', 'mcp', 'ark', 'bundled', 'plugin', 'additional', 'project', 'user', 'managed']
    const catalog = await catalogOf([origins.map(origin => skill(origin, { source: origin }))])
    const standard = ['managed', 'user', 'project', 'additional', 'plugin', 'bundled', 'mcp', 'builtin']
    expect(names(catalog.entries)).toEqual([...standard, 'ark', 'zoo'])
  })

  test('can be given', async () => {
    const lists = [[skill('a', { source: 'user' })], [skill('a', { source: 'project' })]]
    const catalog = await catalogOf(lists, { precedence: ['project', 'user'] })
    expect(catalog.get('a')?.command.source).toBe('project')
    expect(catalog.collisions).toMatchObject([
      { name: 'a', reachableAs: 'user:a', reason: 'project comes before user.' },
    ])
  })

  test('within a source is the order it gave', async () => {
    const [first, second] = [skill('a', { description: 'first' }), skill('a', { description: 'second' })]
    const catalog = await catalogOf([[first, second]])
    expect(catalog.get('a')?.command).toBe(first)
    expect(catalog.collisions[0]?.reason).toBe('Both come from user, which lists this command first.')
  })
})

describe('identity', () => {
  test('makes a file that is reached twice one command, which the higher source keeps', async () => {
    const lists = [[fileSkill('low', 'user', '/same', 'x')], [fileSkill('high', 'managed', '/same', 'x')]]
    const catalog = await catalogOf(lists)
    expect(names(catalog.entries)).toEqual(['high'])
    expect(catalog.collisions).toMatchObject([
      {
        name: 'low',
        rule: 'same-file',
        winner: { name: 'high', provider: 's1' },
        loser: { provider: 's0' },
        reason: 'Both are the same file, and managed finds it first.',
      },
    ])
  })

  test('holds for a file that has lost its name too', async () => {
    const commands = [
      fileSkill('a', 'managed', '/1', 'x'),
      fileSkill('a', 'user', '/2', 'yy'),
      fileSkill('b', 'plugin', '/2', 'yy'),
    ]
    const catalog = await catalogOf([commands])
    expect(names(catalog.entries)).toEqual(['a', 'user:a'])
    expect(catalog.collisions.map(({ rule }) => rule)).toEqual(['same-file', 'precedence'])
  })

  test('is what the rule says, anything else differs: a file may be replaced between two looks at it', async () => {
    const numbered = (name: string, ino: number) => {
      const command = fileSkill(name, 'user', '/same', 'x')
      return { ...command, file: { ...identity('/same', 1), ino } }
    }
    const lists = [[numbered('a', 1)], [numbered('b', 2)]]
    expect(names((await catalogOf(lists)).entries)).toEqual(['a'])
    expect(names((await catalogOf(lists, { identityOf: (_, command) => command.shell })).entries)).toEqual(['a'])
  })

  test('can be another rule, or none', async () => {
    const lists = [
      [fileSkill('a', 'user', '/1', 'x')],
      [fileSkill('b', 'user', '/2', 'x')],
      [fileSkill('c', 'user', '/1', 'x')],
    ]
    expect(names((await catalogOf(lists, { identityOf: file => `${file.dev}:${file.ino}` })).entries)).toEqual(['a'])
    expect(names((await catalogOf(lists, { identityOf: () => undefined })).entries)).toEqual(['a', 'b', 'c'])
  })

  test('is not asked of what has no file', async () => {
    expect((await catalogOf([[skill('a'), local('b')]], { identityOf: () => 'same' })).size).toBe(2)
  })
})

describe('two commands of one name', () => {
  test('are one name in every Unicode form that a file system keeps', async () => {
    const catalog = await catalogOf([[skill(decomposed, { source: 'managed' })], [skill(composed)]])
    expect(names(catalog.entries)).toEqual([composed, `user:${composed}`])
    expect(catalog.get(decomposed)).toBe(catalog.get(composed))
    expect(catalog.get(decomposed)?.command.source).toBe('managed')
  })

  test('collapse when their files have the same text', async () => {
    const catalog = await catalogOf([[fileSkill('a', 'managed', '/1', 'text')], [fileSkill('a', 'user', '/2', 'text')]])
    expect(names(catalog.entries)).toEqual(['a'])
    expect(catalog.collisions).toMatchObject([
      { rule: 'same-text', winner: { provider: 's0' }, loser: { provider: 's1' } },
    ])
  })

  test('stay both when the text differs, the lower one under a qualified name', async () => {
    const catalog = await catalogOf([[fileSkill('a', 'managed', '/1', 'one')], [fileSkill('a', 'user', '/2', 'two')]])
    expect(catalog.get('a')).toMatchObject({ isQualified: false, command: { source: 'managed' } })
    expect(catalog.get('user:a')).toMatchObject({ name: 'user:a', isQualified: true, command: { source: 'user' } })
    expect(catalog.collisions).toMatchObject([{ rule: 'precedence', reachableAs: 'user:a' }])
  })

  test('are one name only in the catalog, where losers are not to be qualified', async () => {
    const catalog = await catalogOf([[skill('a', { source: 'managed' })], [skill('a')]], { qualifyLosers: ['other'] })
    expect(catalog.size).toBe(1)
  })

  test('has no qualified name where losers have none', async () => {
    const catalog = await catalogOf([[skill('a', { source: 'managed' })], [skill('a')]], { qualifyLosers: false })
    expect(names(catalog.entries)).toEqual(['a'])
    expect(catalog.collisions[0]?.reachableAs).toBeUndefined()
  })

  test('of one source are qualified alike, numbered from the second on', async () => {
    const nested = ['/1', '/2', '/3', '/4'].map(path =>
      fileSkill('a', 'project', path, path, { qualifier: 'apps/web' }),
    )
    expect(names((await catalogOf([nested])).entries)).toEqual(['a', 'apps/web:a', 'apps/web:a~2', 'apps/web:a~3'])
  })

  describe('of skills for several folders', () => {
    const nested = [
      fileSkill('a', 'project', '/1', '1', { qualifier: 'web', isScoped: true }),
      fileSkill('a', 'project', '/2', '22', { qualifier: 'api', isScoped: true }),
    ]
    const overridesOf = async (overrides: NonNullable<SkillsOptions['overrides']>): Promise<unknown> => {
      const { entries, disabled } = await catalogOf([nested], { overrides })
      return [entries, disabled].map(list => Object.fromEntries(list.map(({ name, override }) => [name, override])))
    }

    test('have the override of the plain name, unless their own name has one', async () => {
      expect(await overridesOf({ a: 'user-only' })).toEqual([{ 'web:a': 'user-only', 'api:a': 'user-only' }, {}])
      expect(await overridesOf({ a: 'user-only', 'api:a': 'on' })).toEqual([
        { 'web:a': 'user-only', 'api:a': 'on' },
        {},
      ])
    })

    test('are off by their own name, the first one too', async () => {
      expect(await overridesOf({ 'web:a': 'off' })).toEqual([{ 'api:a': 'on' }, { 'web:a': 'off' }])
      expect(await overridesOf({ 'api:a': 'off' })).toEqual([{ 'web:a': 'on' }, { 'api:a': 'off' }])
    })
  })

  test('leave a plain name to the code that has it, even if it looks qualified', async () => {
    const catalog = await catalogOf([
      [skill('a', { source: 'managed' })],
      [skill('a'), skill('user:a', { description: 'plain' })],
    ])
    expect(catalog.get('user:a')?.command.description).toBe('plain')
    expect(names(catalog.entries)).toEqual(['a', 'user:a', 'user:a~2'])
  })

  test('collapse with whichever of that name has their text, each file read once and only where sizes meet', async () => {
    const reads: string[] = []
    const file = (origin: string, path: string, text: string): Command =>
      fileSkill('a', origin, path, text, {
        digest: () => {
          reads.push(path)
          return text
        },
      })
    const catalog = await catalogOf([
      [
        file('managed', '/1', 'alone in size'),
        file('user', '/2', 'two'),
        file('project', '/3', 'tri'),
        file('additional', '/4', 'two'),
        file('plugin', '/5', 'tri'),
      ],
    ])
    expect(names(catalog.entries)).toEqual(['a', 'user:a', 'project:a'])
    expect(
      catalog.collisions
        .filter(({ rule }) => rule === 'same-text')
        .map(({ winner, reason }) => `${winner.command.source}: ${reason}`),
    ).toEqual(['user: user comes before additional.', 'project: project comes before plugin.'])
    expect(reads.toSorted()).toEqual(['/2', '/3', '/4', '/5'])
  })

  test('that cannot be compared stay both, with a warning', async () => {
    const unreadable = { digest: () => Promise.reject(new Error('no rights')) }
    const catalog = await catalogOf([
      [fileSkill('a', 'managed', '/1', 'text')],
      [fileSkill('a', 'user', '/2', 'text', unreadable)],
    ])
    expect(names(catalog.entries)).toEqual(['a', 'user:a'])
    expect(catalog.warnings).toMatchObject([{ code: 'digest-failed', name: 'a', path: '/2', provider: 's1' }])
  })

  test('that have no files, or are no prompts, are never the same text', async () => {
    expect(
      (await catalogOf([[skill('a', { source: 'managed' }), skill('a'), local('a'), local('a', { source: 'mcp' })]]))
        .size,
    ).toBe(4)
  })

  test('are told of as data that says who won', async () => {
    const catalog = await catalogOf([[fileSkill('a', 'managed', '/1', 'one')], [fileSkill('a', 'user', '/2', 'two')]])
    const [collision] = catalog.collisions
    expect(collision?.winner).toBe(catalog.get('a'))
    expect(collision?.loser.command).toBe(catalog.get('user:a')?.command)
  })
})

test('a file whose comparison hangs is given up after ten seconds', async () => {
  const hung = { digest: () => new Promise<string>(() => {}) }
  const { skills, clock, codes } = engine({
    plugins: [
      source(
        's',
        ['/1', '/2'].map(path => fileSkill('a', 'user', path, 'text', hung)),
      ),
    ],
  })
  const loading = skills.catalog()
  await clock.advance(10_000)
  expect((await loading).size).toBe(2)
  expect(codes()).toEqual(['digest-failed'])
})

describe('an override', () => {
  test.each(['on', 'name-only', 'user-only', 'pinned'] as const)('of %s is kept with the entry', async override => {
    const catalog = await catalogOf([[skill('a'), skill('b')]], { overrides: { a: override } })
    expect(catalog.entries.map(entry => entry.override)).toEqual([override, 'on'])
  })

  test('of off takes the name from everybody who wants it', async () => {
    const catalog = await catalogOf([[skill('a', { source: 'managed' })], [skill('a'), skill('b')]], {
      overrides: { a: 'off' },
    })
    expect(names(catalog.entries)).toEqual(['b'])
    expect(names(catalog.disabled)).toEqual(['a', 'a'])
    expect(catalog.lookup('a')).toBeUndefined()
  })

  test('can be of a qualified name', async () => {
    const catalog = await catalogOf([[skill('a', { source: 'managed' })], [skill('a')]], {
      overrides: { 'user:a': 'off' },
    })
    expect(names(catalog.entries)).toEqual(['a'])
    expect(names(catalog.disabled)).toEqual(['user:a'])
  })

  test('finds its name in every Unicode form', async () => {
    const catalog = await catalogOf([[skill(composed)]], { overrides: { [decomposed]: 'pinned' } })
    expect(catalog.get(composed)?.override).toBe('pinned')
    expect(catalog.warnings).toEqual([])
  })

  test('of nothing is a warning with close names', async () => {
    const catalog = await catalogOf([[skill('deploy')]], { overrides: { deplyo: 'off', xyz: 'off' } })
    expect(catalog.warnings).toMatchObject([
      { code: 'unknown-override', name: 'deplyo', hint: 'Did you mean "deploy"?' },
      { code: 'unknown-override', name: 'xyz', hint: expect.not.stringContaining('"') as string },
    ])
  })
})

describe('a command that is not enabled', () => {
  test('is nowhere, and the next of its name takes its place', async () => {
    const catalog = await catalogOf([[skill('a', { source: 'managed', isEnabled: () => false })], [skill('a')]])
    expect(catalog.entries.map(({ command }) => command.source)).toEqual(['user'])
    expect(names(catalog.disabled)).toEqual(['a'])
    expect(catalog.collisions).toEqual([])
  })

  test('because it switched itself off later is nowhere from then on', async () => {
    let isOn = true
    const catalog = await catalogOf([
      [skill('alpha', { displayName: 'First', aliases: ['one'], isEnabled: () => isOn }), skill('beta')],
    ])
    expect(catalog.lookup('one')?.name).toBe('alpha')
    isOn = false
    expect(names(catalog.entries)).toEqual(['beta'])
    expect(catalog.size).toBe(1)
    expect(names(catalog.disabled)).toEqual(['alpha'])
    expect(catalog.get('alpha')).toBeUndefined()
    for (const name of ['alpha', 'First', 'one', 'ALPHA', 'ONE']) expect(catalog.lookup(name)).toBeUndefined()
    expect(catalog.suggest('alpa')).toEqual([])
  })

  test('because it cannot say any more takes nothing down with it', async () => {
    let isBroken = false
    const broken = skill('a', {
      isEnabled: () => {
        if (isBroken) throw new Error('who knows')
        return true
      },
    })
    const catalog = await catalogOf([[broken, skill('b')]])
    isBroken = true
    expect(names(catalog.entries)).toEqual(['b'])
    expect(names(catalog.disabled)).toEqual(['a'])
  })

  test('because its source disabled its folder is known as such', async () => {
    const commands = [
      fileSkill('a', 'user', '/off/SKILL.md', 'a'),
      fileSkill('b', 'user', '/on/SKILL.md', 'b'),
      local('c'),
    ]
    const catalog = await engine({ plugins: [source('s', commands, { disabledPaths: ['/off'] })] }).skills.catalog()
    expect(names(catalog.entries)).toEqual(['b', 'c'])
    expect(names(catalog.disabled)).toEqual(['a'])
  })
})

describe('lookup', () => {
  test('goes from the exact name to display names, aliases, and then the same regardless of case', async () => {
    const catalog = await catalogOf([
      [
        skill('one', { displayName: 'two', aliases: ['three'] }),
        skill('two', { displayName: 'three', aliases: ['Four'] }),
        skill('three', { displayName: 'Five', aliases: ['FOUR'] }),
        skill('last', { displayName: 'Three', aliases: ['oNE'] }),
      ],
    ])
    const found = (name: string): string | undefined => catalog.lookup(name)?.name
    expect(found('two')).toBe('two')
    expect(found('Three')).toBe('last')
    expect(found('Four')).toBe('two')
    expect(found('FOUR')).toBe('three')
    expect(found('oNE')).toBe('last')
    expect(found('ONE')).toBe('one')
    expect(found('THREE')).toBe('three')
    expect(found('five')).toBe('three')
    expect(found('six')).toBeUndefined()
  })

  test('of an ambiguous name is an error that names the candidates', async () => {
    const catalog = await catalogOf([
      [skill('a', { aliases: ['x'] }), skill('b', { aliases: ['x'] }), skill('C'), skill('c')],
    ])
    expect(() => catalog.lookup('x')).toThrow(
      expect.objectContaining({ code: 'E_AMBIGUOUS_NAME', message: expect.stringContaining('"a" or "b"') }),
    )
    expect(codeOf(() => catalog.lookup('x'))).toBe('E_AMBIGUOUS_NAME')
    expect(catalog.lookup('c')?.name).toBe('c')
    expect(codeOf(() => catalog.lookup('X'))).toBe('E_AMBIGUOUS_NAME')
  })

  test('of a display name that several commands have finds the first one, if the engine says so', async () => {
    const all = [skill('a', { displayName: 'x' }), skill('b', { displayName: 'x' })]
    expect((await catalogOf([all], { sharesDisplayNames: true })).lookup('x')?.name).toBe('a')
    const refusing = await catalogOf([all])
    expect(codeOf(() => refusing.lookup('x'))).toBe('E_AMBIGUOUS_NAME')
  })

  test('finds a command that goes by one name in several ways', async () => {
    const catalog = await catalogOf([[skill('a', { displayName: 'A', aliases: ['A', 'a'] })]])
    expect(catalog.lookup('A')?.name).toBe('a')
  })

  test('finds a loser by its qualified name only', async () => {
    const more = { displayName: 'Shown', aliases: ['other'] }
    const catalog = await catalogOf([
      [skill('a', { source: 'managed', ...more }), skill('a', { description: 'loser', ...more })],
    ])
    expect(catalog.lookup('other')?.name).toBe('a')
    expect(catalog.lookup('USER:A')?.name).toBe('user:a')
  })

  test('of a name no one has is an error with the closest names where it is required', async () => {
    const catalog = await catalogOf([[skill('deploy'), skill('display')]])
    expect(catalog.require('Deploy').name).toBe('deploy')
    expect(codeOf(() => catalog.require('deplay'))).toBe('E_UNKNOWN_NAME')
    expect(() => catalog.require('deplay')).toThrow(
      expect.objectContaining({
        code: 'E_UNKNOWN_NAME',
        message: expect.stringContaining('"deplay"'),
        hint: expect.stringContaining('"deploy" or "display"'),
      }),
    )
    expect(() => catalog.require('zzz')).toThrow(
      expect.objectContaining({
        code: 'E_UNKNOWN_NAME',
        message: expect.stringContaining('"zzz"'),
        hint: expect.not.stringContaining('"'),
      }),
    )
  })
})

test('names that differ in case only are a warning', async () => {
  const catalog = await catalogOf([[skill('deploy'), fileSkill('Deploy', 'user', '/Deploy/SKILL.md', '')]])
  expect(catalog.warnings).toMatchObject([
    { code: 'case-collision', name: 'Deploy', path: '/Deploy/SKILL.md', provider: 's0' },
  ])
})

test('places are kept with the provider that looked there', async () => {
  const place = { path: '/x', state: 'missing', found: 0 } as const
  const catalog = await engine({ plugins: [source('s', [], { places: [place] })] }).skills.catalog()
  expect(catalog.places).toEqual([{ ...place, provider: 's' }])
})

test('a file identity without a path to show is told of by name', async () => {
  const commands = ['/1', '/2'].map(realPath =>
    skill('a', { file: identity(realPath), digest: () => Promise.reject(new Error('no')) }),
  )
  expect((await catalogOf([commands])).warnings[0]).not.toHaveProperty('path')
})

test('what the composition says of collisions are warnings: in the catalog, reported, and where the loser is explained', async () => {
  const asked: number[] = []
  const warningsOf: SkillsOptions['warningsOf'] = collisions => {
    asked.push(collisions.length)
    return collisions.map(({ name, winner, loser }) => ({
      severity: 'warning',
      type: 'validation',
      code: 'taken',
      name,
      provider: loser.provider,
      ...pathOf(loser.command),
      message: `${pathOf(winner.command).path} has it.`,
    }))
  }
  const plugins = [
    source('s0', [fileSkill('a', 'user', '/u/SKILL.md', 'u')]),
    source('s1', [fileSkill('a', 'project', '/p/SKILL.md', 'p'), skill('b')]),
  ]
  const { skills, diagnostics } = engine({ plugins, warningsOf })
  const warning = {
    severity: 'warning',
    type: 'validation',
    code: 'taken',
    name: 'a',
    provider: 's1',
    path: '/p/SKILL.md',
    message: '/u/SKILL.md has it.',
  }
  expect((await skills.catalog()).warnings).toEqual([warning])
  expect(diagnostics).toEqual([warning])
  expect((await skills.explain('a')).answers.map(({ path, diagnostics: own }) => [path, own])).toEqual([
    ['/u/SKILL.md', []],
    ['/p/SKILL.md', [warning]],
  ])
  expect(asked).toEqual([1])
})
