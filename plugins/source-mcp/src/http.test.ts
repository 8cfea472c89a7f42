import { createServer, type RequestListener } from 'node:http'
import { systemClock } from '@skills/core'
import { fakeClock } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'
import { engine, gate, textsOf, type Engine } from '../test/engine.js'
import { McpServer } from '../test/mcp-server.js'
import type { McpSourceOptions } from './options.js'

/** Makes a valid server beside a faulty one. It has to be listed in any case. */
async function beside(url: string, options: Partial<McpSourceOptions> = {}): Promise<Engine> {
  const good = new McpServer()
  good.prompts = [{ name: 'hello' }]
  const { url: goodUrl, close } = await good.listen()
  const skills = engine(
    { servers: { bad: { url, headers: { 'x-token': 'of bad' } }, good: { url: goodUrl } }, retries: 0, ...options },
    { clock: systemClock },
  )
  onTestFinished(async () => {
    await skills.close()
    await close()
  })
  return skills
}

async function listening(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return `http://127.0.0.1:${address.port}/mcp`
}

it.each<[string, RequestListener]>([
  [
    'sends bad JSON',
    (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc": oops'),
  ],
  [
    'sends what is no message',
    (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"hello": "world"}'),
  ],
  [
    'sends a page for people',
    (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Welcome'),
  ],
  ['refuses', (_, response) => response.writeHead(403).end('No.')],
  ['fails', (_, response) => response.writeHead(500).end('Oops.')],
  [
    'dies in the middle of an answer',
    (request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"jsonrpc"')
      request.socket.destroySoon()
    },
  ],
  ['sends elsewhere', (_, response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()],
])('a server that %s costs its own commands only', async (_, listener) => {
  const skills = await beside(await listening(listener))
  expect(await skills.names()).toEqual(['mcp__good__hello'])
  expect((await skills.catalog()).errors).toMatchObject([
    {
      code: 'mcp-server-failed',
      path: 'mcp://bad',
      message: expect.stringMatching(/^The MCP server "bad" failed: .+$/),
    },
  ])
})

it('a server that no one runs costs its own commands only', async () => {
  const server = new McpServer()
  const { url, close } = await server.listen()
  await close()
  const skills = await beside(url)
  expect(await skills.names()).toEqual(['mcp__good__hello'])
  expect((await skills.catalog()).errors).toMatchObject([{ code: 'mcp-server-failed', path: 'mcp://bad' }])
})

it('a server that takes a question and never answers is given up, and holds up no close', async () => {
  const { opened: isAsked, open } = gate()
  const url = await listening(open)
  const clock = fakeClock()
  const skills = engine({ servers: { bad: { url } }, connectMs: 5000, retries: 0 }, { clock })
  const loading = skills.catalog()
  await isAsked
  await clock.advance(5000)
  expect((await loading).errors).toMatchObject([
    { code: 'mcp-server-failed', message: expect.stringMatching(/ 5000 ms\. .*connectMs/) },
  ])
  await skills.close()
  const waiting = engine({ servers: { bad: { url } }, waitMs: 0 }, { clock: systemClock })
  expect(await waiting.names()).toEqual([])
  await expect(waiting.close()).resolves.toBeUndefined()
})

it('gives a server its headers, and no other server', async () => {
  const server = new McpServer()
  const tokens = new Set<unknown>()
  const url = await listening((request, response) => {
    tokens.add(request.headers['x-token'])
    server.handle(request, response)
  })
  const skills = await beside(url)
  await skills.catalog()
  expect([...tokens]).toEqual(['of bad'])
})

it('begins a new session where the server has forgotten the old one', async () => {
  const server = new McpServer()
  server.prompts = [{ name: 'hello' }]
  let session = 1
  const url = await listening((request, response) => {
    const { 'mcp-session-id': known } = request.headers
    if (known !== undefined && known !== String(session)) {
      response.writeHead(404).end()
      return
    }
    response.setHeader('mcp-session-id', String(session))
    server.handle(request, response)
  })
  const skills = await beside(url)
  const command = await skills.prompt('mcp__bad__hello')
  session = 2
  expect((await textsOf(command))[1]).toBe('hello {}')
  session = 3
  await skills.refresh()
  expect(await skills.names()).toContain('mcp__bad__hello')
})
