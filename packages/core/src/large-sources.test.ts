import { describe, expect, test } from 'vitest'
import { largeSource, numberedName, numberedNames, type LargeSourceParts } from '../../testing/src/internal.js'
import { engine, fileSkill, local, names, skill, source } from '../test/engine.js'
import {
  loadResult,
  type Command,
  type Gate,
  type Plugin,
  type Skills,
  type Source,
  type SkillsOptions,
} from './index.js'
import type { LargeCommands } from './internal.js'

const many = numberedNames(100_000)
const [one, other, last] = [numberedName(7), numberedName(70_000), numberedName(99_999)]
const make = (name: string): Command => skill(name, { source: 'large', description: `Does ${name}.` })

interface Setup {
  readonly large?: Partial<LargeSourceParts>
  readonly listed?: readonly Command[]
  readonly plugins?: readonly Plugin[]
  readonly options?: Partial<SkillsOptions>
}

function large({ large: given = {}, listed = [], plugins = [], options }: Setup = {}) {
  const calls: string[] = []
  const onCall = (member: string, what: string | undefined): unknown => calls.push([member, what].join(' ').trim())
  const made = engine({
    plugins: [source('own', listed), largeSource({ names: many, make, onCall, ...given }), ...plugins],
    ...options,
  })
  return { ...made, calls }
}

const gateOf = (gate: Gate): Plugin => ({ kind: 'gate', id: 'bars', setup: () => gate })
/** Returns the commands of the large sources of an engine. */
async function largeOf(skills: Skills): Promise<LargeCommands> {
  const commands = await skills.large()
  if (commands === undefined) throw new TypeError('The engine has a large source.')
  return commands
}

/** Makes a promise that the test resolves. */
function event<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: ((value: T) => void) | undefined
  const promise = new Promise<T>(set => (resolve = set))
  return { promise, resolve: value => resolve?.(value) }
}

describe('a source of 100,000 commands', () => {
  test('is only asked for its list when the catalog is loaded', async () => {
    const { skills, calls } = large({ large: { pinned: [other] }, listed: [skill('own')] })
    const catalog = await skills.catalog()
    expect(catalog.entries.map(({ name }) => name)).toEqual([other, 'own'].toSorted())
    expect([catalog.found, calls]).toEqual([[], ['list']])
  })

  test('gives a command that is asked for by its name, which is kept and in no list', async () => {
    const { skills, calls } = large({ listed: [skill('own')] })
    const before = await skills.catalog()
    const catalog = await skills.catalog({ names: [one] })
    expect(catalog.get(one)).toMatchObject({ name: one, provider: 'large', isFound: true, isQualified: false })
    expect(catalog.entries).toBe(before.entries)
    expect(names(catalog.found.map(({ command }) => command))).toEqual([one])
    expect(before.get(one)).toBeUndefined()
    expect((await skills.catalog()).get(one)).toBe(catalog.get(one))
    await skills.catalog({ names: [one] })
    expect(calls).toEqual(['list', `find ${one}`])
  })

  test('is not asked for a name that a listed command has, as a display name or in other letters too', async () => {
    const { skills, calls } = large({
      listed: [skill('deploy', { aliases: ['ship'] })],
      large: { names: ['DEPLOY', 'deploy', 'ship'] },
    })
    const catalog = await skills.catalog({ names: ['deploy', 'DEPLOY', 'ship'] })
    expect([catalog.found, calls]).toEqual([[], ['list']])
  })

  test('has no command of a name that it does not know', async () => {
    const { skills, codes } = large()
    const catalog = await skills.catalog({ names: ['nothing'] })
    expect(() => catalog.require('nothing')).toThrow('There is no command named "nothing".')
    expect(codes()).toEqual([])
  })

  test('is asked for a name in the form of nameKey', async () => {
    const { skills, calls } = large({ large: { names: ['caf\u00e9'] } })
    expect((await skills.catalog({ names: ['cafe\u0301'] })).get('cafe\u0301')?.name).toBe('caf\u00e9')
    expect(calls).toEqual(['list', 'find caf\u00e9'])
  })

  test('keeps the 1,000 names that were asked for last', async () => {
    const { skills } = large()
    await skills.catalog({ names: many.slice(0, 600) })
    await skills.catalog({ names: [numberedName(0)] })
    const catalog = await skills.catalog({ names: many.slice(600, 1001) })
    expect(catalog.found).toHaveLength(1000)
    expect([catalog.get(numberedName(0))?.name, catalog.get(numberedName(1))]).toEqual([numberedName(0), undefined])
  })

  test('answers many at the same time', async () => {
    const { skills, calls } = large()
    const asked = many.slice(0, 50)
    await Promise.all(asked.map(name => skills.catalog({ names: [name] })))
    const catalog = await skills.catalog()
    expect(asked.filter(name => catalog.get(name) === undefined)).toEqual([])
    expect(calls.filter(call => call === 'list')).toHaveLength(1)
  })
})

