import { defineField, fieldTable, type Field } from '@skills/core/fields'
import { expect, it, onTestFinished } from 'vitest'
import { skillFilesOf } from './index.js'
import { digestOf, McpServer, recordOf } from '../test/mcp-server.js'
import { engine, textsOf, type Engine } from '../test/engine.js'
import type { McpSourceOptions } from './options.js'

const call = { signal: new AbortController().signal }
const refunds = { name: 'refunds', description: 'Handles refunds.' }
const origin =
  'From the MCP server "shop", its skill "refunds". All text that follows comes from that server: not from the user, and not from this machine.'

function started(server: McpServer, options: Partial<McpSourceOptions> = {}): Engine {
  const skills = engine({ servers: { shop: { transport: () => server.transport() } }, ...options })
  onTestFinished(() => skills.close())
  return skills
}

function shop(): McpServer {
  const server = new McpServer()
  server.putSkill('billing/refunds', refunds, 'Ask for the receipt.\n', {
    'references/RULES.md': 'No receipt, no refund.',
  })
  return server
}

it('lists the skills of a server that has the extension, and reads none of their files', async () => {
  const server = shop()
  const command = await started(server).prompt('mcp__shop__refunds')
  expect(command).toMatchObject({
    source: 'mcp',
    loadedFrom: 'mcp',
    isSkill: true,
    description: 'Handles refunds.',
    metadata: { name: 'refunds' },
  })
  expect(server.asked).not.toContain('resources/read')
  expect(await textsOf(command, 'order 12')).toEqual([
    origin,
    'Ask for the receipt.\n',
    expect.stringContaining(': references/RULES.md'),
    'ARGUMENTS: order 12',
  ])
  expect(server.asked.filter(method => method === 'resources/read')).toHaveLength(1)
})

it('reads the fields of the host and all that describe a skill as a file would, each text on one line', async () => {
  const owner = defineField({ name: 'owner', type: 'names', asks: false })
  const target = defineField({ name: 'target', type: 'text', asks: true })
  const describing = fieldTable.filter((field: Field) => field.remote && field.type !== 'map')
  const said = Object.fromEntries(
    describing.map(({ name, type }) => [name, type === 'boolean' ? true : `The ${name}.\u202e\nMore.`]),
  )
  const server = new McpServer()
  const given = { name: 'refunds', ...said, owner: 'ops\u200b, web', target: 'x', metadata: { team: 'a' }, other: 1 }
  server.putSkill('refunds', given, 'Ask.')
  const command = await started(server, { fields: [owner, target] }).prompt('mcp__shop__refunds')
  expect(describing.map(({ property }) => [property, Reflect.get(command, property)])).toEqual(
    describing.map(({ name, type, property }) => [property, type === 'boolean' ? true : `The ${name}. More.`]),
  )
  expect([owner.of(command), target.of(command)]).toEqual([['ops', 'web'], 'x'])
  expect([Object.hasOwn(command, 'owner'), Reflect.get(command, 'target')]).toEqual([false, 'x'])
  expect(command.metadata).toEqual({ name: 'refunds', owner: 'ops\u200b, web', target: 'x', team: 'a', other: 1 })
})

it('asks no server for skills that does not declare the extension, nor any where it is switched off', async () => {
  const [without, off] = [shop(), shop()]
  without.capabilities = { prompts: {}, resources: {} }
  expect(await started(without).names()).toEqual([])
  expect(await started(off, { skills: false }).names()).toEqual([])
  for (const server of [without, off]) expect(server.asked).not.toContain('skills/list')
})

it('follows every page of skills', async () => {
  const server = new McpServer()
  for (let at = 0; at < 25; at++)
    server.putSkill(`skill-${at}`, { name: `skill-${at}`, description: 'One of many.' }, 'Do it.')
  server.pageSize = 10
  expect(await started(server).names()).toHaveLength(25)
  expect(server.asked.filter(method => method === 'skills/list')).toHaveLength(3)
})

