import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { tempTree, type TempTree } from '@skills/testing'
import { existsSync, readdirSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { runIn } from '../../../test/console.js'

let tree: TempTree
afterEach(() => tree.dispose())

const powers = '---\nname: s\ndescription: Does it.\nmodel: opus\n---\nDone !`touch ran`.\n'
const plain = '---\nname: s\ndescription: Does it.\n---\nDone.\n'

function project(text: string): void {
  tree = tempTree({ 'home/.keep': '', 'work/.git': { dir: true }, 'work/.claude/skills/s/SKILL.md': text })
}

const hasRun = (): boolean => existsSync(`${tree.path}/work/ran`)
const at = () => ({ cwd: `${tree.path}/work`, home: `${tree.path}/home` })

/** Starts the server, calls the skill as a client that cannot ask, and returns the answer. */
async function answer(args: readonly string[]): Promise<{ readonly isError: boolean; readonly text: string }> {
  const stop = new AbortController()
  let client: Client | undefined
  let told = ''
  let heard = (): void => {}
  const listening = new Promise<void>(resolve => (heard = resolve))
  const ended = runIn(['mcp', '--http', ...args], {
    ...at(),
    signal: stop.signal,
    onOutput(text) {
      told += text
      if (told.includes('Bearer')) heard()
    },
  })
  try {
    await Promise.race([listening, ended])
    const [, url = '', token = ''] = /at (\S+), until[^]*Bearer (\S+)\n/.exec(told) ?? []
    client = new Client({ name: 'test', version: '1' })
    const headers = { authorization: `Bearer ${token}` }
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
    const { tools } = await client.listTools()
    const [name = ''] = tools.map(tool => tool.name)
    const called = await client.callTool({ name, arguments: { [name === 'skill' ? 'name' : 'skill']: 's' } })
    return {
      isError: called.isError === true,
      text: called.content.map(block => (block.type === 'text' ? block.text : '')).join('\n'),
    }
  } finally {
    await client?.close()
    stop.abort()
    await ended
  }
}

/** Returns the words of the last command that an answer names. */
function remedy(text: string, command: 'trust' | 'mcp'): readonly string[] {
  const line = new RegExp(`skills (${command}(?: [^\n]*)?)`).exec(text)?.[1] ?? ''
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '')
}

describe('the remedy that an answer names changes the answer', () => {
  test('for a skill with powers under opencode there is nothing to allow: its text is given as it is', async () => {
    project(powers)
    const { isError, text } = await answer(['--distribution', 'opencode'])
    expect([isError, text]).toEqual([false, expect.stringContaining('Done !`touch ran`.')])
    expect(hasRun()).toBe(false)
  })

  test.each(['standard', 'claude-code', 'opencode-classic', 'claude-code-classic'])(
    'for a skill with powers under %s: trust, then a rule for each thing that it does',
    async distribution => {
      project(powers)
      const first = await answer(['--distribution', distribution])
      expect(first.isError).toBe(true)
      const trust = remedy(first.text, 'trust')
      expect(trust[0], first.text).toBe('trust')
      expect((await runIn([...trust, '--yes'], at())).code).toBe(0)
      let args: readonly string[] = ['--distribution', distribution]
      const seen = [first.text]
      for (;;) {
        const { isError, text } = await answer(args)
        expect(seen).not.toContain(text)
        seen.push(text)
        const next = remedy(text, 'mcp')
        if (!isError && next.length === 0) break
        args = next.slice(1).filter(word => word !== '--http')
      }
      expect(hasRun()).toBe(true)
    },
  )

  test.each(['opencode-classic', 'claude-code-classic'])(
    'for a skill of one line, which %s asks about: a rule is enough, without trust',
    async distribution => {
      project(plain)
      const { isError, text } = await answer(['--distribution', distribution])
      expect(isError).toBe(true)
      const args = remedy(text, 'mcp')
        .slice(1)
        .filter(word => word !== '--http')
      expect(await answer(args)).toMatchObject({ isError: false, text: expect.stringContaining('Done.') as string })
    },
  )

  test('for a skill that changed after trust: trust again, then the rule', async () => {
    project(powers)
    await runIn(['trust', '--yes'], at())
    tree.write({ 'work/.claude/skills/s/more.sh': 'x' })
    const { text } = await answer([])
    expect((await runIn([...remedy(text, 'trust'), '--yes'], at())).code).toBe(0)
    const args = remedy(text, 'mcp')
      .slice(1)
      .filter(word => word !== '--http')
    expect((await answer([...args, '--allow', 'Bash(touch ran)'])).isError).toBe(false)
    expect(hasRun()).toBe(true)
  })
})

test('opencode is not asked about a skill that is only read, as the program allows it', async () => {
  project(plain)
  expect(await answer(['--distribution', 'opencode'])).toMatchObject({ isError: false })
})

test('a server that only reads knows what is trusted, runs nothing and saves nothing', async () => {
  project(powers)
  await runIn(['trust', '--yes'], at())
  const folder = `${tree.path}/home/.local/state/skills`
  const before = readdirSync(folder)
  const { isError, text } = await answer(['--read-only', '--allow', 'Skill(s)'])
  expect([isError, text]).toEqual([false, expect.stringContaining('Done !`touch ran`.')])
  expect(hasRun()).toBe(false)
  expect(readdirSync(folder)).toEqual(before)
})

test('a server without a token says who can call it', async () => {
  project(plain)
  const told = async (...args: readonly string[]): Promise<string> => {
    const stop = new AbortController()
    const ended = runIn(['mcp', '--http', '--no-token', ...args], {
      ...at(),
      signal: stop.signal,
      onOutput: text => void (text.includes('No token') && stop.abort()),
    })
    return (await ended).stderr
  }
  expect(await told()).toContain('every program on this machine')
  expect(await told('--host', '0.0.0.0')).toContain('can reach 0.0.0.0')
})
