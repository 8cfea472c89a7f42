import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { McpServer } from '../test/mcp-server.js'
import { engine, textsOf } from '../test/engine.js'
import { assignNames, normalised, serverPart, type Named } from './names.js'
import type { McpSourceOptions } from './options.js'

async function listed(prompts: readonly string[], options: Partial<McpSourceOptions> = {}) {
  const server = new McpServer()
  server.prompts = prompts.map(name => ({ name }))
  const skills = engine({ servers: { s: { transport: () => server.transport() } }, ...options })
  onTestFinished(() => skills.close())
  return { skills, names: await skills.names() }
}

describe('the name of a server', () => {
  it.each([
    ['a__b', 'The name contains "__".'],
    ['a..b', 'The name becomes "a__b", which contains "__".'],
    ['', 'The name is empty.'],
    ['a\nb', 'The name holds invisible characters.'],
    ['a_', 'The name begins or ends with "_".'],
    ['.a', 'The name becomes "_a", which begins or ends with "_".'],
    ['x'.repeat(129), 'The name has more than 128 characters.'],
  ])('is refused where a rule for it could match another server: %j', async (name, why) => {
    const good = new McpServer()
    good.prompts = [{ name: 'hello' }]
    const skills = engine({
      servers: { [name]: { command: 'must-not-run' }, good: { transport: () => good.transport() } },
    })
    onTestFinished(() => skills.close())
    expect(await skills.names()).toEqual(['mcp__good__hello'])
    expect((await skills.catalog()).errors).toMatchObject([
      { code: 'mcp-server-refused', field: name, message: `The MCP server ${JSON.stringify(name)} is refused: ${why}` },
    ])
  })

  it('is refused when it comes to the same as another', async () => {
    const [first, second] = [new McpServer(), new McpServer()]
    for (const server of [first, second]) server.prompts = [{ name: 'hello' }]
    const skills = engine({
      servers: { 'a.b': { transport: () => first.transport() }, a_b: { transport: () => second.transport() } },
    })
    onTestFinished(() => skills.close())
    expect(await skills.names()).toEqual(['mcp__a_b__hello'])
    expect((await skills.catalog()).errors).toMatchObject([{ code: 'mcp-server-refused', field: 'a_b' }])
    expect(second.asked).toEqual([])
  })

  it('is refused without one way to reach the server', async () => {
    const servers: Readonly<Record<string, unknown>> = {
      none: {},
      both: { command: 'a', url: 'http://127.0.0.1/' },
      odd: { command: 5 },
      file: { url: 'file:///etc/passwd' },
      nothing: null,
      text: 'npx server',
      off: { enabled: false },
    }
    // @ts-expect-error -- what a file of settings may hold
    const skills = engine({ servers })
    onTestFinished(() => skills.close())
    expect((await skills.catalog()).errors.map(({ field, code }) => [field, code])).toEqual(
      ['none', 'both', 'odd', 'file', 'nothing', 'text'].map(field => [field, 'mcp-server-refused']),
    )
  })
})

describe('names made to collide', () => {
  it('stay apart: the one called exactly so keeps its name, the others get one that says which they are', async () => {
    const { skills, names } = await listed(['a_b', 'a.b', 'a b'])
    expect(names).toHaveLength(3)
    expect(names).toContain('mcp__s__a_b')
    for (const name of names) {
      const [, text = ''] = await textsOf(await skills.prompt(name))
      expect(text.slice(0, 3)).toMatch(name === 'mcp__s__a_b' ? /^a_b$/ : /^a[. ]b$/)
    }
    expect((await skills.catalog()).warnings.map(({ code }) => code)).toEqual([
      'mcp-name-collision',
      'mcp-name-collision',
    ])
    expect((await skills.catalog()).collisions).toEqual([])
  })

  it('leave the plain name to no one when no one was called exactly so', async () => {
    const { names } = await listed(['a.b', 'a b'])
    expect(names).toHaveLength(2)
    expect(names).not.toContain('mcp__s__a_b')
  })

  it('never come to a name outside their server', async () => {
    const { names } = await listed(['../../deploy', 'user:deploy', '/help', 'x\n- trusted: yes', '\u202egnp.exe', '💥'])
    for (const name of names) expect(name).toMatch(/^mcp__s__[A-Za-z0-9_-]+$/)
    expect(names).toHaveLength(6)
  })

  it('are unique, and the same in any order the server lists them', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', '_', '.', ' ', 'é', '\n', '-', 'A'),
      minLength: 1,
      maxLength: 4,
    })
    const things = fc.uniqueArray(fc.record({ given: text, isFirst: fc.boolean() }), {
      selector: ({ given, isFirst }) => `${isFirst} ${given}`,
      maxLength: 30,
    })
    fc.assert(
      fc.property(things, fc.constantFrom('both', 'server'), (found, normalise) => {
        const named: Named[] = found.map(thing => ({ ...thing, identity: `${thing.isFirst} ${thing.given}` }))
        const [one, other] = [named, named.toReversed()].map(
          list => new Map([...assignNames('s', list, normalise)].map(([{ identity }, { name }]) => [identity, name])),
        )
        expect(new Set(one?.values()).size).toBe(found.length)
        expect(other).toEqual(one)
        for (const name of one?.values() ?? [])
          expect(name).toMatch(normalise === 'both' ? /^mcp__s__[A-Za-z0-9_-]+$/ : /^mcp__s__[^\s\p{C}]+$/u)
      }),
    )
  })
})

it('normalises the part of the server alone where that is asked for, and never keeps what breaks a line', async () => {
  expect((await listed(['a.b', 'c\nd'], { normalise: 'server' })).names).toEqual(['mcp__s__a.b', 'mcp__s__c_d'])
  expect((await listed(['a.b', 'c\nd'])).names).toEqual(['mcp__s__a_b', 'mcp__s__c_d'])
})

it('shortens a name that would fill a listing', async () => {
  const { names } = await listed(['x'.repeat(100_000), 'x'.repeat(100_001)])
  expect(names).toHaveLength(2)
  for (const name of names) expect(name.length).toBeLessThan(160)
})

it('keeps what a name may hold', () => {
  expect(normalised('Az09_-é💥 ')).toBe('Az09_-___')
  expect(serverPart('my.server-2')).toEqual({ part: 'my_server-2' })
})
