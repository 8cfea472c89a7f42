import { expect, onTestFinished, test } from 'vitest'
import { createSkills, promptCommand, type Source } from '@skills/core'
import { standard } from '@skills/distributions'
import { tempTree } from '@skills/testing'
import { largeSource } from '@skills/testing/internal'
import { SkillsServer } from './index.js'
import { connect, textOf } from '../test/serving.js'

const many = Array.from({ length: 12 }, (_, at) => `large-${String(at).padStart(2, '0')}`)

async function serving(members?: Partial<Source>) {
  const tree = tempTree({
    'home/.keep': '',
    'repo/.git/HEAD': '',
    'repo/.claude/skills/own/SKILL.md': '---\nname: own\ndescription: Does its own thing.\n---\nOwn.\n',
  })
  const distribution = standard({
    host: { cwd: `${tree.path}/repo`, home: `${tree.path}/home`, env: {} },
    trust: { all: true },
    rules: { allow: ['Skill'] },
    bundled: false,
    onDiagnostic: () => {},
  })
  const calls: string[] = []
  const large = largeSource({
    names: many,
    make: name =>
      promptCommand({
        name,
        source: 'large',
        description: `Ships ${name}.`,
        load: () => ({ template: `Do ${name}.` }),
      }),
    onCall: (member, what) => calls.push(`${member} ${what}`),
    ...(members && { members }),
  })
  const skills = createSkills({ ...distribution, plugins: [...distribution.plugins, large] })
  const server = await SkillsServer.open({ skills, distribution, watches: false, pageSize: 5, onDiagnostic: () => {} })
  onTestFinished(async () => {
    await server.close()
    await skills.close()
    tree.dispose()
  })
  return { server, calls, tree }
}

/** Returns the names of all prompts. The client asks for one page after the other. */
async function promptsOf(server: SkillsServer): Promise<readonly string[]> {
  const client = await connect(server)
  return (await client.listPrompts()).prompts.map(({ name }) => name)
}

test('prompts are paged: first what is listed, then what large sources have', async () => {
  const { server, calls } = await serving()
  expect(await promptsOf(server)).toEqual(['own', ...many])
  expect(calls.filter(call => call.startsWith('page')).slice(1)).toEqual(['page undefined', 'page 5', 'page 10'])
})

test('a server whose large source has nothing has no page more', async () => {
  const { server } = await serving({ page: () => ({ commands: [] }) })
  expect(await promptsOf(server)).toEqual(['own'])
})

test('a cursor that this server did not make is refused', async () => {
  const { server } = await serving()
  const client = await connect(server)
  const cursor = Buffer.from('large:nothing').toString('base64url')
  await expect(client.listPrompts({ cursor })).rejects.toThrow('does not come from this server')
})

test('a prompt and a skill that no list has are asked for by name', async () => {
  const { server, calls } = await serving()
  const client = await connect(server)
  expect(JSON.stringify(await client.getPrompt({ name: 'large-07' }))).toContain('Do large-07.')
  expect(textOf(await client.callTool({ name: 'Skill', arguments: { skill: 'large-08' } }))).toContain('Do large-08.')
  expect(calls.filter(call => call.startsWith('find'))).toEqual(['find large-07', 'find large-08'])
  await expect(client.getPrompt({ name: 'nothing' })).rejects.toThrow('There is no prompt "nothing".')
})

test('a search finds what no list has', async () => {
  const { server } = await serving()
  const client = await connect(server)
  const text = textOf(await client.callTool({ name: 'SkillSearch', arguments: { query: 'large-03' } }))
  expect(text).toContain('large-03: Ships large-03.')
})

test('a file of a skill that no list has is read by its address', async () => {
  const tree = tempTree({ 'deep/SKILL.md': '---\nname: deep\ndescription: Deep.\n---\nText.\n' })
  onTestFinished(() => tree.dispose())
  const filePath = `${tree.path}/deep/SKILL.md`
  const command = promptCommand({
    name: 'deep',
    source: 'large',
    description: 'Deep.',
    load: () => ({ template: 'Text.' }),
  })
  const file = { realPath: filePath, dev: 1, ino: 1, size: 1, mtimeMs: 1, ctimeMs: 1 }
  const inFolder = { ...command, baseDir: `${tree.path}/deep`, filePath, file }
  const { server } = await serving({ find: name => (name === 'deep' ? inFolder : undefined) })
  const client = await connect(server)
  const read = await client.readResource({ uri: 'skill://deep/SKILL.md' })
  expect(JSON.stringify(read)).toContain('Text.')
  await expect(client.readResource({ uri: 'skill://other/SKILL.md' })).rejects.toThrow('other')
})