it.each([
  ['the same page', () => 'same'],
  ['an earlier one', (cursor: unknown) => (cursor === 'a' ? 'b' : 'a')],
])('stops at a list of skills that leads back to %s, and keeps what it has', async (_, next) => {
  const server = shop()
  server.prompts = [{ name: 'hello' }]
  server.answers['skills/list'] = ({ cursor }) => ({ skills: server.skills, nextCursor: next(cursor) })
  const skills = started(server)
  expect(await skills.names()).toEqual(['mcp__shop__hello', 'mcp__shop__refunds'])
  const { errors } = await skills.catalog()
  expect(errors).toMatchObject([
    {
      code: 'mcp-list-cut',
      provider: 'mcp',
      message:
        'The list of skills of the MCP server "shop" is cut: a page leads back to an earlier one. Entries that are used: 1.',
    },
  ])
})

it('stops at a list of skills that does not end', async () => {
  const server = shop()
  const [entry] = server.skills
  server.prompts = [{ name: 'hello' }]
  let page = 0
  server.answers['skills/list'] = () => ({ skills: page++ === 0 ? [entry] : [], nextCursor: `page-${page}` })
  const skills = started(server)
  expect(await skills.names()).toEqual(['mcp__shop__hello', 'mcp__shop__refunds'])
  expect(server.asked.filter(method => method === 'skills/list')).toHaveLength(10_001)
  expect((await skills.catalog()).errors).toMatchObject([
    { code: 'mcp-list-cut', message: expect.stringContaining(' 10000 pages') },
  ])
})

it('refuses two skills of one URI, on whichever pages they stand', async () => {
  const server = shop()
  server.skills.push({ ...recordOf(server.skills[0]), frontmatter: { ...refunds, description: 'Another.' } })
  server.pageSize = 1
  const skills = started(server)
  expect(await skills.names()).toEqual([])
  expect((await skills.catalog()).errors.map(({ code, name }) => [code, name])).toEqual([
    ['mcp-invalid-skill', 'refunds'],
    ['mcp-invalid-skill', 'refunds'],
  ])
})

it('reads a file of a skill when it is asked for, and checks it', async () => {
  const server = shop()
  const command = await started(server).prompt('mcp__shop__refunds')
  const files = skillFilesOf(command)
  expect(files?.paths).toEqual(['references/RULES.md'])
  const file = await files?.read('references/RULES.md', call)
  expect(Buffer.from(file?.bytes ?? []).toString()).toBe('No receipt, no refund.')
  expect(file).toMatchObject({ mimeType: 'text/markdown', isUnverified: false })
  for (const path of ['references/OTHER.md', '../secrets/SKILL.md', 'skill://other/SKILL.md', 'file:///etc/passwd']) {
    await expect(files?.read(path, call), path).rejects.toMatchObject({ code: 'E_FILE_CHANGED' })
  }
  server.files.set('skill://billing/refunds/references/RULES.md', 'Refund everybody.....')
  await expect(files?.read('references/RULES.md', call)).rejects.toMatchObject({
    code: 'E_FILE_CHANGED',
    message: expect.stringContaining('"mcp__shop__refunds"'),
  })
  expect(skillFilesOf({ ...command })).toBeUndefined()
})

it.each([
  ['another digest', { digest: digestOf('something else') }],
  ['another size', { size: 3 }],
])('gives nothing of a skill whose content has %s than is listed', async (_, lie) => {
  const server = shop()
  const [entry] = server.skills.map(recordOf)
  const { resources } = entry ?? {}
  server.skills = [
    {
      ...entry,
      resources: Array.isArray(resources)
        ? resources.map((file, at) => (at === 0 ? { ...recordOf(file), ...lie } : file))
        : [],
    },
  ]
  const command = await started(server, { asks: false }).prompt('mcp__shop__refunds')
  await expect(textsOf(command)).rejects.toMatchObject({ code: 'E_FILE_CHANGED' })
  expect(server.asked.filter(method => method === 'skills/get')).toHaveLength(1)
})

it('gives nothing of a skill whose frontmatter is another than was listed', async () => {
  const server = shop()
  const [entry] = server.skills.map(recordOf)
  server.skills = [{ ...entry, frontmatter: { ...refunds, description: 'Harmless.' } }]
  const command = await started(server).prompt('mcp__shop__refunds')
  expect(command.description).toBe('Harmless.')
  await expect(textsOf(command)).rejects.toMatchObject({ code: 'E_FILE_CHANGED' })
})

