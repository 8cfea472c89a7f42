import { describe, expect, it } from 'vitest'
import { anthropicEvents, event } from '@skills/testing/model-server'
import { data, openaiEvents } from '@skills/testing/model-server'
import { agentAt, never, protocols } from './agent-at.js'
import { runAlone } from './run-alone.js'
import type { Fault, Protocol } from '@skills/testing/model-server'

const soon = { 'retry-after-ms': '1' }

/** An answer up to its middle. */
function half(protocol: Protocol, text = 'It is half past'): readonly string[] {
  return protocol === 'anthropic'
    ? anthropicEvents({ text }, 'main-model').slice(0, -4)
    : openaiEvents({ text }, 'main-model').slice(0, -4)
}

const overloaded = { type: 'overloaded_error', message: 'Overloaded' }
const errorEvent = (protocol: Protocol): string =>
  protocol === 'anthropic'
    ? event('error', { error: overloaded })
    : data({ error: { ...overloaded, code: 'overloaded' } })

function status(code: number, message: string): Fault {
  return { status: code, body: { type: 'error', error: { type: 'some_error', message } }, headers: soon }
}

/** The agent's own conversation, and a fork alone: both have to bear everything. */
describe.each(
  protocols.flatMap(
    protocol =>
      [
        [protocol, 'conversation'],
        [protocol, 'fork'],
      ] as const,
  ),
)('in the protocol of %s, a %s', (protocol, where) => {
  async function ask(replies: Parameters<typeof agentAt>[1]) {
    if (where === 'fork') return runAlone(protocol, replies)
    const { agent, server, shown, problems, onWrite } = await agentAt(protocol, replies)
    return {
      server,
      problems,
      shown,
      onText: onWrite,
      run: (signal: AbortSignal) => agent.type('What time is it?', signal),
    }
  }

  it.each([
    [429, 'Slow down'],
    [500, 'Something broke'],
    [503, 'Overloaded'],
    [529, 'Overloaded'],
  ])('makes a request again that was refused with %i', async (code, message) => {
    const { server, shown, run, problems } = await ask([status(code, message), { text: 'Noon.' }])
    await run(never)
    expect(shown().trim()).toBe('Noon.')
    expect(server.requests).toHaveLength(2)
    expect(server.requests[1]?.body).toEqual(server.requests[0]?.body)
    expect(problems).toEqual([])
  })

  it.each([
    [429, 'Slow down'],
    [500, 'Something broke'],
    [529, 'Overloaded'],
  ])('gives up after three times %i, and fails once', async (code, message) => {
    const { server, shown, run, problems } = await ask(() => status(code, message))
    const error: unknown = await run(never).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      code: 'E_PROVIDER_FAILED',
      message: expect.stringMatching(
        new RegExp(`^The model "main-model" of \\S+ failed \\(status ${code}\\): .*${message}`),
      ),
    })
    expect(server.requests).toHaveLength(3)
    expect([shown().trim(), problems]).toEqual(['', []])
  })

  it.each([
    [400, 'No such model'],
    [401, 'No key'],
  ])('does not repeat a request that is refused for good with %i', async (code, message) => {
    const { server, run } = await ask(() => status(code, message))
    await expect(run(never)).rejects.toMatchObject({
      code: 'E_PROVIDER_FAILED',
      message: expect.stringContaining(message),
    })
    expect(server.requests).toHaveLength(1)
  })

  it('fails once when the server is overloaded in the middle of an answer', async () => {
    const { run, shown, problems } = await ask([{ events: [...half(protocol), errorEvent(protocol)], ending: 'end' }])
    await expect(run(never)).rejects.toMatchObject({
      code: 'E_PROVIDER_FAILED',
      message: expect.stringContaining('Overloaded'),
    })
    expect(shown()).toContain('half')
    expect(problems).toEqual([])
  })

  it.skipIf(protocol === 'openai')(
    'makes a request again that was accepted, and then refused before a word was said',
    async () => {
      const { run, server, shown } = await ask([
        { events: [errorEvent(protocol)], ending: 'end', headers: soon },
        { text: 'Noon.' },
      ])
      await run(never)
      expect(shown().trim()).toBe('Noon.')
      expect(server.requests).toHaveLength(2)
    },
  )

  it.each(['end', 'cut'] as const)(
    'fails once with an answer that ends in the middle (%s), and takes no half of it for the whole',
    async ending => {
      const { run, shown, problems } = await ask([{ events: half(protocol), ending }])
      await expect(run(never)).rejects.toMatchObject({
        code: 'E_PROVIDER_FAILED',
        message: expect.stringMatching(ending === 'cut' ? /terminated/ : /cut off|finish reason/),
      })
      expect(shown()).toContain('half')
      expect(problems).toEqual([])
    },
  )

  it('calls no tool whose call was cut off', async () => {
    const answer = { calls: [{ id: 'call_1', name: 'Write', input: { path: 'made.txt', content: 'Made.' } }] }
    const events =
      protocol === 'anthropic'
        ? anthropicEvents(answer, 'main-model').slice(0, -3)
        : openaiEvents(answer, 'main-model').slice(0, -4)
    const { run, shown } = await ask([{ events, ending: 'cut' }])
    await expect(run(never)).rejects.toMatchObject({ code: 'E_PROVIDER_FAILED' })
    expect(shown()).not.toContain('Write')
  })

  it.each([
    ['that is no JSON', 'data: {"type": "content_block_delta", \n\n'],
    [
      'of another shape',
      protocol === 'anthropic' ? event('content_block_delta', { index: 'first', delta: 7 }) : data({ choices: 'none' }),
    ],
  ])('fails once with an event %s', async (_title, broken) => {
    const { run, problems } = await ask([{ events: [...half(protocol), broken, broken], ending: 'end' }])
    await expect(run(never)).rejects.toMatchObject({ code: 'E_PROVIDER_FAILED' })
    expect(problems).toEqual([])
  })

  it('fails with a server that says nothing at all', async () => {
    const { run } = await ask([{ events: [], ending: 'end' }])
    await expect(run(never)).rejects.toMatchObject({ code: 'E_PROVIDER_FAILED' })
  })

  it('ends an answer that never ends by abort, and hangs up', async () => {
    const controller = new AbortController()
    const { run, server, onText, problems } = await ask([{ events: half(protocol), ending: 'silence' }])
    onText(text => {
      if (text.includes('half')) controller.abort()
    })
    await expect(run(controller.signal)).rejects.toMatchObject({ name: 'AbortError' })
    await server.hungUp()
    expect(problems).toEqual([])
  })
})

