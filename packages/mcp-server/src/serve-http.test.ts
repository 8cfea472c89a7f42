import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { request, type IncomingMessage } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { serving, textOf } from '../test/serving.js'
import { serveHttp } from './index.js'
import type { HttpOptions } from './http-options.js'

const files = {
  'repo/.claude/skills/deploy/SKILL.md': '---\nname: deploy\ndescription: Ships it.\n---\nShip to $ARGUMENTS.\n',
  'repo/.claude/skills/run/SKILL.md': '---\nname: run\ndescription: Runs.\n---\n!`echo ran`\n',
}

async function listening(options: HttpOptions = {}) {
  const { server, skills, tree } = await serving(files)
  const http = await serveHttp(server, options)
  onTestFinished(() => http.close())
  return { ...http, skills, tree }
}

async function client(
  { url, token }: { readonly url: string; readonly token: string | undefined },
  { mode = 'legacy', answer }: { readonly mode?: 'auto' | 'legacy'; readonly answer?: boolean } = {},
) {
  const made = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode }, capabilities: answer === undefined ? {} : { elicitation: {} } },
  )
  const asked: string[] = []
  if (answer !== undefined)
    made.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message)
      return { action: 'accept', content: { allow: answer } }
    })
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  })
  await made.connect(transport)
  onTestFinished(() => made.close())
  return Object.assign(made, {
    asked,
    sessionId: () => transport.sessionId,
    terminate: () => transport.terminateSession(),
  })
}

const call = { name: 'Skill', arguments: { skill: 'deploy', args: 'staging' } }
const hello = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
}

/** Sends one request with this body. */
async function post(url: string, body: string | Buffer, headers: Readonly<Record<string, string>> = {}, path?: string) {
  const { hostname, port, pathname } = new URL(url)
  const sent = request({
    hostname,
    port,
    path: path ?? pathname,
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
  })
  const answered = new Promise<number>((resolve, reject) => {
    sent.on('response', response => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject)
  })
  sent.end(body)
  return answered
}

/** Returns the status of a request whose headers are sent exactly as given. */
async function rawStatus(url: string, headers: string, body: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connectSocket(Number(port), hostname)
  socket.end(
    `POST /mcp HTTP/1.1\r\n${headers}Connection: close\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  let answered = ''
  socket.on('data', chunk => (answered += String(chunk)))
  await once(socket, 'close')
  return answered.slice(9, 12)
}

describe.each(['auto', 'legacy'] as const)('a client of the protocol %s', mode => {
  test('calls skills, is asked, and is told of changes', async () => {
    const http = await listening()
    const one = await client(http, { mode, answer: true })
    const two = await client(http, { mode, answer: false })
    expect(textOf(await one.callTool(call))).toContain('Ship to staging.')
    const run = { name: 'Skill', arguments: { skill: 'run' } }
    expect(textOf(await one.callTool(run))).toContain('ran')
    // A permission of one client does not apply to the other.
    expect(await two.callTool(run)).toMatchObject({ isError: true })
    expect(two.asked).not.toEqual([])
    const told = new Promise<void>(resolve => {
      two.setNotificationHandler('notifications/prompts/list_changed', () => resolve())
    })
    if (mode === 'auto') await two.listen({ promptsListChanged: true })
    else await two.listPrompts()
    http.tree.write({ 'repo/.claude/skills/new/SKILL.md': '---\nname: new\ndescription: New.\n---\nNew.\n' })
    await http.skills.refresh()
    await told
  })
})

test('a yes holds for the session that it was given in, which ends when its client says so', async () => {
  const http = await listening()
  const one = await client(http, { answer: true })
  const run = { name: 'Skill', arguments: { skill: 'run' } }
  await one.callTool(run)
  const count = one.asked.length
  await one.callTool(run)
  expect(one.asked).toHaveLength(count)
  const id = one.sessionId() ?? ''
  const headers = { authorization: `Bearer ${http.token}`, 'mcp-session-id': id }
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'ping' })
  expect(await post(http.url, ping, headers)).toBe(200)
  await one.terminate()
  expect(await post(http.url, ping, headers)).toBe(404)
})

test('another person’s session is as unknown as one that is made up', async () => {
  const http = await listening({ personOf: token => ({ 'token-of-ann': 'ann', 'token-of-bob': 'bob' })[token] })
  expect(http.token).toBeUndefined()
  const ann = await client({ url: http.url, token: 'token-of-ann' })
  const id = ann.sessionId() ?? ''
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'ping' })
  const as = (token: string, session: string) =>
    post(http.url, ping, { authorization: `Bearer ${token}`, 'mcp-session-id': session })
  expect(await as('token-of-ann', id)).toBe(200)
  expect(await as('token-of-bob', id)).toBe(404)
  expect(await as('token-of-ann', 'made-up')).toBe(404)
  expect(await as('token-of-eve', id)).toBe(401)
})

test('refuses what does not come from a client: names, pages, tokens', async () => {
  const { url, token } = await listening()
  const body = JSON.stringify(hello)
  const own = { authorization: `Bearer ${token}` }
  const { port } = new URL(url)
  expect(await post(url, body, own)).toBe(200)
  for (const host of [
    ':80',
    'evil.example',
    `evil.example:${port}`,
    `127.0.0.1.evil.example:${port}`,
    '169.254.169.254',
  ])
    expect([host, await post(url, body, { ...own, host })]).toEqual([host, 403])
  for (const hosts of ['', 'Host:\r\n', 'Host: localhost\r\nHost: evil.example\r\n'])
    expect([hosts, await rawStatus(url, `${hosts}Authorization: Bearer ${token}\r\n`, body)]).toEqual([
      hosts,
      expect.stringMatching(/^40[03]$/),
    ])
  expect(await post(url, body, { ...own, host: `localhost:${port}` })).toBe(200)
  for (const origin of [
    'null',
    'https://evil.example',
    'http://127.0.0.1.evil.example',
    'file://',
    'http://localhost@evil.example',
  ])
    expect([origin, await post(url, body, { ...own, origin })]).toEqual([origin, 403])
  expect(await post(url, body, { ...own, origin: `http://localhost:${port}` })).toBe(200)
  for (const authorization of [
    '',
    'Bearer',
    'Bearer ',
    `Basic ${token}`,
    `Bearer ${token}x`,
    `Bearer ${token?.slice(1)}`,
    String(token),
  ])
    expect([authorization, await post(url, body, { authorization })]).toEqual([authorization, 401])
  expect(await post(url, body, {}, `/mcp?token=${token}`)).toBe(401)
  expect(await post(url, body, {}, `/mcp?access_token=${token}`)).toBe(401)
  expect(await post(url, body, own, '/other')).toBe(404)
})