describe('a reload', () => {
  test('asks again for what was found, and only for that', async () => {
    const known = new Set([one, other])
    const find = (name: string): Command | undefined => (known.has(name) ? make(name) : undefined)
    const { skills, calls } = large({ large: { members: { find: name => (calls.push(`find ${name}`), find(name)) } } })
    await skills.catalog({ names: [one, other] })
    known.delete(other)
    calls.length = 0
    skills.invalidate()
    const catalog = await skills.catalog()
    expect([catalog.get(one)?.name, catalog.get(other)]).toEqual([one, undefined])
    expect(calls).toEqual(['list', `find ${one}`, `find ${other}`])
  })

  test('tells no one of what was found', async () => {
    const { skills } = large()
    const changes: unknown[] = []
    skills.hook('skills:changed', ({ added, removed, changed }) => changes.push([added, removed, changed]))
    await skills.catalog({ names: [one] })
    skills.invalidate()
    await skills.catalog()
    expect(changes).toEqual([])
  })

  test('that runs while a name is found leaves its command as it is now', async () => {
    let version = 1
    let release = (): void => {}
    const asked = event<undefined>()
    const find: Source['find'] = async name => {
      const found = skill(name, { description: `Version ${version}.` })
      if (version === 1) {
        asked.resolve(undefined)
        await new Promise<void>(resolve => (release = resolve))
      }
      return found
    }
    const { skills } = large({ large: { members: { find } } })
    const finding = skills.catalog({ names: [one] })
    await asked.promise
    version = 2
    skills.invalidate()
    await skills.catalog()
    release()
    expect((await finding).get(one)?.command.description).toBe('Version 2.')
    expect((await skills.catalog()).get(one)?.command.description).toBe('Version 2.')
  })

  test('keeps what was found when the source cannot be asked again', async () => {
    let isDown = false
    const { skills, codes } = large({
      large: {
        members: {
          find: name => {
            if (isDown) throw new Error('The server is down.')
            return make(name)
          },
        },
      },
    })
    await skills.catalog({ names: [one] })
    isDown = true
    skills.invalidate()
    const catalog = await skills.catalog()
    expect(catalog.get(one)?.name).toBe(one)
    expect(catalog.incomplete).toMatchObject([{ provider: 'large', reason: expect.stringContaining('is down') }])
    expect(codes()).toEqual(['provider-failed'])
  })
})

