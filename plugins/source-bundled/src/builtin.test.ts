import { SkillsError } from '@skills/core'
import { describe, expect, it } from 'vitest'
import { builtinSource } from './builtin.js'
import { engine, giving, local, skill, textOf, viewOf } from '../test/commands.js'

describe('the built-in source', () => {
  it('gives /help and /skills, for users alone', async () => {
    const catalog = await engine([builtinSource()]).catalog()
    expect(
      catalog.entries.map(({ name, provider, command: { type, source, loadedFrom } }) => [
        name,
        provider,
        type,
        source,
        loadedFrom,
      ]),
    ).toEqual([
      ['help', 'builtin', 'local', 'builtin', 'builtin'],
      ['skills', 'builtin', 'local-ui', 'builtin', 'builtin'],
    ])
  })

  it('stays the same from load to load', async () => {
    const skills = engine([builtinSource()])
    expect(await skills.refresh()).toBe(await skills.catalog())
  })

  it('takes commands of the host, which may take the place of ours, and leaves some out', async () => {
    const names = async (options: Parameters<typeof builtinSource>[0]): Promise<readonly string[]> =>
      (await engine([builtinSource(options)]).catalog()).entries.map(
        ({ name, command }) => `${name}: ${command.description}`,
      )
    const ours = [
      'help: Lists the commands you can invoke, or tells about one.',
      'skills: Shows every skill, where it comes from and whether it is in use.',
    ]
    expect(await names({ commands: [local('clear')] })).toEqual([...ours, 'clear: Does clear.'])
    expect(await names({ commands: [local('help')] })).toEqual([ours[1], 'help: Does help.'])
    expect(await names({ without: ['skills'] })).toEqual([ours[0]])
    expect(await names({ without: ['skills', 'help'] })).toEqual([])
  })

  it('says that there is no command of ours to leave out', () => {
    const refused = (): unknown => {
      try {
        return builtinSource({ without: ['halp'] })
      } catch (error) {
        return error
      }
    }
    expect(SkillsError.is(refused())).toBe(true)
    expect(refused()).toMatchObject({
      code: 'E_INVALID_OPTION',
      message: 'There is no built-in command "halp" to leave out. The built-in commands are help and skills.',
    })
  })

  it('leaves its names to any other source', async () => {
    const catalog = await engine([builtinSource(), giving('user', { commands: [skill('help')] })]).catalog()
    expect(catalog.entries.map(({ name, command }) => `${name} of ${command.source}`)).toEqual([
      'help of user',
      'skills of builtin',
      'builtin:help of builtin',
    ])
  })
})