test('limits bodies, sessions, requests and time', async () => {
  const { url, token } = await listening({ maxBodyBytes: 2000, maxSessions: 2, requestsPerSecond: 2 })
  const own = { authorization: `Bearer ${token}` }
  const body = JSON.stringify(hello)
  expect(await post(url, 'x'.repeat(2001), own)).toBe(413)
  expect(await post(url, '{', own)).toBe(400)
  expect(await post(url, body, { ...own, 'content-type': 'text/plain' })).toBe(415)
  const statuses = []
  for (let at = 0; at < 8; at++) statuses.push(await post(url, body, own))
  // Ten at once, of which three are above.
  expect(statuses).toEqual([200, 200, 503, 503, 503, 503, 503, 429])
})

test('a body that never ends is given up, and other clients are served after half a frame', async () => {
  const http = await listening({ requestMs: 200 })
  const { hostname, port } = new URL(http.url)
  const socket = connectSocket(Number(port), hostname)
  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Bearer ${http.token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"jsonrpc"`,
  )
  let answered = ''
  socket.on('data', chunk => (answered += String(chunk)))
  await once(socket, 'close')
  expect(answered).toContain('408')
  expect(textOf(await (await client(http)).callTool(call))).toContain('Ship to staging.')
})

test('listens elsewhere only under a name, and takes no short token', async () => {
  const { server } = await serving(files)
  await expect(serveHttp(server, { host: '0.0.0.0' })).rejects.toMatchObject({ code: 'E_INVALID_OPTION' })
  await expect(serveHttp(server, { token: 'short' })).rejects.toMatchObject({ code: 'E_INVALID_OPTION' })
  await expect(serveHttp(server, { maxBodyBytes: 0 })).rejects.toMatchObject({ code: 'E_INVALID_OPTION' })
})

test('a page of an origin that was named may read answers, and a page of another or of this machine may not', async () => {
  const { url, token } = await listening({ origins: ['app.example'] })
  const port = new URL(url).port
  const asked = async (method: string, origin: string, headers: Readonly<Record<string, string>> = {}) => {
    const { hostname, pathname } = new URL(url)
    const sent = request({ hostname, port, path: pathname, method, headers: { origin, ...headers } })
    sent.end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    return [response.statusCode, response.headers['access-control-allow-origin']]
  }
  const named = 'https://app.example'
  // The question of the browser before the call has no token, and the call itself needs one.
  expect(await asked('OPTIONS', named)).toEqual([204, named])
  expect(await asked('GET', named)).toEqual([401, named])
  expect(await asked('GET', named, { authorization: `Bearer ${token}x` })).toEqual([401, named])
  for (const origin of ['https://evil.example', 'https://app.example.evil.example', 'null'])
    expect([origin, ...(await asked('OPTIONS', origin))]).toEqual([origin, 403, undefined])
  expect(await asked('OPTIONS', `http://localhost:${port}`)).toEqual([401, undefined])
})