describe('what a source finds goes through the rules of the catalog', () => {
  test('an override switches it off', async () => {
    const { skills } = large({ options: { overrides: { [one]: 'off' } } })
    const catalog = await skills.catalog({ names: [one] })
    expect([catalog.get(one), catalog.disabled.map(({ name }) => name)]).toEqual([undefined, [one]])
    expect(catalog.warnings).toEqual([])
  })

  test('a gate bars it, or keeps it from models', async () => {
    const { skills } = large({
      plugins: [
        gateOf({
          rules: () => ({
            command: ({ name }) => (name === one ? 'Not this one.' : undefined),
            dormant: ({ name }) => (name === other ? 'Later.' : undefined),
          }),
        }),
      ],
    })
    const catalog = await skills.catalog({ names: [one, other] })
    expect([catalog.get(one), catalog.get(other)?.dormant]).toEqual([undefined, 'Later.'])
    expect((await (await largeOf(skills)).search(one, { limit: 3 })).answers).toEqual([{ id: 'large', value: [] }])
  })

  test('a gate that bars the source keeps it from being asked, and takes what it found away', async () => {
    let bars: string | undefined
    let changed = (): void => {}
    const rules = { source: (_: string, id: string) => (id === 'large' ? bars : undefined) }
    const { skills, calls } = large({
      plugins: [
        {
          kind: 'gate',
          id: 'bars',
          setup: ctx => {
            changed = () => ctx.invalidate()
            return { rules: () => ({ ...rules }) }
          },
        },
      ],
    })
    expect((await skills.catalog({ names: [one] })).get(one)?.name).toBe(one)
    bars = 'Not here.'
    changed()
    calls.length = 0
    expect((await skills.catalog({ names: [one, other] })).found).toEqual([])
    expect(await (await largeOf(skills)).search('skill', { limit: 1 })).toEqual({ answers: [], incomplete: [] })
    expect((await (await largeOf(skills)).page({ limit: 1 })).entries).toEqual([])
    expect(await (await largeOf(skills)).count()).toEqual([])
    expect(calls).toEqual([])
  })

  test('a name of another source is given to no one', async () => {
    const { skills } = large({
      listed: [skill('acme:own', { pluginName: 'acme' })],
      large: { names: ['acme:deploy', 'user:deploy', 'mcp__x__y'] },
    })
    const catalog = await skills.catalog({ names: ['acme:deploy', 'user:deploy', 'mcp__x__y'] })
    expect(catalog.get('acme:deploy')).toBeUndefined()
    expect(catalog.found.map(({ name }) => name)).toEqual(['large:acme:deploy', 'large:user:deploy', 'large:mcp__x__y'])
  })

  test('a name that looks like a listed one is kept from models, and the listed one is not', async () => {
    const { skills, codes } = large({ listed: [skill('deploy')], large: { names: ['dep1oy'] } })
    const catalog = await skills.catalog({ names: ['dep1oy'] })
    expect([catalog.get('deploy')?.doubt, catalog.get('dep1oy')?.dormant]).toEqual([
      undefined,
      'Its name "dep1oy" looks like deploy of user.',
    ])
    expect(codes()).toEqual(['misleading-name'])
  })

  test('a listed command whose own name misleads stays as it is', async () => {
    const { skills } = large({ listed: [skill('d\u0435ploy')], large: { names: ['deploy'] } })
    const before = (await skills.catalog()).get('d\u0435ploy')
    expect((await skills.catalog({ names: ['deploy'] })).get('d\u0435ploy')).toEqual(before)
  })

  test('a name that a listed command has is reached by the word of the source', async () => {
    const { skills } = large({ listed: [skill('deploy')], large: { names: ['deploy'] } })
    const catalog = await skills.catalog({ names: ['large:deploy'] })
    expect(catalog.get('deploy')?.provider).toBe('own')
    expect(catalog.get('large:deploy')).toMatchObject({ provider: 'large', isQualified: true, isFound: true })
    expect(catalog.collisions).toMatchObject([{ name: 'deploy', rule: 'precedence', reachableAs: 'large:deploy' }])
  })

  test('it ranks below what is listed, whatever the precedence says', async () => {
    const { skills } = large({
      listed: [skill('deploy')],
      large: { names: ['deploy'] },
      options: { precedence: ['large', 'user'] },
    })
    expect((await skills.catalog({ names: ['large:deploy'] })).get('deploy')?.provider).toBe('own')
  })

  test.each([
    [['first', 'second'], 'a'],
    [['second', 'first'], 'b'],
  ])('of two large sources the precedence %j decides', async (precedence, winner) => {
    const from = (id: string, word: string) =>
      largeSource({ id, names: ['x'], make: name => skill(name, { source: word }), members: { source: word } })
    const { skills } = engine({ plugins: [from('a', 'first'), from('b', 'second')], precedence })
    const catalog = await skills.catalog({ names: ['x'] })
    expect([catalog.get('x')?.provider, catalog.found.map(({ name }) => name)]).toEqual([
      winner,
      ['x', `${precedence[1]}:x`],
    ])
  })

  test('two sources of one word have both commands under names of their own', async () => {
    const from = (id: string) => largeSource({ id, names: ['x'], make })
    const { skills } = engine({ plugins: [from('b'), from('a')] })
    const catalog = await skills.catalog({ names: ['x'] })
    expect(catalog.found.map(({ name, provider }) => [name, provider])).toEqual([
      ['x', 'a'],
      ['large:x', 'b'],
    ])
  })
})

