/* oxlint-disable vitest/no-standalone-expect -- row() makes a test of each */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { systemClock } from '@skills/core'
import { defineField } from '@skills/core/fields'
import { describe, expect } from 'vitest'
import { row, type Open, type Opened } from './row.js'
import type { McpSourceOptions } from '@skills/source-mcp'

/**
 * Server with a prompt and a skill, over its standard streams. Its argument is a file that it leaves behind when it
 * starts.
 */
const script = fileURLToPath(new URL('../../../../plugins/source-mcp/test/named-server.mjs', import.meta.url))

const owner = defineField({ name: 'owner', type: 'text', asks: false })

function served(open: Open, more: Partial<McpSourceOptions> = {}): Promise<Opened> {
  const servers = { 'my.shop': { command: process.execPath, args: [script, '../started'] } }
  return open(
    {},
    {
      clock: systemClock,
      layout: { fields: { own: [owner] } },
      rules: { allow: ['Skill', 'Bash'] },
      mcp: { servers, waitMs: Infinity, ...more },
    },
  )
}

async function hasStarted(opened: Opened): Promise<boolean> {
  await opened.catalog()
  return existsSync(`${opened.tree.path}/started`)
}

describe('servers', () => {
  row(10, 'KNOM', 'no server is started, regardless of the host names and switches on', async open => {
    const opened = await served(open, { enabled: true })
    expect([await opened.names(), await hasStarted(opened)]).toEqual([[], false])
  })
  row(10, 'SRCX', 'no server is started that the host does not name', async open => {
    expect((await open({}, { mcp: { servers: {} } })).skills.use('source').ids).toContain('mcp')
    expect((await open({})).skills.use('source').ids).not.toContain('mcp')
  })
  row(10, 'S', 'both parts of a name are normalised, and a server gives prompts and skills', async open => {
    const opened = await served(open)
    expect(await opened.names()).toEqual(['mcp__my_shop__refunds from mcp', 'mcp__my_shop__say_hello from mcp'])
    expect(await opened.text('mcp__my_shop__say_hello')).toContain('Hello from the shop.')
    expect(await opened.text('mcp__my_shop__refunds')).toContain('Ask for the receipt.')
    expect(owner.of((await opened.catalog()).require('mcp__my_shop__refunds').command)).toBe('desk')
  })
  row(10, 'X', 'both parts of a name are normalised, and a server gives prompts alone', async open => {
    const opened = await served(open)
    expect(await opened.names()).toEqual(['mcp__my_shop__say_hello from mcp'])
    expect(await opened.text('mcp__my_shop__say_hello')).toContain('Hello from the shop.')
  })
  row(31, 'SRC', 'a model is told of no prompt of a server', async (open, letter) => {
    const opened = await served(open, { enabled: true })
    expect((await opened.port.listing({})).entries.map(({ name }) => name)).toEqual(
      letter === 'S' ? ['mcp__my_shop__refunds'] : [],
    )
  })
  row(31, 'X', 'a model is told of the prompts of servers', async open => {
    const opened = await served(open)
    expect((await opened.port.listing({})).text).toContain('\n- mcp__my_shop__say_hello: Says hello.\n')
    const tool = await opened.tool()
    expect(await tool.validateInput({ skill: 'mcp__my_shop__say_hello' })).toEqual({ result: true })
  })
  row(
    78,
    'SRCX',
    'what a server sends never runs anything, also where everything is allowed and trusted',
    async open => {
      const opened = await served(open, { enabled: true })
      const name = (await opened.names()).find(one => one.includes('hello'))?.split(' ')[0] ?? ''
      expect(await opened.text(name)).toContain('Now !`touch ran`.')
      expect(existsSync(`${opened.tree.path}/repo/ran`)).toBe(false)
    },
  )
  row(10, 'RC', "the server's part of a name is normalised alone, and a server gives prompts alone", async open => {
    const opened = await served(open, { enabled: true })
    expect(await opened.names()).toEqual(['mcp__my_shop__say.hello from mcp'])
    expect(await opened.text('mcp__my_shop__say.hello')).toContain('Hello from the shop.')
  })
  row(10, 'RC', 'no server is started before the host switches them on, and explain says so', async open => {
    const opened = await served(open)
    expect([await opened.names(), await hasStarted(opened)]).toEqual([[], false])
    expect((await opened.skills.explain('mcp__my_shop__say.hello')).notes).toEqual([
      {
        provider: 'mcp',
        path: 'mcp://my.shop',
        text: 'MCP servers are not contacted unless the host switches them on.',
      },
    ])
    expect(await hasStarted(await served(open, { enabled: true }))).toBe(true)
  })
})
