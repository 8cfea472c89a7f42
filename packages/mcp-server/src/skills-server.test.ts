import { describe, expect, test } from 'vitest'
import { connect, serving, textOf } from '../test/serving.js'

const deploy =
  '---\nname: deploy\ndescription: Ships it.\nargument-hint: "[staging|production]"\n---\nShip to $ARGUMENTS.\n'
const files = {
  'repo/.claude/skills/deploy/SKILL.md': deploy,
  'repo/.claude/skills/notes/SKILL.md':
    '---\nname: notes\ndescription: Takes notes.\narguments: [title, day]\n---\n$title on $day.\n',
  'repo/.claude/skills/notes/docs/form.md': 'A form.\n',
  'repo/.claude/skills/secret/SKILL.md':
    '---\nname: secret\ndescription: For people.\ndisable-model-invocation: true\n---\nOnly you.\n',
  'repo/.claude/skills/quiet/SKILL.md':
    '---\nname: quiet\ndescription: For models.\nuser-invocable: false\n---\nHush.\n',
}

describe.each(['auto', 'legacy'] as const)('a client of the protocol %s', mode => {
  test('finds and calls skills by the tools', async () => {
    const { server } = await serving(files)
    const client = await connect(server, { mode })
    const { tools } = await client.listTools()
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['Skill', false],
      ['SkillSearch', true],
    ])
    expect(tools[0]?.description).toContain('- deploy: Ships it.')
    expect(tools[0]?.description).not.toContain('secret')
    expect(textOf(await client.callTool({ name: 'Skill', arguments: { skill: 'deploy', args: 'staging' } }))).toContain(
      'Ship to staging.',
    )
    // A client may have begun another conversation meanwhile.
    expect(textOf(await client.callTool({ name: 'Skill', arguments: { skill: 'deploy', args: 'staging' } }))).toContain(
      'Ship to staging.',
    )
    expect(textOf(await client.callTool({ name: 'SkillSearch', arguments: { query: 'notes' } }))).toContain(
      '- notes: Takes notes.',
    )
    expect(await client.callTool({ name: 'Skill', arguments: { skill: 'secret' } })).toMatchObject({ isError: true })
    expect(await client.callTool({ name: 'Skill', arguments: { skil: 1 } })).toMatchObject({ isError: true })
    await expect(client.callTool({ name: 'Other', arguments: {} })).rejects.toThrow(
      'There is no tool "Other". The tools are Skill and SkillSearch.',
    )
  })

  test('has a prompt for each skill that a person may invoke', async () => {
    const { server } = await serving(files)
    const client = await connect(server, { mode })
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name, arguments: args }) => [name, args?.map(one => one.name)])).toEqual([
      ['deploy', ['arguments']],
      ['notes', ['title', 'day']],
      ['secret', ['arguments']],
    ])
    const got = async (name: string, args: Record<string, string>) => {
      const { messages } = await client.getPrompt({ name, arguments: args })
      return messages.map(({ content }) => (content.type === 'text' ? content.text : content.type)).join('\n')
    }
    expect(await got('notes', { title: 'it\'s $(id) "so"', day: 'Monday' })).toContain(`it's $(id) "so" on Monday.`)
    expect(await got('secret', {})).toContain('Only you.')
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'deploy' },
      argument: { name: 'arguments', value: 'st' },
    })
    expect(completion.values).toEqual(['staging'])
    await expect(client.getPrompt({ name: 'quiet' })).rejects.toThrow('"quiet"')
    await expect(client.getPrompt({ name: 'notes', arguments: { titel: '' } })).rejects.toThrow('title, day')
  })

  test('reads skills as SEP-2640 has them, checked by its own library, and as plain resources', async () => {
    const { server } = await serving(files)
    const client = await connect(server, { mode })
    const { skills } = await client.skills.list()
    expect(skills.map(({ uri }) => uri)).toEqual([
      'skill://deploy/SKILL.md',
      'skill://notes/SKILL.md',
      'skill://quiet/SKILL.md',
    ])
    const notes = skills[1]
    if (notes === undefined) throw new Error('There is no skill to read.')
    expect((await client.skills.read(notes, 'docs/form.md')).verified).toBe(true)
    expect(await client.skills.get('skill://deploy/SKILL.md')).toMatchObject({
      skill: { frontmatter: { name: 'deploy' } },
    })
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(skills.map(({ uri }) => uri))
    const { contents } = await client.readResource({ uri: 'skill://deploy/SKILL.md' })
    expect(contents[0]).toMatchObject({ text: deploy, mimeType: 'text/markdown' })
    for (const uri of [
      'skill://secret/SKILL.md',
      'skill://deploy/../secret/SKILL.md',
      'skill://deploy/%2e%2e%2fsecret/SKILL.md',
      'skill://deploy/..%5csecret',
      'skill://nothing',
    ])
      await expect(client.readResource({ uri })).rejects.toThrow(/not found|Resource/i)
  })

  test('asks its person, and asks again only about another text', async () => {
    const { server, tree, skills } = await serving({
      'repo/.claude/skills/run/SKILL.md': '---\nname: run\ndescription: Runs.\n---\n!`echo ran` and !`echo twice`\n',
    })
    const asked: string[] = []
    const client = await connect(server, {
      mode,
      answer: message => {
        asked.push(message)
        return true
      },
    })
    const call = () => client.callTool({ name: 'Skill', arguments: { skill: 'run' } })
    expect(textOf(await call())).toContain('ran and twice')
    const first = asked.length
    expect(asked.join('\n')).toContain('echo ran')
    expect(textOf(await call())).toContain('ran and twice')
    expect(asked.length).toBe(first)
    tree.write({ 'repo/.claude/skills/run/SKILL.md': '---\nname: run\ndescription: Runs.\n---\n!`echo other`\n' })
    await skills.refresh()
    expect(textOf(await call())).toContain('other')
    expect(asked.length).toBeGreaterThan(first)
    const second = await connect(server, { mode, answer: () => false })
    expect(await second.callTool({ name: 'Skill', arguments: { skill: 'run' } })).toMatchObject({ isError: true })
  })

  test('that cannot be asked is told no, and what would allow it', async () => {
    const { server } = await serving(
      { 'repo/.claude/skills/run/SKILL.md': '---\nname: run\ndescription: Runs.\n---\n!`echo it-was-run`\n' },
      {},
      { allowHint: ({ content }) => `Start it with --allow "Skill(${content})".` },
    )
    const client = await connect(server, { mode })
    const answer = await client.callTool({ name: 'Skill', arguments: { skill: 'run' } })
    expect(answer).toMatchObject({ isError: true })
    expect(textOf(answer)).toContain('cannot ask')
    expect(textOf(answer)).toContain('Start it with --allow "Skill(run)".')
    expect(textOf(answer)).not.toContain('it-was-run')
  })

  test('is told of changes', async () => {
    const { server, tree, skills } = await serving(files)
    const client = await connect(server, { mode })
    await client.listTools()
    const told = new Promise<string>(resolve => {
      client.setNotificationHandler('notifications/tools/list_changed', ({ method }) => resolve(method))
    })
    if (mode === 'auto') await client.listen({ toolsListChanged: true })
    tree.write({ 'repo/.claude/skills/new/SKILL.md': '---\nname: new\ndescription: New here.\n---\nNew.\n' })
    await skills.refresh()
    expect(await told).toBe('notifications/tools/list_changed')
    expect((await client.listTools()).tools[0]?.description).toContain('- new: New here.')
  })
})

