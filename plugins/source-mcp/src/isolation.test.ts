import { fakeClock } from '@skills/testing'
import { defineProvider, loadResult, promptCommand, type CatalogChange } from '@skills/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { engine, gate, namesOf, textsOf, type Engine } from '../test/engine.js'
import { McpServer } from '../test/mcp-server.js'
import type { McpSourceOptions } from './options.js'

function serverOf(...names: string[]): McpServer {
  const server = new McpServer()
  server.prompts = names.map(name => ({ name }))
  return server
}

const to = (server: McpServer) => ({ transport: () => server.transport() })

function started(
  options: McpSourceOptions,
  clock = fakeClock(),
): Engine & { readonly clock: ReturnType<typeof fakeClock> } {
  const local = defineProvider({
    kind: 'source',
    id: 'local',
    setup: () => ({
      source: 'user',
      list: () =>
        loadResult({ commands: [promptCommand({ name: 'local', source: 'user', load: () => ({ template: '' }) })] }),
    }),
  })
  const skills = engine(options, { clock }, [local])
  onTestFinished(() => skills.close())
  return { ...skills, host: skills.host, signal: skills.signal, clock }
}

/** Settles when the engine learns that the source has changed. */
function changed(skills: Engine): Promise<CatalogChange> {
  return new Promise(resolve => {
    skills.hook('skills:changed', resolve)
  })
}

