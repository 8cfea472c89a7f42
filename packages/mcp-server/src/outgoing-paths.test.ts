import { expect, test } from 'vitest'
import { connect, serving, textOf } from '../test/serving.js'

const files = {
  'repo/.claude/skills/one/SKILL.md':
    '---\ndescription: Does one thing.\n---\nRead ${CLAUDE_SKILL_DIR}/notes.md in !`pwd`.\n',
  'repo/.claude/skills/one/notes.md': 'Notes.',
  'repo/.claude/skills/failing/SKILL.md': '---\ndescription: Fails.\n---\n!`cat $PWD/missing; exit 3`\n',
}

/** Returns what a client gets of these skills, as one text, and the path of the tree. */
async function given(showsPaths: boolean | undefined) {
  const { tree, server } = await serving(files, { rules: { allow: ['Skill', 'Bash'] } }, {}, { showsPaths })
  const client = await connect(server)
  const texts = [
    JSON.stringify(await client.listTools()),
    JSON.stringify(await client.listPrompts()),
    JSON.stringify(await client.listResources()),
    textOf(await client.callTool({ name: 'Skill', arguments: { skill: 'one' } })),
    textOf(await client.callTool({ name: 'Skill', arguments: { skill: 'failing' } })),
    textOf(await client.callTool({ name: 'SkillSearch', arguments: { query: 'one' } })),
    JSON.stringify(await client.getPrompt({ name: 'one' })),
    await client.getPrompt({ name: 'failing' }).then(JSON.stringify, (error: unknown) => String(error)),
    JSON.stringify(await client.readResource({ uri: 'skill://one/notes.md' })),
  ]
  return { path: tree.path, texts }
}

test('a client gets no path of this machine, but addresses of files that it can read', async () => {
  const { path, texts } = await given(undefined)
  expect(texts.filter(text => text.includes(path))).toEqual([])
  expect(texts[3]).toContain('Read skill://one/notes.md in ..')
  expect(texts.at(-1)).toContain('Notes.')
})

test('a client of this machine gets paths if the host says so', async () => {
  const { path, texts } = await given(true)
  expect(texts[3]).toContain(`Read ${path}/repo/.claude/skills/one/notes.md in ${path}/repo.`)
})
