import { createServer } from 'node:net'
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { systemClock } from '@skills/core'
import { afterEach, expect, it } from 'vitest'
import { engine, textsOf, type Engine } from '../test/engine.js'
import type { McpServer } from './options.js'

const script = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js')
const undos: (() => unknown)[] = []

afterEach(async () => {
  for (const undo of undos.splice(0).reverse()) await undo()
})

function engineFor(server: McpServer): Engine {
  const skills = engine({ servers: { everything: server } }, { clock: systemClock })
  undos.push(() => skills.close())
  return skills
}

const prompts = [
  'mcp__everything__args-prompt',
  'mcp__everything__completable-prompt',
  'mcp__everything__resource-prompt',
  'mcp__everything__simple-prompt',
]

it('lists and reads the prompts of the real server-everything over its standard streams', async () => {
  const skills = engineFor({ command: process.execPath, args: [script] })
  expect(await skills.names()).toEqual(prompts)
  const command = await skills.prompt('mcp__everything__args-prompt')
  expect(command).toMatchObject({
    source: 'mcp',
    loadedFrom: 'mcp',
    isSkill: false,
    argumentNames: ['city', 'state'],
    argumentHint: '<city> [state]',
    allowedTools: [],
  })
  expect(await textsOf(command, '"San Jose" California')).toEqual([
    expect.stringMatching(/"everything", .*"args-prompt"\./),
    "What's weather in San Jose, California?",
  ])
  const [, ...rest] = await textsOf(await skills.prompt('mcp__everything__resource-prompt'), 'Text 1')
  expect(rest.join('\n')).toContain('[resource demo://resource/dynamic/text/1]')
  expect(skills.told).toEqual([])
})

it('lists and reads the prompts of the real server-everything over streamable HTTP', async () => {
  const port = await freePort()
  const child = spawn(process.execPath, [script, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  undos.push(
    () =>
      new Promise(resolve => {
        child.once('exit', resolve)
        child.kill('SIGKILL')
      }),
  )
  // It reports when it listens.
  await new Promise<void>((resolve, reject) => {
    child.once('exit', code => reject(new Error(`It ended with ${String(code)}.`)))
    child.stderr.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('listening')) resolve()
    })
  })
  const skills = engineFor({ url: `http://127.0.0.1:${port}/mcp` })
  expect(await skills.names()).toEqual(prompts)
  expect((await textsOf(await skills.prompt('mcp__everything__simple-prompt'))).slice(1)).toEqual([
    expect.stringMatching(/^This is a simple prompt/),
  ])
  expect(skills.told).toEqual([])
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('There is no port.')
  return address.port
}
