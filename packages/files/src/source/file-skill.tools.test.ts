import { expect, it } from 'vitest'
import { loaded, onlyCommand, sourceOver, start, temporary } from '../../test/load.js'
import type { SkillRoot } from './layout.js'

const skill = (...lines: readonly string[]): string =>
  ['---', 'description: Runs it.', ...lines, '---', 'Run it.'].join('\n')

it('rules about tools have the folder of the skill in them, whichever way the fields were read', async () => {
  for (const more of [[], ['model: large'], ['hooks: {}', 'triggers: [a]']]) {
    const result = await loaded({
      'a/SKILL.md': skill(
        'allowed-tools: Read(${CLAUDE_SKILL_DIR}/**), Bash(${CLAUDE_SKILL_DIR}/x.sh:*), Grep',
        ...more,
      ),
    })
    expect(result.errors).toEqual([])
    const expected = [`Read(${result.path}/a/**)`, `Bash(${result.path}/a/x.sh:*)`, 'Grep']
    const command = onlyCommand(result)
    for (let times = 0; times < 2; times++) expect(command.allowedTools).toEqual(expected)
    expect(JSON.parse(JSON.stringify(command))).toMatchObject({ allowedTools: expected })
  }
})

it('so do those that take tools away, and those of a legacy command, which lies in the folder of all', async () => {
  const lines = skill('disallowed-tools:', '  - Edit(${CLAUDE_SKILL_DIR}/x)', '  - Write')
  const own = await loaded({ 'a/SKILL.md': lines })
  expect(onlyCommand(own).disallowedTools).toEqual([`Edit(${own.path}/a/x)`, 'Write'])
  const legacy = await loaded({ 'git/push.md': lines }, { layout: { holds: 'commands' } })
  expect(onlyCommand(legacy).disallowedTools).toEqual([`Edit(${legacy.path}/git/x)`, 'Write'])
})

it('nothing else in them is a variable', async () => {
  const tools = ['Bash(${HOME}/x)', 'Bash($CLAUDE_SKILL_DIR/x)', 'Bash(${CLAUDE_PLUGIN_ROOT}/x)', 'Bash({baseDir}/x)']
  expect(
    onlyCommand(await loaded({ 'a/SKILL.md': skill(`allowed-tools: ${JSON.stringify(tools)}`) })).allowedTools,
  ).toEqual(tools)
})

it('a folder is meant literally, and one that would make two rules of one stays out of them', async () => {
  const tools = 'allowed-tools: ["Bash(${CLAUDE_SKILL_DIR}/x:*)"]'
  const odd = await loaded({ 'a(b)*$&/SKILL.md': skill(tools) })
  expect(onlyCommand(odd).allowedTools).toEqual([`Bash(${odd.path}/a\\(b\\)\\*$&/x:*)`])
  expect(onlyCommand(await loaded({ 'a, rm/SKILL.md': skill(tools) })).allowedTools).toEqual([
    'Bash(${CLAUDE_SKILL_DIR}/x:*)',
  ])
})

it('what a caller that gives the root has put into them is not looked at again', async () => {
  const adapt: SkillRoot['adapt'] = fields => {
    fields.allowedTools = (fields.allowedTools ?? []).map(tool => tool.replace('${user}', '${CLAUDE_SKILL_DIR}'))
    return []
  }
  const { path } = temporary({ 'a/SKILL.md': skill('allowed-tools: Bash(${user}/x)') })
  const { list } = await start(sourceOver([{ path, adapt }]))
  expect(onlyCommand(await list()).allowedTools).toEqual(['Bash(${CLAUDE_SKILL_DIR}/x)'])
})

it('the list is the same one each time, by which a caller that has compiled its rules knows it', async () => {
  const command = onlyCommand(await loaded({ 'a/SKILL.md': skill('license: MIT', 'allowed-tools: Read Grep') }))
  expect(command.allowedTools).toEqual(['Read', 'Grep'])
  expect(command.allowedTools).toBe(command.allowedTools)
  expect(command).toMatchObject({ license: 'MIT', metadata: {} })
  expect(command.allowedTools).toEqual(['Read', 'Grep'])
})
