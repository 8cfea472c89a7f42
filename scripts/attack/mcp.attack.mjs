// @ts-check
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { performance } from 'node:perf_hooks'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { createSkills } from '@skills/core'
import { standard } from '@skills/distributions'
import { enginePort, modelTools } from '@skills/invocation/skill-tool'
import { randomLine } from './mcp/messages.mjs'
import { callOf, clientOf, clientOverStdio, listen, serverArgs, token, writeSkills } from './mcp/server.mjs'
import { Random } from './random.mjs'

/** Calls, messages and skills for each session. */
const calls = 20
const messagesEach = 200
const skillsEach = 20
/** Sessions that make calls at one time. */
const together = 25

/** @type {import('./attack.d.ts').Attack} */
export const attack = {
  name: 'mcp',
  title:
    'clients of skills mcp: many at one time, those that stall, flood, cancel and send what is none or too much, and ' +
    'pages of others: none sees what is another’s, runs what no one allowed, or ends the server',
  counts: { short: 25, long: 500 },
  async run({ count, seed, folder, progress }) {
    /** @type {string[]} */
    const failures = []
    const random = new Random(seed)
    writeSkills(folder)
    const server = await listen(folder)
    let tried = 0
    /** @type {Record<string, string>} */
    let figures = {}
    try {
      const times = await manySessions(server.url, count, failures, progress)
      tried += count * calls
      figures['memory at its peak, MiB'] = String(server.peak())
      figures['a call, p50 and p99, ms'] = `${at(times, 0.5)}, ${at(times, 0.99)}`
      tried += await strangers(server.url, failures)
      tried += await rudeClients(server.url, failures)
      if (server.hasEnded()) failures.push('The server ended.')
      else if (!(await echoes(server.url, 'after all')))
        failures.push('The server serves no one after it was attacked.')
      figures['memory after rude clients, MiB'] = String(server.peak())
    } finally {
      await server.end()
    }
    tried += await randomMessages(folder, count * messagesEach, random, failures)
    tried += await largeMessages(folder, count >= 100 ? 200 : 6, random, failures)
    tried += await deafClient(folder, failures)
    figures = { ...figures, ...(await overhead(folder)) }
    const many = path.join(folder, 'many')
    writeSkills(many, count * skillsEach)
    figures = { ...figures, ...(await paging(many, count * skillsEach, failures)) }
    return { tried, failures, figures }
  },
}

/**
 * Checks in many sessions at once that each gets back its own arguments, and that its own answer decides.
 * @param {string} url
 * @param {number} count
 * @param {string[]} failures
 * @param {(done: number) => void} progress
 */
async function manySessions(url, count, failures, progress) {
  /** @type {number[]} */
  const times = []
  let next = 0
  let done = 0
  // All sessions are open at one time; some of them make calls.
  /** @type {Awaited<ReturnType<typeof clientOf>>[]} */
  const clients = []
  for (let one = 0; one < count; one++) clients.push(await clientOf(url, one % 2 === 0))
  const worker = async () => {
    for (let one = next++; one < count; one = next++) {
      const client = clients[one]
      if (client === undefined) continue
      for (let call = 0; call < calls - 1; call++) {
        const args = `session ${one} call ${call}`
        const start = performance.now()
        const text = await callOf(client, 'echo', args)
        times.push(performance.now() - start)
        if (!text.includes(`Echo <${args}>.`)) failures.push(`${args} got ${JSON.stringify(text)}`)
      }
      const ran = (await callOf(client, 'asks', '')).includes('It ran: yes')
      if (ran !== (one % 2 === 0)) failures.push(`Session ${one}, whose answer is ${one % 2 === 0}, got ${ran}.`)
      progress(++done)
    }
  }
  await Promise.all(Array.from({ length: together }, worker))
  await Promise.all(clients.map(client => client.close()))
  return times.toSorted((a, b) => a - b)
}

const hello = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
})

/**
 * Checks that requests without the token, with another host name or from a web page are refused.
 * @param {string} url
 * @param {string[]} failures
 */
async function strangers(url, failures) {
  const own = { authorization: `Bearer ${token}` }
  const { port } = new URL(url)
  /** @type {(readonly [number, Record<string, string>, string?])[]} */
  const cases = [
    ...[
      '',
      'Bearer',
      'Bearer x',
      `Basic ${token}`,
      token,
      `Bearer ${token}\u00e9`,
      `Bearer ${token.toUpperCase()}`,
    ].map(authorization => /** @type {const} */ ([401, { authorization }])),
    ...[`?token=${token}`, `?access_token=${token}`, `?authorization=Bearer%20${token}`].map(
      query => /** @type {const} */ ([401, {}, `/mcp${query}`]),
    ),
    ...['evil.example', `127.0.0.1.evil.example:${port}`, `localhost.evil.example`, '0.0.0.0', '[::ffff:7f00:1]'].map(
      host => /** @type {const} */ ([403, { ...own, host }]),
    ),
    ...[
      'null',
      'https://evil.example',
      'http://localhost.evil.example',
      'http://localhost@evil.example',
      'file://',
      'chrome-extension://x',
    ].map(origin => /** @type {const} */ ([403, { ...own, origin }])),
  ]
  for (const [expected, headers, where] of cases) {
    const { status } = await post(url, hello, headers, where)
    // Node refuses a request with two or no host headers by itself.
    if (status !== expected && status !== 400)
      failures.push(`${JSON.stringify(headers)} ${where ?? ''} was answered with ${status} in place of ${expected}.`)
  }
  return cases.length
}