describe('a source that fails', () => {
  test.each<[string, Partial<Source>, string]>([
    ['throws', { find: () => Promise.reject(new Error('No answer.')) }, 'No answer.'],
    ['gives another command', { find: () => skill('other') }, 'find() gave another command than "x".'],
    ['gives what is no command', { find: () => 'x' as never }, 'instead of an object'],
    ['gives a command without fields', { find: name => ({ name, type: 'prompt' }) as never }, 'is missing'],
  ])('and %s leaves the name unknown, and says why', async (_, members, reason) => {
    const { skills, codes } = large({ large: { members }, listed: [skill('own')] })
    const catalog = await skills.catalog({ names: ['x'] })
    expect(catalog.incomplete).toEqual([{ provider: 'large', reason: expect.stringContaining(reason) }])
    expect(() => catalog.require('x')).toThrow('No command named "x" was found, but "large" is incomplete')
    expect([catalog.get('own')?.name, codes()]).toEqual(['own', ['provider-failed']])
    expect((await skills.catalog()).incomplete).toEqual([])
  })

  test('and never answers is given up after its limit', async () => {
    const asked = event<AbortSignal>()
    const find: Source['find'] = (_, { signal }) => (asked.resolve(signal), new Promise(() => {}))
    const { skills, clock, codes } = large({ large: { members: { find } } })
    const finding = skills.catalog({ names: ['x'] })
    const signal = await asked.promise
    await clock.advance(10_000)
    expect((await finding).incomplete).toMatchObject([{ provider: 'large' }])
    expect([signal.aborted, codes()]).toEqual([true, ['provider-timeout']])
  })

  test('does not keep another one from answering', async () => {
    const broken = largeSource({
      id: 'broken',
      names: [],
      make,
      members: {
        find: () => Promise.reject(new Error('No.')),
        search: () => Promise.reject(new Error('No.')),
        page: () => Promise.reject(new Error('No.')),
        count: () => -1,
      },
    })
    const { skills } = large({ plugins: [broken] })
    const incomplete = [{ provider: 'broken', reason: expect.stringContaining('No.') }]
    const catalog = await skills.catalog({ names: [one] })
    expect([catalog.get(one)?.name, catalog.incomplete]).toEqual([one, incomplete])
    const search = await (await largeOf(skills)).search(one, { limit: 1 })
    expect([search.answers.map(({ id }) => id), search.incomplete]).toEqual([['large'], incomplete])
    const page = await (await largeOf(skills)).page({ limit: 1 })
    expect([page.entries.map(({ name }) => name), page.incomplete]).toEqual([[numberedName(0)], incomplete])
    expect(await (await largeOf(skills)).count()).toEqual([{ id: 'large', value: 100_000 }])
  })

  test('hears that a caller gives up, and others wait on', async () => {
    const asked = event<AbortSignal>()
    const find: Source['find'] = (_, { signal }) => (asked.resolve(signal), new Promise(() => {}))
    const { skills } = large({ large: { members: { find } } })
    const controller = new AbortController()
    const finding = skills.catalog({ names: ['x'], signal: controller.signal })
    const signal = await asked.promise
    controller.abort()
    await expect(finding).rejects.toMatchObject({ name: 'AbortError' })
    expect(signal.aborted).toBe(true)
  })
})

describe('a search', () => {
  test('gives entries, the best first, and keeps nothing', async () => {
    const { skills } = large()
    const { answers, incomplete } = await (await largeOf(skills)).search('000007 070000', { limit: 5 })
    expect(answers.map(({ id, value }) => [id, value.map(({ name }) => name)])).toEqual([['large', [one, other]]])
    expect([incomplete, (await skills.catalog()).found]).toEqual([[], []])
  })

  test('gives the entry of a command that is listed', async () => {
    const { skills } = large({ large: { pinned: [one] } })
    const { answers } = await (await largeOf(skills)).search(one, { limit: 5 })
    expect(answers[0]?.value).toEqual([(await skills.catalog()).get(one)])
    expect(answers[0]?.value[0]?.isFound).toBeUndefined()
  })

  test('gives a command under the name that it is asked for', async () => {
    const { skills } = large({ listed: [skill('deploy')], large: { names: ['deploy'] } })
    const { answers } = await (await largeOf(skills)).search('deploy', { limit: 5 })
    const [entry] = answers[0]?.value ?? []
    expect(entry?.name).toBe('large:deploy')
    expect((await skills.catalog({ names: ['large:deploy'] })).get('large:deploy')?.command.name).toBe('deploy')
  })

  test('passes prefix and limit on, and takes no more than it asked for', async () => {
    const search: Source['search'] = () => many.slice(0, 50).map(name => ({ command: make(name), score: 1 }))
    const { skills } = large({ large: { members: { search } } })
    expect((await (await largeOf(skills)).search('x', { limit: 3 })).answers[0]?.value).toHaveLength(3)
    const narrow = await (await largeOf(large().skills)).search('skill', { limit: 3, prefix: 'skill-09' })
    expect(narrow.answers[0]?.value.map(({ name }) => name)).toEqual([90_000, 90_001, 90_002].map(numberedName))
  })

  test('counts a file that a listed command has as this command', async () => {
    const { skills } = large({
      listed: [fileSkill('deploy', 'user', '/x', 'text')],
      large: { names: ['deploy'], make: name => fileSkill(name, 'large', '/y', 'text') },
    })
    const { answers } = await (await largeOf(skills)).search('deploy', { limit: 5 })
    expect(answers[0]?.value.map(({ name, provider }) => [name, provider])).toEqual([['deploy', 'own']])
  })
})