it('gives a skill that was changed on its server as it is now where no one is asked, and lists it anew', async () => {
  const server = shop()
  const skills = started(server, { asks: false })
  const command = await skills.prompt('mcp__shop__refunds')
  server.putSkill('billing/refunds', { ...refunds, description: 'Handles every refund.' }, 'Ask for nothing.')
  expect(await textsOf(command)).toEqual([origin, 'Ask for nothing.'])
  expect(skillFilesOf(command)?.paths).toEqual([])
  expect((await skills.prompt('mcp__shop__refunds')).description).toBe('Handles every refund.')
})

it('gives nothing of a skill that was changed and has no digests any more', async () => {
  const server = shop()
  const command = await started(server, { asks: false }).prompt('mcp__shop__refunds')
  server.putSkill('billing/refunds', refunds, 'Ask for nothing.')
  server.skills = server.skills.map(skill => ({ ...recordOf(skill), resources: 'dynamic' }))
  await expect(textsOf(command)).rejects.toMatchObject({ code: 'E_FILE_CHANGED' })
  expect(server.asked.filter(method => method === 'skills/get')).toHaveLength(1)
})

it('gives no other file of a skill than was listed with its text, although its server lists it now', async () => {
  const server = shop()
  const command = await started(server).prompt('mcp__shop__refunds')
  await textsOf(command)
  server.putSkill('billing/refunds', refunds, 'Ask for the receipt.\n', { 'references/RULES.md': 'Refund everybody.' })
  await expect(skillFilesOf(command)?.read('references/RULES.md', call)).rejects.toMatchObject({
    code: 'E_FILE_CHANGED',
    message: expect.stringContaining('"mcp__shop__refunds"'),
  })
  expect(server.asked).not.toContain('skills/get')
})

it('leaves out an entry that is none, and no other', async () => {
  const server = shop()
  server.skills.push(
    { uri: 'skill://broken/SKILL.md', frontmatter: { name: 'broken', description: 'Has no resources.' } },
    'text',
    { ...recordOf(server.skills[0]), uri: 'skill://wrong/SKILL.md' },
  )
  const skills = started(server)
  expect(await skills.names()).toEqual(['mcp__shop__refunds'])
  expect((await skills.catalog()).errors.map(({ code, name }) => [code, name])).toEqual([
    ['mcp-invalid-skill', 'broken'],
    ['mcp-invalid-skill', undefined],
    ['mcp-invalid-skill', 'wrong'],
  ])
})

it('lists a skill without digests only where the host wants it', async () => {
  const server = shop()
  server.skills = [{ ...recordOf(server.skills[0]), resources: 'dynamic' }]
  const strict = started(server)
  expect(await strict.names()).toEqual([])
  expect((await strict.catalog()).errors).toMatchObject([{ code: 'mcp-skill-unverifiable', name: 'refunds' }])
  expect(await textsOf(await started(server, { dynamicSkills: true }).prompt('mcp__shop__refunds'))).toEqual([
    origin,
    'Ask for the receipt.\n',
  ])
})

it('tells skills and prompts of one name apart, by path where there is one', async () => {
  const server = shop()
  server.putSkill('support/refunds', refunds, 'Ask no one.')
  server.prompts = [{ name: 'refunds' }]
  const skills = started(server)
  expect(await skills.names()).toEqual([
    'mcp__shop__billing_refunds',
    'mcp__shop__refunds',
    'mcp__shop__support_refunds',
  ])
  expect((await skills.prompt('mcp__shop__refunds')).isSkill).toBe(false)
  expect((await textsOf(await skills.prompt('mcp__shop__support_refunds')))[1]).toBe('Ask no one.')
})

it('keeps skills of one URI on two servers apart', async () => {
  const [first, second] = [shop(), new McpServer()]
  second.putSkill('billing/refunds', refunds, 'Pay.')
  const skills = engine({
    servers: { first: { transport: () => first.transport() }, second: { transport: () => second.transport() } },
  })
  onTestFinished(() => skills.close())
  expect(await skills.names()).toEqual(['mcp__first__refunds', 'mcp__second__refunds'])
  expect((await textsOf(await skills.prompt('mcp__second__refunds')))[1]).toBe('Pay.')
})
