import { describe, expect, test } from 'vitest'
import { defineProvider, type Command, type Gate, type GateRules, type Provider } from './index.js'
import { engine, listing, local, names, skill, source } from '../test/engine.js'
import { loadResult } from './source.js'

function gate(rules: () => GateRules, more: Partial<Gate> = {}, id = 'policy'): Provider<'gate'> {
  return defineProvider({ kind: 'gate', id, setup: () => ({ rules, ...more }) })
}

describe('a gate over sources', () => {
  test('keeps a source from being asked, and the places say why', async () => {
    let asked = 0
    const user = listing('user', () => {
      asked++
      return loadResult({ commands: [skill('deploy')] })
    })
    const rules: GateRules = {
      source: (name, provider) =>
        name === 'user' && provider === 'user' ? 'The policy allows managed skills only.' : undefined,
    }
    const { skills } = engine({ plugins: [user, gate(() => rules)] })
    const catalog = await skills.catalog()
    expect([asked, catalog.size]).toEqual([0, 0])
    expect(catalog.places).toEqual([
      { path: 'user', provider: 'user', state: 'skipped', found: 0, note: 'The policy allows managed skills only.' },
    ])
  })

  test('lets the source in again once its rules change, and asks no question anew while they are the same', async () => {
    let rules: GateRules = { source: () => 'Closed.' }
    let asked = 0
    const user = listing(
      'user',
      () => {
        asked++
        return loadResult({ commands: [skill('deploy')] })
      },
      { refresh: () => undefined },
    )
    const { skills } = engine({ plugins: [user, gate(() => rules)] })
    await skills.catalog()
    rules = {}
    const open = await skills.refresh()
    expect([asked, names(open.entries)]).toEqual([1, ['deploy']])
    expect(await skills.refresh()).toBe(open)
    expect(asked).toBe(1)
  })

  test('is asked again when it says so itself', async () => {
    let rules: GateRules = {}
    let invalidate = (): void => {}
    const policy = defineProvider({
      kind: 'gate',
      id: 'policy',
      setup: ctx => {
        invalidate = () => ctx.invalidate()
        return { rules: () => rules }
      },
    })
    const { skills } = engine({ plugins: [source('user', [skill('deploy')]), policy] })
    expect((await skills.catalog()).size).toBe(1)
    rules = { source: () => 'Closed.' }
    expect((await skills.catalog()).size).toBe(1)
    invalidate()
    expect((await skills.catalog()).size).toBe(0)
  })
})

describe('a gate over commands', () => {
  const rules: GateRules = {
    command: ({ name, source: from }) =>
      name === 'deploy' && from === 'user' ? 'The policy names "deploy".' : undefined,
  }

  test('disables them before names are given away, so that they shadow nothing', async () => {
    const low = source('low', [skill('deploy', { source: 'project' })])
    const { skills } = engine({ plugins: [source('high', [skill('deploy'), local('help')]), low, gate(() => rules)] })
    const catalog = await skills.catalog()
    expect(catalog.get('deploy')?.provider).toBe('low')
    expect(catalog.disabled).toMatchObject([{ name: 'deploy', provider: 'high', barred: 'The policy names "deploy".' }])
  })

  test('counts what its rules inherit', async () => {
    const inheriting: GateRules = Object.create({
      ...rules,
      dormant: ({ name }: Command) => (name === 'help' ? 'Not yet.' : undefined),
    })
    const { skills } = engine({ plugins: [source('high', [skill('deploy'), local('help')]), gate(() => inheriting)] })
    const { entries, disabled } = await skills.catalog()
    expect([entries.map(({ name, dormant }) => [name, dormant]), names(disabled)]).toEqual([
      [['help', 'Not yet.']],
      ['deploy'],
    ])
  })

  test('are explained with its reason', async () => {
    const { skills } = engine({ plugins: [source('high', [skill('deploy')]), gate(() => rules)] })
    expect((await skills.explain('deploy')).answers).toMatchObject([
      {
        status: 'disabled',
        isListed: false,
        notListedBecause: [{ cause: 'gate', text: 'The policy names "deploy".' }],
      },
    ])
  })
})

