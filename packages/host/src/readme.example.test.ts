// #region usage
import { openSkills } from '@skills/host'

/** Asks a model: with a system prompt, messages and tools. It answers with text or a call. */
type Ask = (
  system: string,
  messages: readonly string[],
  tools: readonly { readonly name: string; readonly description: string; readonly inputSchema: object }[],
) => Promise<string | { readonly id: string; readonly name: string; readonly input: unknown }>

async function answer(ask: Ask, line: string, cwd: string): Promise<string> {
  const skills = await openSkills('standard', { cwd, onAsk: () => 'deny' })
  try {
    const session = await skills.session()
    const messages = [(await session.send(line)).text]
    for (;;) {
      const said = await ask(await session.system(), messages, session.tools())
      if (typeof said === 'string') return said
      const tool = session.tools().find(({ name }) => name === said.name)
      const result = await tool?.execute(said.input, { toolUseId: said.id })
      messages.push(result?.text ?? `There is no tool ${said.name}.`)
    }
  } finally {
    await skills.close()
  }
}
// #endregion usage
// #region own-tool
import type { AgentSession } from '@skills/host/session'

/** Calls a tool of the host if the active skills, hooks, rules and a person allow it. */
async function use(
  session: AgentSession,
  input: { readonly file_path: string },
  read: (path: string) => Promise<string>,
) {
  const { behavior, message } = await session.authorize({ tool: 'Read', input })
  return behavior === 'allow' ? read(input.file_path) : message
}
// #endregion own-tool
// #region keep
import type { HostSkills } from '@skills/host'
import type { AgentSessionValue } from '@skills/host/session'

/** Handles one line of a conversation that is stored between two requests: a value in, a value out. */
async function turn(skills: HostSkills, kept: AgentSessionValue | undefined, line: string) {
  const session = await skills.session({ restore: kept })
  const { text } = await session.send(line)
  session.endTurn()
  const value = await session.value()
  await session.close()
  return { text, value }
}
// #endregion keep
// #region first
async function begin(cwd: string) {
  const skills = await openSkills('standard', { cwd })
  const session = await skills.session()
  return {
    system: await session.system(), // which skills there are
    tools: session.tools(), // that run and find them, for any model
    typed: (await session.send('/deploy prod')).text, // what a person typed, as the model reads it
    kept: await session.value(), // the conversation as JSON
    close: () => skills.close(),
  }
}
// #endregion first
// #region command
import { localCommand } from '@skills/host'

/** Command that a person runs as `/rooms`. */
const rooms = localCommand({
  name: 'rooms',
  description: 'Lists the rooms that are free.',
  call: args => ({ text: `Free on ${args}: 4, 7.` }),
})
// #endregion command

import { expect, onTestFinished, test } from 'vitest'
import { hostFolder, skillMd } from '../test/host-folder.js'

const deploy = { 'repo/.claude/skills/deploy/SKILL.md': skillMd('Deploys the site.', 'Deploy $ARGUMENTS now.') }

test('the loop of the README runs a skill', async () => {
  const { options } = hostFolder(deploy)
  const asked: string[] = []
  const ask: Ask = async (system, messages, tools) => {
    asked.push(system, ...messages, ...tools.map(({ name }) => name))
    return messages.length === 1 ? { id: 'c', name: 'Skill', input: { skill: 'deploy', args: 'prod' } } : 'Done.'
  }
  expect(await answer(ask, 'Ship it.', options.cwd)).toBe('Done.')
  expect(asked.join('\n')).toMatch(/- deploy: Deploys the site\.[^]*Ship it\.[^]*SkillSearch[^]*Deploy prod now\./)
})

test('the README of the repository begins', async () => {
  const { options } = hostFolder(deploy)
  const { system, tools, typed, kept, close } = await begin(options.cwd)
  onTestFinished(close)
  expect([system, typed, kept.skills[0]?.name]).toEqual([
    expect.stringContaining('- deploy: Deploys the site.'),
    expect.stringContaining('Deploy prod now.'),
    'deploy',
  ])
  expect(tools.map(({ name }) => name)).toContain('Skill')
})

test('a command of the host is for people, and leaves the model nothing', async () => {
  const { options } = hostFolder({})
  const skills = await openSkills('mini', { ...options, commands: [rooms] })
  onTestFinished(() => skills.close())
  const session = await skills.session()
  expect(await session.send('/rooms Friday')).toMatchObject({ text: 'Free on Friday: 4, 7.', isForModel: false })
  expect(await session.system()).not.toContain('rooms')
})

test('a tool of the host is asked about, and a session is kept as a value', async () => {
  const { options } = hostFolder(deploy)
  const skills = await openSkills('standard', { ...options, rules: { allow: ['Read'] } })
  onTestFinished(() => skills.close())
  const session = await skills.session()
  expect(await use(session, { file_path: '/a' }, async path => `What ${path} says.`)).toBe('What /a says.')
  await session.end()
  const first = await turn(skills, undefined, '/deploy prod')
  expect(first.text).toContain('Deploy prod now.')
  const second = await turn(skills, JSON.parse(JSON.stringify(first.value)) as AgentSessionValue, 'And now?')
  expect([second.text, second.value.id]).toEqual(['And now?', first.value.id])
})
