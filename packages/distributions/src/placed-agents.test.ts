import { compat } from '@skills/inspect/compat'
import { processHost } from '@skills/core'
import { tempTree } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { agentsNamed } from './agents.js'
import { agentsHere } from './agents-here.js'
import { distributionNames } from './distribution-named.js'
import { placedAgents, type PlacedName } from './placed-agents.js'

const skill = '---\nname: deploy\ndescription: Ships it.\n---\nDo it.\n'
const names = Object.keys(placedAgents) as PlacedName[]

test('an agent of which only the places are known is no distribution, and has documents', () => {
  const others: readonly string[] = distributionNames
  expect(names.filter(name => others.includes(name))).toEqual([])
  for (const { from, on } of Object.values(placedAgents)) {
    expect(from.length).toBeGreaterThan(0)
    expect(on).toMatch(/^\d{4}-\d\d-\d\d$/)
  }
})

test.each(names.flatMap(name => placedAgents[name].project.map(folder => [name, folder] as const)))(
  '%s finds a skill of %s, and nothing is said of what its model is told',
  async (name, folder) => {
    const tree = tempTree({ 'p/.git/HEAD': '', 'h/.keep': '', [`p/${folder}/deploy/SKILL.md`]: skill })
    onTestFinished(() => tree.dispose())
    const [reference] = await agentsNamed(['standard'])
    const { skills } = await compat({
      reference: reference!,
      agents: await agentsNamed([name]),
      host: processHost({ cwd: `${tree.path}/p`, home: `${tree.path}/h`, env: {} }),
    })
    expect(skills[0]?.agents).toMatchObject([{ found: 'here', told: 'unknown', fields: [], commands: 0 }])
  },
)

test('a skill in another folder is named with the folder where the agent would find it', async () => {
  const tree = tempTree({ 'p/.git/HEAD': '', 'h/.keep': '', 'p/.claude/skills/deploy/SKILL.md': skill })
  onTestFinished(() => tree.dispose())
  const [reference] = await agentsNamed(['standard'])
  const { skills } = await compat({
    reference: reference!,
    agents: await agentsNamed(['windsurf']),
    host: processHost({ cwd: `${tree.path}/p`, home: `${tree.path}/h`, env: {} }),
  })
  expect(skills[0]?.agents).toMatchObject([
    { found: 'elsewhere', told: 'unknown', path: expect.stringMatching(/^\.(?:windsurf|agents)\/skills\/deploy\//) },
  ])
})

test('they are recognized by their folders, settings and programs', () => {
  const tree = tempTree({ 'p/.git/HEAD': '', 'p/.windsurf/rules': '', 'h/.cursor/x': '', 'bin/amp': '' })
  onTestFinished(() => tree.dispose())
  const found = agentsHere(`${tree.path}/p`, {
    home: `${tree.path}/h`,
    env: { PATH: `${tree.path}/bin` },
    platform: 'linux',
  })
  expect(found.map(({ name }) => name)).toEqual(['amp', 'cursor', 'windsurf'])
})
