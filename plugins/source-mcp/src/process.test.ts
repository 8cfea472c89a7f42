import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { systemClock } from '@skills/core'
import { fakeClock } from '@skills/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { skillFilesOf } from './index.js'
import { engine, textsOf, type Engine } from '../test/engine.js'
import { recordOf } from '../test/mcp-server.js'
import type { McpProcessServer, McpSourceOptions } from './options.js'

const script = fileURLToPath(new URL('../test/stdio-server.mjs', import.meta.url))
const skillsScript = fileURLToPath(new URL('../test/skills-server.mjs', import.meta.url))

function started(
  manner: string,
  server: Partial<McpProcessServer> = {},
  options: Partial<McpSourceOptions> = {},
): Engine {
  const skills = engine(
    { servers: { s: { command: process.execPath, args: [script, manner], ...server } }, ...options },
    { clock: systemClock },
  )
  onTestFinished(() => skills.close())
  return skills
}

async function toldBy(skills: Engine): Promise<Record<string, unknown>> {
  const [, text = ''] = await textsOf(await skills.prompt('mcp__s__hello'))
  return recordOf(JSON.parse(text))
}

/**
 * True if a process is active. One that has ended stays in the system's list until its parent has read its exit code.
 */
function isAlive(pid: unknown): boolean {
  try {
    return !/^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${String(pid)}/stat`, 'utf8'))
  } catch {
    // There is no such process.
    return false
  }
}

it('gives a server the environment that a program needs and what its settings say, and nothing else', async () => {
  const skills = engine(
    {
      servers: {
        s: { command: process.execPath, args: [script, 'plain'], env: { TOKEN: 'of this server' }, cwd: '/' },
      },
    },
    {
      clock: systemClock,
      env: { PATH: '/bin', HOME: '/home/user', SECRET: 'of the host', NODE_OPTIONS: '--no-such-option' },
    },
  )
  onTestFinished(() => skills.close())
  const { env, cwd } = await toldBy(skills)
  expect(env).toEqual({ PATH: '/bin', HOME: '/home/user', TOKEN: 'of this server' })
  expect(cwd).toBe('/')
})

it.runIf(process.platform === 'linux')(
  'ends the process at close, and what it has started, although neither ends when it is asked to',
  async () => {
    const skills = started('stubborn', {}, { closeMs: 100 })
    const { pid, child } = await toldBy(skills)
    expect([isAlive(pid), isAlive(child)]).toEqual([true, true])
    await skills.close()
    // A signal takes effect when the system delivers it.
    await vi.waitFor(() => expect([isAlive(pid), isAlive(child)]).toEqual([false, false]), { timeout: 10_000 })
  },
)

it('ends a process at close that never answered', async () => {
  const skills = started('silent', {}, { waitMs: 0, closeMs: 100 })
  expect(await skills.names()).toEqual([])
  await skills.close()
  expect(skills.told).toEqual([])
})

it('starts a server anew that died in the middle of an answer, and says which invocation failed', async () => {
  const skills = started('dies', {}, { retryMs: 60_000 })
  await expect(textsOf(await skills.prompt('mcp__s__hello'))).rejects.toMatchObject({
    code: 'E_PROVIDER_FAILED',
    message: expect.stringMatching(/"mcp__s__hello" .*"s" /),
  })
  await skills.refresh()
  expect(await skills.names()).toEqual(['mcp__s__hello'])
})

it('says what a server wrote that could not start', async () => {
  const skills = started('broken')
  expect(await skills.names()).toEqual([])
  expect((await skills.catalog()).errors).toMatchObject([
    { code: 'mcp-server-failed', message: expect.stringMatching(/: Cannot find the \[31mlicence\[0m\.\)\.$/) },
  ])
})

it('says that there is no such program', async () => {
  const skills = started('plain', { command: '/no/such/program' })
  expect(await skills.names()).toEqual([])
  expect((await skills.catalog()).errors).toMatchObject([
    { code: 'mcp-server-failed', message: expect.stringContaining('ENOENT') },
  ])
})

it('passes over lines that are no messages, and says so once', async () => {
  const skills = started('bad-json')
  expect(await skills.names()).toEqual(['mcp__s__hello'])
  await toldBy(skills)
  expect(skills.told.map(({ code, severity }) => [code, severity])).toEqual([['mcp-connection-problem', 'warning']])
})

it('speaks to a server that ends at a question that it does not know', async () => {
  const skills = started('old')
  expect((await skills.catalog()).errors).toEqual([])
  expect(await skills.names()).toEqual(['mcp__s__hello'])
})

it('speaks to a server that passes over such a question', async () => {
  expect(await started('mute', {}, { connectMs: 4000 }).names()).toEqual(['mcp__s__hello'])
})

it('speaks to a server of the official library, and checks its skills as they are written there', async () => {
  const skills = started('', { args: [skillsScript] })
  expect(await skills.names()).toEqual(['mcp__s__grow', 'mcp__s__hello', 'mcp__s__refunds'])
  expect((await textsOf(await skills.prompt('mcp__s__hello'))).slice(1)).toEqual(['Hello.'])
  const command = await skills.prompt('mcp__s__refunds')
  expect(command).toMatchObject({
    description: 'Handles refunds.',
    version: '1.2',
    allowedTools: [],
    metadata: { 'allowed-tools': 'Bash(*)' },
  })
  expect((await textsOf(command))[1]?.trim()).toBe('Ask for the receipt.')
  const stale = new Promise(resolve => {
    skills.hook('sources:stale', resolve)
  })
  await textsOf(await skills.prompt('mcp__s__grow'))
  await stale
  expect(await skills.names()).toContain('mcp__s__grown')
  const file = await skillFilesOf(command)?.read('references/RULES.md', { signal: new AbortController().signal })
  expect(Buffer.from(file?.bytes ?? []).toString()).toBe('No receipt, no refund.\n')
  expect(skills.told).toEqual([])
})

it('starts nothing for a server that is switched off', async () => {
  const skills = engine({ servers: { s: { command: '/no/such/program', enabled: false } } }, { clock: fakeClock() })
  onTestFinished(() => skills.close())
  expect((await skills.catalog()).errors).toEqual([])
})