describe('a gate over when a model is told of a command', () => {
  function conditional() {
    const awake = new Set<string>()
    let asked = 0
    let wake: (name: string) => void = () => {}
    const user = listing('user', () => {
      asked++
      return loadResult({ commands: [skill('styles'), skill('deploy'), skill('styles', { source: 'project' })] })
    })
    const condition = defineProvider({
      kind: 'gate',
      id: 'condition',
      setup: ctx => {
        let rules: GateRules = {}
        const renew = (): void => {
          rules = {
            dormant: ({ name }) => (name === 'styles' && !awake.has(name) ? 'No *.css was touched.' : undefined),
          }
        }
        renew()
        wake = name => {
          awake.add(name)
          renew()
          ctx.invalidate(undefined, 'activation')
        }
        ctx.hook('file:touched', ({ paths }) => paths.forEach(path => wake(path.slice(1))))
        return { rules: () => rules }
      },
    })
    return { ...engine({ plugins: [user, condition] }), asked: () => asked, wake: (name: string) => wake(name) }
  }

  test('leaves it in the catalog, under a qualified name too, and says why it is dormant', async () => {
    const { skills } = conditional()
    const catalog = await skills.catalog()
    expect(catalog.entries.map(({ name, dormant }) => [name, dormant])).toEqual([
      ['styles', 'No *.css was touched.'],
      ['deploy', undefined],
      ['project:styles', 'No *.css was touched.'],
    ])
    const [answer] = (await skills.explain('styles')).answers
    expect(answer).toMatchObject({
      status: 'active',
      isListed: false,
      notListedBecause: [{ cause: 'gate', text: 'No *.css was touched.' }],
    })
  })

  test('wakes it without a source being asked again, and tells of a change with its reason', async () => {
    const { skills, asked } = conditional()
    const changes: unknown[] = []
    const stale: unknown[] = []
    skills.hook('skills:changed', ({ changed, reason }) => changes.push([changed, reason]))
    skills.hook('sources:stale', ({ providers }) => stale.push(...providers))
    const before = await skills.catalog()
    // Listeners hear an event before the next look at the catalog.
    skills.emit('file:touched', { paths: ['/styles'] })
    const after = await skills.catalog()
    expect([before.get('styles')?.dormant, after.get('styles')?.dormant, asked()]).toEqual([
      'No *.css was touched.',
      undefined,
      1,
    ])
    await new Promise(setImmediate)
    expect(changes).toEqual([[['styles', 'project:styles'], 'activation']])
    expect(stale).toEqual(['condition'])
  })

  test('that says something else while it is asked is asked once more', async () => {
    let isAwake = false
    const condition = defineProvider({
      kind: 'gate',
      id: 'condition',
      setup: ctx => ({
        rules() {
          const rules: GateRules = isAwake ? {} : { dormant: () => 'Not yet.' }
          if (!isAwake) {
            isAwake = true
            ctx.invalidate()
          }
          return rules
        },
      }),
    })
    const { skills } = engine({ plugins: [source('user', [skill('deploy')]), condition] })
    expect((await skills.catalog()).get('deploy')?.dormant).toBeUndefined()
  })

  test('keeps a model from it when it cannot tell', async () => {
    const { skills } = engine({
      plugins: [
        source('user', [skill('deploy')]),
        gate(() => ({
          dormant: () => {
            throw new Error('The patterns are gone.')
          },
        })),
      ],
    })
    expect((await skills.catalog()).get('deploy')?.dormant).toMatch(/: The patterns are gone\.$/)
  })
})

describe('a gate that fails', () => {
  test('lets nothing through, and says so', async () => {
    const broken = gate(() => {
      throw new Error('The policy is not JSON.')
    })
    const { skills, diagnostics } = engine({ plugins: [source('user', [skill('deploy')]), broken] })
    const catalog = await skills.catalog()
    expect(catalog.size).toBe(0)
    expect(catalog.places[0]?.note).toMatch(/"policy" .*: The policy is not JSON\.$/)
    expect(diagnostics).toMatchObject([{ severity: 'error', code: 'provider-failed', provider: 'policy' }])
  })

  test('costs only its own rules where another lets less through', async () => {
    const { skills } = engine({
      plugins: [
        source('user', [skill('a'), skill('b')]),
        gate(() => ({ command: ({ name }) => (name === 'a' ? 'No.' : undefined) })),
        gate(() => ({}), {}, 'second'),
      ],
    })
    expect(names((await skills.catalog()).entries)).toEqual(['b'])
  })
})

describe('an override of a gate', () => {
  const words = { a: 'off', b: 'name-only', c: 'user-only' } as const
  const said: GateRules = { override: name => Object.entries(words).find(([key]) => key === name)?.[1] }
  const plugins = [source('user', [skill('a'), skill('b'), skill('c'), skill('d')]), gate(() => said)]

  test('counts as one of the host does, which comes before it', async () => {
    const { skills } = engine({ plugins, overrides: { c: 'on' } })
    const { entries, disabled } = await skills.catalog()
    expect(entries.map(({ name, override }) => `${name} ${override}`)).toEqual(['b name-only', 'c on', 'd on'])
    expect(names(disabled)).toEqual(['a'])
  })
})