/** Lets everything continue that waits for no clock. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise(resolve => setImmediate(resolve))
}

describe('a server that does not answer', () => {
  it('delays nothing else: the rest is listed once the grace is over, and its commands come in when it answers', async () => {
    const [slow, quick] = [serverOf('late'), serverOf('hello')]
    const { opened, open } = gate()
    const { initialize } = slow.answers
    slow.answers['initialize'] = async params => {
      await opened
      return initialize?.(params)
    }
    const skills = started({ servers: { slow: to(slow), quick: to(quick) }, waitMs: 200 })
    const isListed = quick.whenAsked('prompts/list')
    const loading = skills.catalog()
    await isListed
    await settle()
    await skills.clock.advance(199)
    expect(skills.told).toEqual([])
    await skills.clock.advance(1)
    const catalog = await loading
    expect(namesOf(catalog)).toEqual(['local', 'mcp__quick__hello'])
    expect(catalog.places.find(({ path }) => path === 'mcp://slow')).toMatchObject({
      state: 'skipped',
      note: expect.stringContaining('not answered'),
    })
    expect(catalog.errors).toEqual([])
    const asked = quick.asked.length
    const stale = new Promise(resolve => {
      skills.hook('sources:stale', resolve)
    })
    open()
    expect(await stale).toEqual({ providers: ['mcp'] })
    expect(await skills.names()).toEqual(['local', 'mcp__slow__late', 'mcp__quick__hello'])
    expect(quick.asked).toHaveLength(asked)
  })

  it('is given up after the time for a connection, tried again, and listed when it is back', async () => {
    const server = serverOf('hello')
    const { initialize } = server.answers
    server.answers['initialize'] = () => new Promise(() => {})
    const skills = started({ servers: { s: to(server) }, connectMs: 5000, retryMs: 1000 })
    const isAsked = server.whenAsked('initialize')
    const loading = skills.catalog()
    await isAsked
    await skills.clock.advance(5000)
    expect((await loading).errors).toMatchObject([
      {
        code: 'mcp-server-failed',
        path: 'mcp://s',
        message:
          'The MCP server "s" failed: Connecting to the MCP server "s" took longer than 5000 ms. Raise connectMs, or find out what the server waits for.',
        hint: 'The server is tried again automatically.',
      },
    ])
    if (initialize !== undefined) server.answers['initialize'] = initialize
    const change = changed(skills)
    await skills.clock.advance(1000)
    await settle()
    await skills.catalog()
    expect((await change).added).toEqual(['mcp__s__hello'])
  })

  it('costs one invocation its time, and no more', async () => {
    const server = serverOf('hello')
    const skills = started({ servers: { s: to(server) }, requestMs: 3000 })
    const command = await skills.prompt('mcp__s__hello')
    const { 'prompts/get': get } = server.answers
    server.answers['prompts/get'] = () => new Promise(() => {})
    const isAsked = server.whenAsked('prompts/get')
    const reading = textsOf(command)
    await isAsked
    await Promise.all([
      expect(reading).rejects.toMatchObject({ code: 'E_TIMEOUT', message: expect.stringMatching(/"s" .* 3000 ms/) }),
      skills.clock.advance(3000),
    ])
    if (get !== undefined) server.answers['prompts/get'] = get
    expect(await textsOf(command)).toHaveLength(2)
  })

  it('ends an invocation that is given up', async () => {
    const server = serverOf('hello')
    const skills = started({ servers: { s: to(server) } })
    const command = await skills.prompt('mcp__s__hello')
    server.answers['prompts/get'] = () => new Promise(() => {})
    const controller = new AbortController()
    const isAsked = server.whenAsked('prompts/get')
    const reading = (async () => command.load('', { signal: controller.signal }))()
    await isAsked
    controller.abort()
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('a server that fails', () => {
  it('costs its own commands only, and says which server and why', async () => {
    const bad = serverOf('a')
    bad.answers['prompts/list'] = () => {
      throw new Error('No.')
    }
    const skills = started({ servers: { bad: to(bad), good: to(serverOf('hello')) } })
    const catalog = await skills.catalog()
    expect(namesOf(catalog)).toEqual(['local', 'mcp__good__hello'])
    expect(catalog.errors).toMatchObject([
      {
        code: 'mcp-server-failed',
        message: expect.stringContaining('The MCP server "bad" failed: Error: No.'),
        provider: 'mcp',
      },
    ])
    expect(await skills.explain('mcp__bad__a')).toMatchObject({ answers: expect.anything() })
  })

  it('is tried later after each failure, and given up after so many', async () => {
    const server = serverOf('hello')
    let attempts = 0
    const transport = () => {
      attempts++
      if (attempts > 1) throw new Error('It is not there.')
      return server.transport()
    }
    const skills = started({ servers: { s: { transport } }, retryMs: 1000, retryMostMs: 3000, retries: 4 })
    expect(await skills.names()).toEqual(['local', 'mcp__s__hello'])
    await server.die()
    await settle()
    // 1, 2, 3 and 3 seconds: doubled, up to the limit.
    for (const [ms, expected] of [
      [999, 1],
      [1, 2],
      [1999, 2],
      [1, 3],
      [2999, 3],
      [1, 4],
      [2999, 4],
      [1, 5],
    ] as const) {
      await skills.clock.advance(ms)
      await settle()
      expect(attempts).toBe(expected)
      expect((await skills.names()).includes('mcp__s__hello')).toBe(expected < 5)
    }
    expect(await skills.names()).toEqual(['local'])
    expect(skills.clock.pending).toBe(0)
    expect((await skills.catalog()).errors).toMatchObject([
      { code: 'mcp-server-failed', hint: expect.not.stringContaining('automatically') },
    ])
    attempts = 0
    expect(namesOf(await skills.refresh())).toEqual(['local', 'mcp__s__hello'])
  })

  it('is connected anew when its connection ends, and nothing changes for anyone meanwhile', async () => {
    const server = serverOf('hello')
    const skills = started({ servers: { s: to(server) }, retryMs: 1000 })
    const before = await skills.prompt('mcp__s__hello')
    await server.die()
    await settle()
    expect(skills.told).toMatchObject([{ code: 'mcp-server-lost', severity: 'warning' }])
    expect(server.connections).toBe(0)
    await skills.clock.advance(1000)
    await settle()
    expect(server.connections).toBe(1)
    expect(await skills.prompt('mcp__s__hello')).toBe(before)
  })

  it('is connected anew for an invocation', async () => {
    const server = serverOf('hello')
    const skills = started({ servers: { s: to(server) } })
    const command = await skills.prompt('mcp__s__hello')
    await server.die()
    expect(await textsOf(command)).toHaveLength(2)
  })

  it('that dies in the middle of an answer fails the invocation, which says so', async () => {
    const server = serverOf('hello')
    const skills = started({ servers: { s: to(server) } })
    const command = await skills.prompt('mcp__s__hello')
    server.answers['prompts/get'] = async () => {
      await server.die()
    }
    await expect(textsOf(command)).rejects.toMatchObject({
      code: 'E_PROVIDER_FAILED',
      message: expect.stringContaining('"mcp__s__hello"'),
    })
    expect(server.asked.filter(method => method === 'prompts/get')).toHaveLength(2)
  })
})

describe('skills that cannot be listed', () => {
  const skill = { name: 'refunds', description: 'Handles refunds.' }

  it.each([
    [
      'a failure',
      () => {
        throw new Error('The shelf\nis empty.')
      },
      'Error: The shelf is empty',
    ],
    ['a method that is missing', undefined, 'Method not found'],
    ['no list', () => ({ skills: null }), 'its answer to skills/list has no list of skills'],
  ])('cost no prompt: %s', async (_, answer, reason) => {
    const server = serverOf('hello')
    if (answer === undefined) delete server.answers['skills/list']
    else server.answers['skills/list'] = answer
    const skills = started({ servers: { s: to(server) } })
    const { errors, places } = await skills.catalog()
    expect(await skills.names()).toEqual(['local', 'mcp__s__hello'])
    expect(errors).toMatchObject([
      {
        code: 'mcp-server-failed',
        path: 'mcp://s',
        message: expect.stringMatching(/"s" .*: .*[^.]\.$/),
        hint: expect.stringContaining('automatically'),
      },
    ])
    expect(errors[0]?.message).toContain(reason)
    expect(places.find(({ path }) => path === 'mcp://s')).toMatchObject({ state: 'read', found: 1 })
  })

  it('cost no prompt where no answer comes', async () => {
    const server = serverOf('hello')
    server.answers['skills/list'] = () => new Promise(() => {})
    const skills = started({ servers: { s: to(server) }, requestMs: 3000 })
    const isAsked = server.whenAsked('skills/list')
    const loading = skills.catalog()
    await isAsked
    await skills.clock.advance(3000)
    expect(namesOf(await loading)).toEqual(['local', 'mcp__s__hello'])
    expect((await loading).errors).toMatchObject([
      { code: 'mcp-server-failed', message: expect.stringMatching(/"s" .* 3000 ms\. .*requestMs/) },
    ])
  })

  it('are asked for again, stay as they were meanwhile, and go when they are given up', async () => {
    const server = serverOf('hello')
    const { 'skills/list': list = () => ({}) } = server.answers
    const fail = (): never => {
      throw new Error('No.')
    }
    server.putSkill('refunds', skill, 'Pay.')
    server.answers['skills/list'] = fail
    const skills = started({ servers: { s: to(server) }, retryMs: 1000, retries: 1 })
    expect(await skills.names()).toEqual(['local', 'mcp__s__hello'])
    server.answers['skills/list'] = list
    await skills.clock.advance(1000)
    await settle()
    const before = await skills.prompt('mcp__s__refunds')
    expect((await skills.catalog()).errors).toEqual([])
    server.answers['skills/list'] = fail
    expect(namesOf(await skills.refresh())).toEqual(['local', 'mcp__s__hello', 'mcp__s__refunds'])
    expect(await skills.prompt('mcp__s__refunds')).toBe(before)
    await skills.clock.advance(1000)
    await settle()
    expect(await skills.names()).toEqual(['local', 'mcp__s__hello'])
    expect((await skills.catalog()).errors).toMatchObject([
      { code: 'mcp-server-failed', hint: expect.not.stringContaining('automatically') },
    ])
    expect(skills.clock.pending).toBe(0)
  })

  it('fail with the whole server where the connection is lost', async () => {
    const server = serverOf('hello')
    server.answers['skills/list'] = () => server.die()
    const skills = started({ servers: { s: to(server) } })
    expect(await skills.names()).toEqual(['local'])
    expect((await skills.catalog()).errors).toMatchObject([
      { code: 'mcp-server-failed', message: expect.stringMatching(/^The MCP server "s" failed: /) },
    ])
  })

  it('are not read on by a load that is given up', async () => {
    const server = serverOf('hello')
    server.answers['skills/list'] = () => new Promise(() => {})
    const skills = started({ servers: { s: to(server) } })
    const isAsked = server.whenAsked('skills/list')
    const controller = new AbortController()
    const loading = skills.catalog({ signal: controller.signal })
    await isAsked
    controller.abort()
    await expect(loading).rejects.toMatchObject({ name: 'AbortError' })
    await settle()
    expect(skills.told).toEqual([])
    // No further attempt is planned.
    expect(skills.clock.pending).toBe(0)
  })
})

describe('list_changed', () => {
  it('reloads the server that sent it, and no other', async () => {
    const [one, other] = [serverOf('a'), serverOf('x')]
    const skills = started({ servers: { one: to(one), other: to(other) }, changeMs: 100 })
    const kept = await skills.prompt('mcp__other__x')
    const first = await skills.prompt('mcp__one__a')
    const asked = other.asked.length
    one.prompts = [{ name: 'a' }, { name: 'b' }]
    for (let at = 0; at < 5; at++) one.notify('notifications/prompts/list_changed')
    await settle()
    expect(await skills.names()).not.toContain('mcp__one__b')
    await skills.clock.advance(100)
    expect(await skills.names()).toEqual(['local', 'mcp__one__a', 'mcp__one__b', 'mcp__other__x'])
    expect(one.asked.filter(method => method === 'prompts/list')).toHaveLength(2)
    expect(other.asked).toHaveLength(asked)
    expect([await skills.prompt('mcp__other__x'), await skills.prompt('mcp__one__a')]).toEqual([kept, first])
    expect(await skills.prompt('mcp__one__a')).toBe(first)
  })

  it('of a file elsewhere asks no server', async () => {
    const server = serverOf('a')
    const skills = started({ servers: { s: to(server) } })
    await skills.catalog()
    const asked = server.asked.length
    await skills.refresh(['/home/user/.claude/skills'])
    expect(server.asked).toHaveLength(asked)
  })
})

describe('a server that a project names', () => {
  it('is not spoken to unless the host allows it', async () => {
    const server = serverOf('a')
    const servers = { s: { ...to(server), from: 'project' } } as const
    const skills = started({ servers })
    expect(await skills.names()).toEqual(['local'])
    expect((await skills.catalog()).places.find(({ path }) => path === 'mcp://s')).toMatchObject({
      state: 'skipped',
      note: 'The host does not allow it.',
    })
    expect(server.asked).toEqual([])
    let isTrusted = false
    const asking = started({ servers, allows: ({ name, from }) => name === 's' && from === 'project' && isTrusted })
    expect(await asking.names()).toEqual(['local'])
    isTrusted = true
    expect(namesOf(await asking.refresh())).toEqual(['local', 'mcp__s__a'])
    isTrusted = false
    expect(namesOf(await asking.refresh())).toEqual(['local'])
  })

  it('is not connected anew for an invocation either, once the host does not allow it any more', async () => {
    const server = serverOf('a')
    let isTrusted = true
    const skills = started({ servers: { s: { ...to(server), from: 'project' } }, allows: () => isTrusted })
    const command = await skills.prompt('mcp__s__a')
    isTrusted = false
    // An open connection stays until the next listing.
    expect(await textsOf(command)).toHaveLength(2)
    await server.die()
    await settle()
    const refusal = {
      code: 'E_DENIED',
      message: 'The host does not allow the MCP server "s". Allow it, then list the commands again.',
    }
    await expect(textsOf(command)).rejects.toMatchObject(refusal)
    expect(server.connections).toBe(0)
    expect(await skills.names()).toEqual(['local'])
    await expect(textsOf(command)).rejects.toMatchObject(refusal)
    isTrusted = true
    expect(await textsOf(command)).toHaveLength(2)
    expect(namesOf(await skills.refresh())).toEqual(['local', 'mcp__s__a'])
  })

  it('whose connection ends in the middle of a request is asked about before the next one', async () => {
    const server = serverOf('a')
    let isTrusted = true
    const skills = started({ servers: { s: { ...to(server), from: 'project' } }, allows: () => isTrusted })
    const command = await skills.prompt('mcp__s__a')
    server.answers['prompts/get'] = async () => {
      isTrusted = false
      await server.die()
    }
    await expect(textsOf(command)).rejects.toMatchObject({ code: 'E_DENIED' })
    expect(server.asked.filter(method => method === 'prompts/get')).toHaveLength(1)
  })

  it('is asked about once for a listing, and not for an invocation on the connection there is', async () => {
    const server = serverOf('a')
    const asked: string[] = []
    const skills = started({
      servers: { s: to(server) },
      allows: ({ name }) => {
        asked.push(name)
        return true
      },
    })
    await textsOf(await skills.prompt('mcp__s__a'))
    expect(asked).toEqual(['s'])
    await server.die()
    await settle()
    await textsOf(await skills.prompt('mcp__s__a'))
    expect(asked).toEqual(['s', 's'])
  })

  it('is asked about once for a connection that several invocations want', async () => {
    const server = serverOf('a', 'b')
    const { opened, open } = gate()
    const answers = [true]
    let asked = 0
    const skills = started({
      servers: { s: to(server) },
      async allows() {
        asked++
        if (asked > 1) await opened
        return answers.at(-1) ?? false
      },
    })
    const commands = [await skills.prompt('mcp__s__a'), await skills.prompt('mcp__s__b')]
    await server.die()
    await settle()
    const given = Promise.all(commands.flatMap(command => [textsOf(command), textsOf(command)]))
    await settle()
    open()
    expect(await given).toHaveLength(4)
    expect([asked, server.connections]).toEqual([2, 1])
    await server.die()
    await settle()
    answers.push(false)
    let stale = 0
    skills.hook('sources:stale', () => void stale++)
    expect(await Promise.allSettled(commands.map(command => textsOf(command)))).toMatchObject([
      { reason: { code: 'E_DENIED' } },
      { reason: { code: 'E_DENIED' } },
    ])
    expect([asked, stale, server.connections]).toEqual([3, 1, 0])
  })

  it('holds no one up where the host never says whether it is allowed', async () => {
    const server = serverOf('a')
    let isSilent = false
    let asked = 0
    const skills = started({
      servers: { s: to(server) },
      allows: () => {
        asked++
        return isSilent ? new Promise<boolean>(() => {}) : true
      },
    })
    const command = await skills.prompt('mcp__s__a')
    await server.die()
    await settle()
    isSilent = true
    const giving = new AbortController()
    const given = command.load('', { signal: giving.signal })
    await settle()
    giving.abort()
    await expect(given).rejects.toMatchObject({ name: 'AbortError' })
    // The next call does not wait for a question that was aborted.
    const next = textsOf(command)
    await settle()
    expect(asked).toBe(3)
    const listing = skills.refresh()
    await settle()
    const closing = skills.close()
    await expect(next).rejects.toMatchObject({ name: 'AbortError' })
    await expect(listing).rejects.toMatchObject({ name: 'AbortError' })
    await closing
    expect(skills.told.filter(({ code }) => code === 'close-failed' || code === 'late-failure')).toEqual([])
  })

  it('is kept out when it is not known whether it is allowed', async () => {
    const server = serverOf('a')
    const skills = started({ servers: { s: to(server) }, allows: () => Promise.reject(new Error('No one knows.')) })
    expect(await skills.names()).toEqual(['local'])
    expect(skills.told).toMatchObject([
      { code: 'mcp-server-failed', message: expect.stringContaining('No one knows.') },
    ])
  })
})

it('speaks to no server while all are switched off, and says so to a search for their commands', async () => {
  const server = serverOf('hello')
  const skills = started({ enabled: false, servers: { 'my.shop': to(server), a__b: to(server) } })
  const note = 'MCP servers are not contacted unless the host switches them on.'
  const { places, errors } = await skills.refresh()
  expect(places).toEqual([{ path: 'mcp://my.shop', state: 'skipped', found: 0, note, provider: 'mcp' }])
  expect(errors.map(({ code, field }) => [code, field])).toEqual([['mcp-server-refused', 'a__b']])
  expect([
    (await skills.explain('mcp__my_shop__hello')).notes,
    (await skills.explain('mcp__other__hello')).notes,
  ]).toEqual([[{ text: note, path: 'mcp://my.shop', provider: 'mcp' }], []])
  expect([server.asked, server.connections, skills.clock.pending]).toEqual([[], 0, 0])
})

it('ends its connections and its timers at close', async () => {
  const [good, bad] = [serverOf('a'), serverOf('b')]
  bad.answers['prompts/list'] = () => 5
  const skills = started({ servers: { good: to(good), bad: to(bad) } })
  await skills.catalog()
  expect(skills.clock.pending).toBeGreaterThan(0)
  await skills.close()
  expect([good.connections, bad.connections, skills.clock.pending]).toEqual([0, 0, 0])
})

it.each([{ waitMs: -1 }, { connectMs: 0 }, { requestMs: Number.NaN }, { retries: -1 }])('refuses %j', wrong => {
  expect(() => started({ servers: {}, ...wrong })).toThrow(expect.objectContaining({ code: 'E_INVALID_OPTION' }))
})