describe('pages', () => {
  async function paged(skills: ReturnType<typeof large>['skills'], limit: number): Promise<readonly string[]> {
    const all: string[] = []
    let after: string | undefined
    do {
      const page = await (await largeOf(skills)).page({ limit, after })
      all.push(...page.entries.map(({ name }) => name))
      after = page.next
    } while (after !== undefined)
    return all
  }

  test('have every command of every large source once', async () => {
    const second = largeSource({ id: 'second', names: ['a', 'b', 'c'], make })
    const { skills } = large({ large: { names: many.slice(0, 25) }, plugins: [second] })
    expect(await paged(skills, 10)).toEqual([...many.slice(0, 25), 'a', 'b', 'c'])
    expect((await skills.catalog()).found).toEqual([])
  })

  test('end where a source gives the same place again, or more than was asked for', async () => {
    const { skills, codes } = large({
      large: { members: { page: () => ({ commands: [make(one)], next: 'same' }) } },
      plugins: [
        largeSource({ id: 'second', names: ['a'], make, members: { page: () => ({ commands: many.map(make) }) } }),
        largeSource({ id: 'third', names: ['c'], make }),
      ],
    })
    expect(await paged(skills, 10)).toEqual([one, 'c'])
    expect(codes()).toEqual(['provider-failed', 'provider-failed'])
  })

  test.each(['x', '{}', '[]', '[1]'])('have none of the name %s', async after => {
    await expect((await largeOf(large().skills)).page({ limit: 1, after })).rejects.toMatchObject({
      code: 'E_INVALID_OPTION',
    })
  })

  test('end after a source that is gone', async () => {
    expect(await (await largeOf(large().skills)).page({ limit: 1, after: '["gone"]' })).toMatchObject({
      entries: [],
      next: undefined,
    })
  })
})

describe('an engine without large sources', () => {
  test('asks no one for a name', async () => {
    const { skills } = engine({ plugins: [source('own', [skill('own'), local('here')])] })
    const catalog = await skills.catalog()
    expect(await skills.catalog({ names: ['own', 'x'] })).toBe(catalog)
    expect(await skills.large()).toBeUndefined()
  })

  test('warns of an override without a command; with one, the command may be there', async () => {
    const overrides = { [one]: 'pinned', missing: 'off' } as const
    expect((await engine({ plugins: [source('own', [])], overrides }).skills.catalog()).warnings).toHaveLength(2)
    expect((await large({ options: { overrides } }).skills.catalog()).warnings).toEqual([])
  })
})

describe('explain', () => {
  test('says that a command was found because it was asked for, and how many there are', async () => {
    const { skills } = large()
    const { answers, notes } = await skills.explain(last)
    expect(answers).toMatchObject([
      {
        status: 'active',
        name: last,
        chosenBy: 'No listed command has this name, so "large" was asked for it.',
        isListed: false,
        notListedBecause: [{ cause: 'found', text: '"large" lists only what is pinned; a search finds the rest.' }],
      },
    ])
    expect(notes).toEqual([
      { text: 'It has 100000 commands, and only those that are pinned or asked for are loaded.', provider: 'large' },
    ])
  })

  test('says that a source could not be asked', async () => {
    const { skills } = large({ large: { members: { find: () => Promise.reject(new Error('No answer.')) } } })
    expect(await skills.explain('x')).toMatchObject({ answers: [], incomplete: [{ provider: 'large' }] })
  })
})

test('a load result of a large source is checked as every other', async () => {
  const { skills, codes } = large({ large: { members: { list: () => loadResult({ commands: [{} as never] }) } } })
  expect([(await skills.catalog()).entries, codes()]).toEqual([[], ['malformed-command']])
})