describe.each(protocols)('in the protocol of %s', protocol => {
  it('a conversation goes on after an error', async () => {
    const { agent, shown, server } = await agentAt(protocol, [status(400, 'Not now'), { text: 'Noon.' }])
    await expect(agent.type('What time is it?', never)).rejects.toMatchObject({ code: 'E_PROVIDER_FAILED' })
    await agent.type('And now?', never)
    expect(shown()).toBe('Noon.\n')
    expect(JSON.stringify(server.requests[1]?.body)).toContain('What time is it?')
  })

  it('a conversation goes on after it was stopped between two tools, and no call is left without an answer', async () => {
    const controller = new AbortController()
    const calls = [
      { id: 'call_1', name: 'Read', input: { path: 'notes.txt' } },
      { id: 'call_2', name: 'Write', input: { path: 'made.txt', content: '' } },
    ]
    const { agent, server, onWrite } = await agentAt(protocol, [{ calls }, { text: 'Noon.' }])
    onWrite(text => {
      if (text.startsWith('[Read')) controller.abort()
    })
    await expect(agent.type('Do both.', controller.signal)).rejects.toMatchObject({ name: 'AbortError' })
    await agent.type('And now?', never)
    expect(JSON.stringify(server.requests[1]?.body)).not.toContain('call_1')
  })
})
