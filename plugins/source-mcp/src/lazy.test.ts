import { expect, it, onTestFinished, vi } from 'vitest'
import { engine } from '../test/engine.js'
import { McpServer } from '../test/mcp-server.js'

const read = vi.hoisted(() => ({ isClient: false, isSkills: false }))

vi.mock('@modelcontextprotocol/client', async importOriginal => {
  read.isClient = true
  return importOriginal()
})
vi.mock('@modelcontextprotocol/client/ext/skills', async importOriginal => {
  read.isSkills = true
  return importOriginal()
})

it('the client library is not read before a server is spoken to, nor the skills part before one has skills', async () => {
  const server = new McpServer()
  const start = (servers: Parameters<typeof engine>[0]['servers']) => {
    const skills = engine({ servers })
    onTestFinished(() => skills.close())
    return skills
  }
  await start({}).catalog()
  await start({
    off: { command: '/no/such/program', enabled: false },
    other: { command: '/no/such/program', from: 'project' },
  }).catalog()
  const off = engine({ enabled: false, servers: { s: { transport: () => server.transport() } } })
  onTestFinished(() => off.close())
  await off.catalog()
  expect(read).toEqual({ isClient: false, isSkills: false })
  server.capabilities = { prompts: {} }
  await start({ s: { transport: () => server.transport() } }).catalog()
  expect(read).toEqual({ isClient: true, isSkills: false })
  server.capabilities = { resources: {}, extensions: { 'io.modelcontextprotocol/skills': {} } }
  await start({ s: { transport: () => server.transport() } }).catalog()
  expect(read).toEqual({ isClient: true, isSkills: true })
})