/**
 * Checks that clients which stall, flood, cancel, or send too much or half of something do no harm to the others.
 * @param {string} url
 * @param {string[]} failures
 */
async function rudeClients(url, failures) {
  const own = { authorization: `Bearer ${token}` }
  const { hostname, port } = new URL(url)
  const stalled = Array.from({ length: 50 }, (_, one) => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    const head = `POST /mcp HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${hello.length}\r\n`
    // Half of the headers, no body, or half of the body.
    socket.write(one % 3 === 0 ? head.slice(0, 60) : one % 3 === 1 ? `${head}\r\n` : `${head}\r\n${hello.slice(0, 20)}`)
    return socket
  })
  const { status } = await post(url, Buffer.alloc(50 * 1024 * 1024, 'x'), own)
  if (status !== 413 && status !== 0) failures.push(`50 MB were answered with ${status}.`)
  const chunked = await post(url, Buffer.alloc(50 * 1024 * 1024, 'x'), { ...own, 'transfer-encoding': 'chunked' })
  if (chunked.status !== 413 && chunked.status !== 0)
    failures.push(`50 MB in chunks were answered with ${chunked.status}.`)
  for (const body of ['{"jsonrpc":"2.0",', '', '[]', '[1]', 'null', '\u0000', '[['.repeat(50_000)]) {
    const answer = await post(url, body, own)
    if (answer.status >= 500 || answer.status === 200)
      failures.push(`${JSON.stringify(body.slice(0, 20))} was answered with ${answer.status}.`)
  }
  const client = await clientOf(url, true)
  const flood = await Promise.allSettled(Array.from({ length: 1200 }, () => client.ping()))
  const isLimited = flood.some(({ status: how }) => how === 'rejected')
  if (!isLimited) failures.push('1,200 requests at one time met no limit.')
  await client.close()
  const canceller = await clientOf(url, true)
  for (let one = 0; one < 20; one++) {
    const cancel = new AbortController()
    const call = canceller.callTool({ name: 'Skill', arguments: { skill: 'asks' } }, { signal: cancel.signal })
    setImmediate(() => cancel.abort())
    await call.catch(() => {})
  }
  if (!(await echoes(url, 'beside them'))) failures.push('Others are not served while clients are rude.')
  await canceller.close()
  for (const socket of stalled) socket.destroy()
  return 50 + 2 + 7 + 1200 + 20
}

/**
 * @param {string} url
 * @param {string} args
 */
async function echoes(url, args) {
  const client = await clientOf(url, false)
  try {
    return (await callOf(client, 'echo', args)).includes(`Echo <${args}>.`)
  } finally {
    await client.close()
  }
}

/**
 * @param {string} folder
 * @param {number} count
 * @param {Random} random
 * @param {string[]} failures
 */
async function randomMessages(folder, count, random, failures) {
  const child = spawn(process.execPath, serverArgs(folder), { stdio: ['pipe', 'pipe', 'ignore'] })
  const ended = once(child, 'close')
  child.stdin.on('error', () => {})
  let rest = ''
  let isAnswered = false
  child.stdout.on('data', chunk => {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.includes('It ran: yes')) failures.push('A skill ran that no one allowed.')
      if (line.includes('"id":"the end"')) isAnswered = true
    }
    if (isAnswered) child.stdin.end()
  })
  child.stdin.write(`${hello}\n`)
  for (let one = 0; one < count; one++)
    if (!child.stdin.write(`${randomLine(random)}\n`)) await Promise.race([once(child.stdin, 'drain'), ended])
  child.stdin.write(`\n${JSON.stringify({ jsonrpc: '2.0', id: 'the end', method: 'ping' })}\n`)
  const [code] = await ended
  if (!isAnswered) failures.push(`The server did not answer after random messages, and ended with ${code}.`)
  return count
}

/**
 * Checks that messages which are too long, no UTF-8, in pieces or many at once leave those after them answered, and
 * that the end of the input ends the server.
 * @param {string} folder
 * @param {number} count
 * @param {Random} random
 * @param {string[]} failures
 */
