import { createSkills, defineProvider, type Provider } from '@skills/core'
import { enginePort, type EnginePortOptions } from '@skills/invocation/skill-tool'
import { tempTree } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'
import { distributionNamed } from './distribution-named.js'

async function listed(
  name: string,
  rules: object,
  options: EnginePortOptions = {},
  { rules: provider, agentId }: { rules?: Provider<'permission'>; agentId?: string | undefined } = {},
): Promise<readonly string[]> {
  const skill = (text: string): string => `---\nname: ${text}\ndescription: About ${text}.\n---\nB`
  const tree = tempTree({
    home: { dir: true },
    'repo/.git/HEAD': '',
    'repo/.claude/skills/ship/SKILL.md': skill('ship'),
    'repo/.claude/skills/other/SKILL.md': skill('other'),
  })
  onTestFinished(() => tree.dispose())
  const distribution = (await distributionNamed(name))({
    host: { cwd: `${tree.path}/repo`, home: `${tree.path}/home`, env: {} },
    bundled: false,
    rules,
    ...(provider && { permission: provider }),
    onDiagnostic: () => {},
  })
  const skills = createSkills(distribution)
  onTestFinished(() => skills.close())
  const { entries } = await enginePort(skills, { ...distribution.port, ...options }).listing(agentId ? { agentId } : {})
  return entries.map(({ name: one }) => one)
}

it('leaves a skill that a rule denies out of the listing in standard, for every agent', async () => {
  expect(await listed('standard', {})).toEqual(['other', 'ship'])
  expect(await listed('standard', { deny: ['Skill(ship)'] })).toEqual(['other'])
  expect(await listed('standard', { deny: ['Skill'] })).toEqual([])
  expect(await listed('standard', { deny: ['Bash(ls:*)'], ask: ['Skill(ship)'] })).toEqual(['other', 'ship'])
  expect(
    await listed('standard', { wildcards: [{ source: 'host', map: { skill: { '*': 'allow', ship: 'deny' } } }] }),
  ).toEqual(['other'])
})

it('is listed where a host wants that, and where an agent does so', async () => {
  expect(await listed('standard', { deny: ['Skill(ship)'] }, { leavesOutDenied: false })).toEqual(['other', 'ship'])
  expect(await listed('claude-code', { deny: ['Skill(ship)'] })).toEqual(['other', 'ship'])
})

it('is asked of the rules once for a listing of an agent that is named in opencode, and about no skill by itself', async () => {
  const asked: (readonly string[])[] = []
  const rules = defineProvider({
    kind: 'permission',
    id: 'rules',
    setup: () => ({
      check: () => {
        throw new Error('No skill is asked about by itself.')
      },
      denied(entries) {
        asked.push(entries.map(({ name }) => name))
        return new Set(entries.filter(({ name }) => name === 'ship'))
      },
    }),
  })
  const listedTo = (agentId?: string) => listed('opencode', {}, {}, { rules, agentId })
  expect(await listedTo()).toEqual(['other', 'ship'])
  expect(asked).toEqual([])
  expect(await listedTo('helper')).toEqual(['other'])
  expect(asked).toEqual([['other', 'ship']])
})

it('asks the rules in hand, as they stand', async () => {
  const { permissionRules } = await import('@skills/permission-rules')
  const permission = permissionRules()
  const tree = tempTree({
    home: { dir: true },
    'repo/.git/HEAD': '',
    'repo/.claude/skills/ship/SKILL.md': '---\ndescription: Ships.\n---\nB',
  })
  onTestFinished(() => tree.dispose())
  const { standard } = await import('./agents/standard/index.js')
  const skills = createSkills(
    standard({
      host: { cwd: `${tree.path}/repo`, home: `${tree.path}/home`, env: {} },
      bundled: false,
      permission,
      onDiagnostic: () => {},
    }),
  )
  onTestFinished(() => skills.close())
  const port = enginePort(skills)
  const names = async (): Promise<readonly string[]> => (await port.listing({})).entries.map(({ name }) => name)
  expect(await names()).toEqual(['ship'])
  permission.addRules({ behavior: 'deny', rules: ['Skill(ship)'] })
  expect(await names()).toEqual([])
  permission.removeRules({ behavior: 'deny', rules: ['Skill(ship)'] })
  expect(await names()).toEqual(['ship'])
})