describe('/help', () => {
  const commands = [
    skill('deploy', { argumentHint: '[environment]', description: 'Ships it.\n\n  To\tproduction.' }),
    skill('hidden', { isHidden: true, userInvocable: false }),
    skill('undescribed', { hasUserSpecifiedDescription: false, description: '' }),
    skill('日本', { description: 'x'.repeat(200) }),
    skill('a-name-that-is-much-longer-than-all-of-the-others'),
  ]

  it('lists what a user can invoke, aligned, with arguments and description, and says how to get more', async () => {
    const skills = engine([
      builtinSource({ commands: [local('quiet', { isHidden: true })] }),
      giving('user', { commands }),
    ])
    expect(await textOf(skills, 'help')).toBe(
      [
        'Commands:',
        '  /deploy [environment]             Ships it. To production.',
        `  /日本                             ${'x'.repeat(99)}…`,
        '  /a-name-that-is-much-longer-than-all-of-the-others  About a-name-that-is-much-longer-than-all-of-the-others.',
        '  /help [name]                      Lists the commands you can invoke, or tells about one.',
        '  /skills                           Shows every skill, where it comes from and whether it is in use.',
        '',
        'More about one: /help NAME',
      ].join('\n'),
    )
  })

  it('tells all about one command, with or without a slash, in any case', async () => {
    const deploy = skill('deploy', {
      displayName: 'Deploy',
      aliases: ['ship', 'release'],
      argumentHint: '[environment]',
      whenToUse: 'When\nasked.',
      filePath: '/x/deploy/SKILL.md',
      disableModelInvocation: true,
    })
    const skills = engine([
      builtinSource(),
      giving('user', { commands: [deploy, skill('model-only', { userInvocable: false, isHidden: true })] }),
    ])
    const expected = [
      '/deploy [environment]',
      '  About deploy.',
      '',
      '  name         Deploy',
      '  aliases      /ship, /release',
      '  when to use  When asked.',
      '  source       user',
      '  file         /x/deploy/SKILL.md',
      '  the model    cannot invoke it',
    ].join('\n')
    for (const name of ['deploy', ' /deploy ', 'SHIP']) expect(await textOf(skills, 'help', name)).toBe(expected)
    expect(await textOf(skills, 'help', 'model-only')).toContain('  you     cannot invoke it')
    expect(await textOf(skills, 'help', 'help')).toBe(
      '/help [name]\n  Lists the commands you can invoke, or tells about one.\n\n  source  builtin',
    )
  })

  it('answers for a name that no command has, or several have', async () => {
    const skills = engine([
      builtinSource(),
      giving('user', { commands: [skill('deploy'), skill('a', { aliases: ['x'] }), skill('b', { aliases: ['x'] })] }),
    ])
    expect(await textOf(skills, 'help', 'deplyo')).toMatch(/"deplyo".*"deploy"/)
    expect(await textOf(skills, 'help', 'x')).toContain('"a" or "b"')
  })

  it('prints nothing that a terminal would obey, neither of a skill nor of a name that is asked for', async () => {
    const evil = skill('evil', {
      displayName: '\u001b[31mred',
      description: 'dep\u202eloy \u001b]0;title\u0007',
      whenToUse: '\u009b2J',
      aliases: ['\u0008'],
      argumentHint: '\u200f',
    })
    const skills = engine([builtinSource(), giving('user', { commands: [evil] })])
    for (const text of [
      await textOf(skills, 'help'),
      await textOf(skills, 'help', 'evil'),
      await textOf(skills, 'help', '\u001b[2J'),
    ]) {
      expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u)
      expect(text).toMatch(/<U\+00[19]B>/)
    }
  })

  it('shows what no one would see, as the command line does', async () => {
    const skills = engine([
      builtinSource(),
      giving('user', { commands: [skill('evil', { description: 'a\u3164b\u{e0100}c\u2800d\u00ade ❤️' })] }),
    ])
    expect(await textOf(skills, 'help', 'evil')).toContain('  a<U+3164>b<U+E0100>c<U+2800>d<U+00AD>e ❤️\n')
  })

  it('says so when there is nothing to list', async () => {
    const { helpText } = await import('./builtin/help-text.js')
    expect(helpText('', await engine([builtinSource({ without: ['help', 'skills'] })]).catalog())).toBe(
      'There are no commands.',
    )
  })
})

describe('/skills', () => {
  it('shows every prompt with its source, description and state, and counts them', async () => {
    const skills = engine(
      [
        builtinSource(),
        giving('user', { commands: [skill('a'), skill('off')] }),
        giving('project', { commands: [skill('a', { source: 'project', description: 'Another.' })] }),
        defineGate('The policy names it.'),
      ],
      { overrides: { off: 'off' } },
    )
    expect(await viewOf(skills, 'skills')).toEqual({
      title: 'Skills',
      table: {
        columns: ['Name', 'Source', 'Description', 'State'],
        rows: [
          ['a', 'user', 'About a.', 'active'],
          ['project:a', 'project', 'Another.', 'active under this name'],
          ['off', 'user', 'About off.', 'disabled'],
        ],
      },
      notes: ['3 skills: 1 active, 1 active under this name, 1 disabled'],
    })
  })

  it('says why a policy keeps one out, and what lost its name', async () => {
    const skills = engine(
      [
        builtinSource(),
        giving('user', { commands: [skill('a')] }),
        giving('project', { commands: [skill('a', { source: 'project' }), skill('barred', { source: 'project' })] }),
        defineGate('The policy names it.'),
      ],
      { qualifyLosers: false },
    )
    const { table } = await viewOf(skills, 'skills')
    expect(table?.rows.map(([name, source, , state]) => [name, source, state])).toEqual([
      ['a', 'user', 'active'],
      ['a', 'project', 'shadowed'],
      ['barred', 'project', 'disabled: The policy names it.'],
    ])
  })

  it('tells the first problems in full and counts the others', async () => {
    const errors = Array.from(
      { length: 7 },
      (_, at) =>
        ({ severity: 'error', type: 'parse', code: 'x', message: `Number ${at} is wrong.`, hint: 'Mend it.' }) as const,
    )
    expect(await viewOf(engine([builtinSource(), giving('user', { errors })]), 'skills')).toEqual({
      title: 'Skills',
      text: ['There are no skills.'],
      notes: [...[0, 1, 2, 3, 4].map(at => `error: Number ${at} is wrong. Mend it.`), 'and 2 more errors and warnings'],
    })
  })
})

function defineGate(reason: string): Parameters<typeof engine>[0][number] {
  return {
    kind: 'gate',
    id: 'policy',
    setup: () => ({ rules: () => ({ command: ({ name }) => (name === 'barred' ? reason : undefined) }) }),
  }
}
