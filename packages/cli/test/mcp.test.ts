import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { tempTree } from '@skills/testing'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { cleanEnv, program } from './built.js'
import { runIn } from './console.js'

const runs = '---\nname: run\ndescription: Runs.\n---\n!`touch ran && echo it ran`\n'

/** Connects a client to the program in a new project whose folder is trusted. */
async function client(args: readonly string[] = [], answer?: boolean) {
  const tree = tempTree({
    'home/.keep': '',
    'home/.claude/skills/deploy/SKILL.md': '---\nname: deploy\ndescription: Ships it.\n---\nShip to $ARGUMENTS.\n',
    'home/.claude/skills/run/SKILL.md': runs,
    'repo/.git/HEAD': '',
    'repo/.claude/skills/theirs/SKILL.md': '---\nname: theirs\ndescription: Runs too.\n---\n!`touch ran`\n',
  })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', '--home', `${tree.path}/home`, ...args],
    cwd: `${tree.path}/repo`,
    stderr: 'pipe',
  })
  let stderr = ''
  transport.stderr?.on('data', chunk => (stderr += String(chunk)))
  const made = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: 'auto' }, capabilities: answer === undefined ? {} : { elicitation: {} } },
  )
  if (answer !== undefined)
    made.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { allow: answer } }))
  await made.connect(transport)
  onTestFinished(async () => {
    await made.close()
    tree.dispose()
  })
  const call = async (skill: string, more: object = {}) => {
    const { content, isError = false } = await made.callTool({ name: 'Skill', arguments: { skill, ...more } })
    return [isError, content.map(block => (block.type === 'text' ? block.text : block.type)).join('\n')] as const
  }
  return { made, call, tree, hasRun: () => existsSync(`${tree.path}/repo/ran`), stderr: () => stderr }
}

test('serves the skills there are, and nothing else on its standard output', async () => {
  const { made, call, stderr } = await client()
  expect((await made.listPrompts()).prompts.map(({ name }) => name)).toEqual(['deploy', 'run', 'theirs'])
  expect((await new SkillsClient(made).list()).skills.map(({ uri }) => uri)).toHaveLength(3)
  expect(await call('deploy', { args: 'staging' })).toEqual([false, expect.stringContaining('Ship to staging.')])
  expect(stderr()).toBe('')
})

test('runs nothing that no one allowed, and says how to allow it', async () => {
  const { call, hasRun } = await client()
  const [isError, text] = await call('run')
  expect(isError).toBe(true)
  expect(text).toMatch(/the answer .* no\.\n.*: /)
  expect(text).toMatch(/ mcp --home \S+ --allow 'Skill\(run\)'$/)
  expect(await call('theirs')).toEqual([true, expect.stringMatching(/not trusted/)])
  expect(hasRun()).toBe(false)
})

test('asks the person at the client', async () => {
  const yes = await client([], true)
  expect(await yes.call('run')).toEqual([false, expect.stringContaining('it ran')])
  expect(yes.hasRun()).toBe(true)
  // Agreeing to a skill does not trust its folder.
  expect(await yes.call('theirs')).toEqual([true, expect.stringMatching(/not trusted/)])
  const no = await client([], false)
  expect(await no.call('run')).toEqual([true, expect.stringMatching(/ no\./)])
  expect(no.hasRun()).toBe(false)
})

test('is allowed by rules, and read-only runs nothing at all', async () => {
  const allowed = await client(['--allow', 'Skill(run)', '--allow', 'Bash'])
  expect(await allowed.call('run')).toEqual([false, expect.stringContaining('it ran')])
  const reading = await client(['--read-only', '--allow', 'Skill(run)', '--allow', 'Bash'], true)
  expect(await reading.call('run')).toEqual([false, expect.stringContaining('!`touch ran && echo it ran`')])
  expect(reading.hasRun()).toBe(false)
  expect((await reading.made.listTools()).tools[0]?.annotations?.readOnlyHint).toBe(true)
})

test('another distribution, and a skill that is added meanwhile', async () => {
  const { made, tree } = await client(['--distribution', 'claude-code'])
  const changed = new Promise<void>(resolve => {
    made.setNotificationHandler('notifications/prompts/list_changed', () => resolve())
  })
  await made.listen({ promptsListChanged: true })
  tree.write({ 'home/.claude/skills/later/SKILL.md': '---\nname: later\ndescription: Comes later.\n---\nLater.\n' })
  await changed
  expect((await made.listPrompts()).prompts.map(({ name }) => name)).toContain('later')
})

test('serves clients over HTTP that have the token, and ends with its process', async () => {
  const tree = tempTree({
    'home/.claude/skills/deploy/SKILL.md': '---\nname: deploy\ndescription: Ships it.\n---\nShip to $ARGUMENTS.\n',
    'repo/.git/HEAD': '',
  })
  const child = spawn(process.execPath, [program, 'mcp', '--http', '--home', `${tree.path}/home`], {
    cwd: `${tree.path}/repo`,
    env: cleanEnv(),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
    tree.dispose()
  })
  let told = ''
  while (!told.includes('Bearer')) told += String((await once(child.stderr, 'data'))[0])
  const [, url = '', token = ''] = /at (\S+), until[^]*Bearer (\S+)\n/.exec(told) ?? []
  const open = async (authorization: string) => {
    const made = new Client({ name: 'test', version: '1' })
    await made.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization } } }))
    onTestFinished(() => made.close())
    return made
  }
  const made = await open(`Bearer ${token}`)
  expect((await made.listPrompts()).prompts.map(({ name }) => name)).toEqual(['deploy'])
  await expect(open('Bearer other')).rejects.toThrow('This server needs its token')
  child.kill('SIGINT')
  expect(await ended).toEqual([130, null])
})

test('says what is wrong with options of HTTP', async () => {
  const cwd = '/'
  expect(await runIn(['mcp', '--port', '80'], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^skills: .* --port has no effect .* --http\.\n$/),
  })
  expect(await runIn(['mcp', '--http', '--port', 'x'], { cwd })).toMatchObject({ code: 2 })
})

test('a message of more than 10 MB is answered, and the end of the input ends it, read or not', async () => {
  const tree = tempTree({ 'home/.keep': '' })
  onTestFinished(() => tree.dispose())
  const start = () =>
    spawn(process.execPath, [program, 'mcp', '--home', `${tree.path}/home`], { cwd: tree.path, env: cleanEnv() })
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const initialize = `${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })}\n`
  const child = start()
  let said = ''
  child.stdout.setEncoding('utf8').on('data', text => (said += String(text)))
  child.stdin.end(`${initialize}{"jsonrpc":"2.0","id":5,"method":"ping","params":"${'x'.repeat(11_000_000)}"}`)
  expect((await once(child, 'close'))[0]).toBe(0)
  expect(said).toMatch(/"id":5,"error":\{"code":-32600,/)
  const deaf = start()
  deaf.stdin.on('error', () => {})
  const line = `${JSON.stringify({ jsonrpc: '2.0', id: 'x'.repeat(100_000), method: 'ping' })}\n`
  deaf.stdin.end(initialize + line.repeat(50))
  expect((await once(deaf, 'exit'))[0]).toBe(0)
})