async function largeMessages(folder, count, random, failures) {
  const child = spawn(process.execPath, serverArgs(folder), { stdio: ['pipe', 'pipe', 'ignore'] })
  const ended = once(child, 'close')
  child.stdin.on('error', () => {})
  /** @type {Set<unknown>} */
  const answered = new Set()
  let rest = ''
  child.stdout.on('data', chunk => {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) answered.add(JSON.parse(line).id)
  })
  /** @param {string | Buffer} text */
  const write = async text => {
    if (!child.stdin.write(text)) await Promise.race([once(child.stdin, 'drain'), ended])
  }
  await write(`${hello}\n`)
  for (let turn = 0; turn < count; turn++) {
    const params = 'x'.repeat(10_485_760 + random.below(1_000_000))
    const ways = [
      () => write(`${JSON.stringify({ jsonrpc: '2.0', id: `long ${turn}`, method: 'ping', params })}\n`),
      () => write(`${JSON.stringify({ jsonrpc: '2.0', method: 'ping', params, id: `long ${turn}` })}\n`),
      () => write(`${params}\n`),
      () => write(Buffer.from([0xc3, 0x28, 0xff, 0x0a])),
      () => write(`${JSON.stringify({ jsonrpc: '2.0', id: 'many', method: 'ping' })}\n`.repeat(2_000)),
    ]
    await random.pick(ways)()
    for (const byte of Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id: turn, method: 'ping' })}\n`))
      await write(Buffer.from([byte]))
  }
  const isDone = () => Array.from({ length: count }, (_none, turn) => turn).every(turn => answered.has(turn))
  for (const end = Date.now() + 30_000; !isDone() && Date.now() < end;) await pause(20)
  if (!isDone()) failures.push('A message after one that was too long was not answered.')
  child.stdin.end('{"jsonrpc":"2.0","id":')
  const [code] = await Promise.race([ended, pause(10_000, ['not at all'])])
  if (code !== 0) failures.push(`After large messages the server ended with ${code}.`)
  child.kill('SIGKILL')
  return count
}

/**
 * Checks that the end of the input ends the server, even if the client reads nothing.
 * @param {string} folder
 * @param {string[]} failures
 */
async function deafClient(folder, failures) {
  const child = spawn(process.execPath, serverArgs(folder), { stdio: ['pipe', 'pipe', 'ignore'] })
  const ended = once(child, 'exit')
  child.stdin.on('error', () => {})
  child.stdin.end(
    `${hello}\n${`${JSON.stringify({ jsonrpc: '2.0', id: 'x'.repeat(100_000), method: 'ping' })}\n`.repeat(80)}`,
  )
  const [code] = await Promise.race([ended, pause(20_000, ['not at all'])])
  if (code !== 0) failures.push(`The server of a client that reads nothing ended with ${code}.`)
  child.kill('SIGKILL')
  return 1
}

/**
 * Returns how much longer a call takes over MCP than in an engine of this process.
 * @param {string} folder
 */
async function overhead(folder) {
  const host = { cwd: path.join(folder, 'repo'), home: path.join(folder, 'home') }
  const distribution = standard({ host, bundled: false, onDiagnostic: () => {} })
  const skills = createSkills(distribution)
  const [tool] = await modelTools(enginePort(skills, distribution.port))
  const client = await clientOverStdio(folder)
  const [own, over] = [
    await timed(async () => void (await tool?.answer({ skill: 'echo', args: 'x' }))),
    await timed(async () => void (await callOf(client, 'echo', 'x'))),
  ]
  await client.close()
  await skills.close()
  return { 'a call over stdio above the engine, median, ms': (Number(over) - Number(own)).toFixed(2) }
}

/** @param {() => Promise<void>} work */
async function timed(work) {
  const times = []
  for (let one = 0; one < 300; one++) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  // The first calls include compilation.
  return at(
    times.slice(100).toSorted((a, b) => a - b),
    0.5,
  )
}

/**
 * @param {string} folder
 * @param {number} count
 * @param {string[]} failures
 */
async function paging(folder, count, failures) {
  const client = await clientOverStdio(folder)
  await client.listTools()
  const [start, before] = [performance.now(), client.workMs()]
  const { skills } = await new SkillsClient(client).list()
  const [ms, work] = [performance.now() - start, client.workMs() - before]
  await client.close()
  if (skills.length !== count + 2) failures.push(`Of ${count + 2} skills the pages had ${skills.length}.`)
  return { [`${skills.length} skills paged through, ms, and of these the server at work`]: `${ms.toFixed(0)}, ${work}` }
}

/**
 * @param {string} url
 * @param {string | Buffer} body
 * @param {Record<string, string>} headers
 * @param {string} [where]
 * @returns {Promise<{ status: number }>} 0 where the connection was ended
 */
function post(url, body, headers, where) {
  const { hostname, port, pathname } = new URL(url)
  return new Promise(resolve => {
    let sent
    try {
      sent = request({
        hostname,
        port,
        path: where ?? pathname,
        method: 'POST',
        agent: false,
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      })
    } catch {
      // A request that cannot be sent cannot get through.
      return resolve({ status: 400 })
    }
    sent.on('response', response => {
      response.resume()
      resolve({ status: response.statusCode ?? 0 })
    })
    sent.on('error', () => resolve({ status: 0 }))
    return sent.end(body)
  })
}

/**
 * @param {readonly number[]} sorted
 * @param {number} part
 */
function at(sorted, part) {
  return (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(2)
}