test('what a rule denies or wants to have asked about is neither listed nor read', async () => {
  const { server } = await serving(files, { rules: { deny: ['Skill(deploy)'], ask: ['Skill(notes)'] } })
  const client = await connect(server)
  expect((await client.skills.list()).skills.map(({ uri }) => uri)).toEqual(['skill://quiet/SKILL.md'])
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['skill://quiet/SKILL.md'])
  for (const name of ['deploy', 'notes'])
    await expect(client.readResource({ uri: `skill://${name}/SKILL.md` })).rejects.toThrow(/not found/i)
})

test('files that are hidden or lie elsewhere, and skills that are too large, are not served', async () => {
  const { server, reported } = await serving({
    'outside/secret.md': 'Secret.',
    'repo/.claude/skills/links/SKILL.md': '---\nname: links\ndescription: Links.\n---\nLinks.\n',
    'repo/.claude/skills/links/secret.md': { link: '../../../../outside/secret.md' },
    'repo/.claude/skills/plain/SKILL.md': '---\nname: plain\ndescription: Plain.\n---\nPlain.\n',
    'repo/.claude/skills/plain/.env': 'TOKEN=1',
    'repo/.claude/skills/unnamed/SKILL.md': '---\ndescription: Has no name.\n---\nUnnamed.\n',
    'repo/.claude/skills/many/SKILL.md': '---\nname: many\ndescription: Many.\n---\nMany.\n',
    ...Object.fromEntries(Array.from({ length: 512 }, (_, at) => [`repo/.claude/skills/many/${at}.md`, ''])),
  })
  const client = await connect(server)
  const { skills } = await client.skills.list()
  expect(skills.map(({ uri, resources }) => [uri, resources.length])).toEqual([['skill://plain/SKILL.md', 1]])
  expect(reported.map(({ path, message }) => [path, message]).sort()).toEqual([
    ['skill://links/SKILL.md', expect.stringContaining('secret.md')],
    ['skill://many/SKILL.md', expect.stringContaining(' 512 files')],
    ['skill://unnamed/SKILL.md', expect.stringContaining('"name"')],
  ])
  for (const uri of ['skill://links/secret.md', 'skill://plain/.env'])
    await expect(client.readResource({ uri })).rejects.toThrow(/not found|outside|leads/i)
})
