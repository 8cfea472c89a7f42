import { Duplex, PassThrough } from 'node:stream'
import { fakeClock, fakeHost } from '@skills/testing'
import { createSkills, systemClock, type Clock, type Diagnostic } from '@skills/core'
import { standard } from '@skills/distributions'
import { expect, onTestFinished, test } from 'vitest'
import { serveStdio, SkillsServer } from './index.js'

async function serving({
  maxMessageBytes = 10_000,
  clock = systemClock,
}: { maxMessageBytes?: number; clock?: Clock } = {}) {
  const told: Diagnostic[] = []
  const distribution = standard({
    host: fakeHost({ clock }),
    managed: { dirs: [] },
    bundled: false,
    onDiagnostic: () => {},
  })
  const skills = createSkills(distribution)
  const server = await SkillsServer.open({
    skills,
    distribution,
    server: { name: 'skills', version: '1' },
    onDiagnostic: one => void told.push(one),
  })
  const [input, output] = [new PassThrough(), new PassThrough()]
  const ended = serveStdio(server, { input, output, maxMessageBytes })
  onTestFinished(async () => {
    input.end()
    await ended
    await server.close()
    await skills.close()
  })
  let text = ''
  let wake = (): void => {}
  const read = (): void => {
    output.on('data', chunk => {
      text += String(chunk)
      wake()
    })
  }
  const answers = (): readonly Record<string, unknown>[] =>
    text
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line) as Record<string, unknown>)
  return {
    input,
    output,
    ended,
    told,
    read,
    answers,
    async until(count: number): Promise<readonly Record<string, unknown>[]> {
      while (answers().length < count) await new Promise<void>(resolve => (wake = resolve))
      return answers()
    },
  }
}

const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
const initialize = `${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n`
const ping = (id: unknown, more: object = {}): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping', ...more })}\n`
const long = { params: { x: 'x'.repeat(20_000) } }

test.each([
  ['with its id', ping(7, long), 7],
  ['with its id, a text', ping('seven', long), 'seven'],
  [
    'without one where it stands behind what is long',
    `{"jsonrpc":"2.0","method":"ping","params":{"id":3,"x":"${'x'.repeat(20_000)}"},"id":4}\n`,
    null,
  ],
  ['that is no message at all', `${'['.repeat(20_000)}\n`, null],
])('a message that is too long is answered %s, and the next one counts', async (_what, line, id) => {
  const { input, read, until } = await serving()
  read()
  input.write(initialize + line + ping(2))
  const [first, error, after] = await until(3)
  expect(first).toMatchObject({ id: 0, result: {} })
  expect(error).toMatchObject({ id, error: { code: -32_600, message: expect.stringContaining('at most 10000 bytes') } })
  expect(after).toMatchObject({ id: 2, result: {} })
})

test('it ends with the input, in the middle of such a message, which is answered', async () => {
  const { input, read, answers, ended } = await serving()
  read()
  input.write(initialize)
  input.end('x'.repeat(50_000))
  await ended
  expect(answers().at(-1)).toMatchObject({ id: null, error: { code: -32_600 } })
})

test('a message in any pieces is one message, many in one piece are many, and what is not UTF-8 is said to be none', async () => {
  const { input, read, until } = await serving()
  read()
  for (const byte of Buffer.from(initialize + ping('ü😀'))) input.write(Buffer.from([byte]))
  await until(2)
  input.write(Array.from({ length: 500 }, (_none, id) => ping(id)).join(''))
  expect((await until(502)).map(({ id }) => id).slice(1)).toEqual(['ü😀', ...Array(500).keys()])
  input.write(
    Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'), Buffer.from([0xff, 0x0a]), Buffer.from(ping(9))]),
  )
  expect((await until(504)).slice(502)).toMatchObject([{ id: null, error: { code: -32_700 } }, { id: 9 }])
})

test('a client that sends and never reads is not read from any further, and ends after a time', async () => {
  const clock = fakeClock()
  const { input, output, told, ended } = await serving({ clock, maxMessageBytes: 2_000_000 })
  input.write(initialize)
  // The answer contains the id.
  const line = ping('x'.repeat(1_000_000))
  let sent = 0
  while (input.write(line) || input.writableLength < 8_000_000) {
    sent += 1
    await new Promise(resolve => setImmediate(resolve))
    if (sent > 200) break
  }
  expect(output.readableLength + output.writableLength).toBeLessThan(12_000_000)
  clock.advance(60_000)
  let isOver = false
  void ended.then(() => (isOver = true))
  while (!isOver) {
    await new Promise(resolve => setImmediate(resolve))
    clock.advance(1_000)
  }
  expect(told.at(-1)?.message).toMatch(/ \d+ bytes/)
})

test('an input that has ended before ends it, as an output that is closed does', async () => {
  for (const close of [(_input: Duplex, output: Duplex) => output.destroy(), (input: Duplex) => input.destroy()]) {
    const { input, output, ended } = await serving()
    close(input, output)
    await expect(ended).resolves.toBeUndefined()
  }
})

test('the end of the input ends it also where the client reads nothing', async () => {
  const { input, output, ended } = await serving({ maxMessageBytes: 20_000_000 })
  input.write(initialize)
  for (let at = 0; at < 12; at++) input.write(ping('x'.repeat(1_000_000)))
  input.end()
  await ended
  expect(output.destroyed).toBe(true)
})
