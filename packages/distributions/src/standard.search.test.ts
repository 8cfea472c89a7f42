import { createSkills } from '@skills/core'
import { Invoker } from '@skills/invocation'
import { enginePort, searchTool, skillTool } from '@skills/invocation/skill-tool'
import { fakeHost, tempTree } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'
import { distributionNamed } from './distribution-named.js'
import type { DistributionOptions } from './distribution.js'

const skill = (name: string, description: string, more = ''): string =>
  `---\nname: ${name}\ndescription: ${description}\n${more}---\nDo ${description}`

async function open(name: string, options: Partial<DistributionOptions> = {}) {
  const tree = tempTree({
    'home/.claude/skills/deploy/SKILL.md': skill('deploy', 'Ships mine.'),
    'repo/.git/HEAD': '',
    'repo/.claude/skills/deploy/SKILL.md': skill('deploy', 'Ships theirs.'),
    'repo/.claude/skills/release/SKILL.md': skill('release', 'Ships it to everybody.'),
    'repo/.claude/skills/check/SKILL.md': skill('check', 'Checks what ships.'),
    'repo/.claude/skills/hidden/SKILL.md': skill(
      'hidden',
      'Ships for people alone.',
      'disable-model-invocation: true\n',
    ),
    'repo/.claude/skills/styles/SKILL.md': skill('styles', 'Ships styles.', 'paths: "**/*.css"\n'),
  })
  onTestFinished(() => tree.dispose())
  const make = await distributionNamed(name)
  const distribution = make({
    host: fakeHost({ cwd: `${tree.path}/repo`, home: `${tree.path}/home`, uid: process.getuid?.() }),
    managed: { dirs: [] },
    bundled: false,
    onDiagnostic: () => {},
    ...options,
  })
  const skills = createSkills(distribution)
  onTestFinished(() => skills.close())
  const port = enginePort(skills, { ...distribution.port, invoker: new Invoker(skills, distribution.invoker) })
  const [search, tool] = [await searchTool(port), await skillTool(port, distribution.tool)]
  return {
    skills,
    port,
    search,
    tool,
    names: async (query: string) => (await search.call({ query })).data.results.map(one => one.name),
  }
}

it('finds what the model may invoke, and no skill that a rule denies', async () => {
  const { search, tool, names } = await open('standard', { rules: { deny: ['Skill(release)'], ask: ['Skill(check)'] } })
  expect(await names('ships')).toEqual(['deploy', 'project:deploy', 'check'])
  expect((await search.call({ query: 'everybody' })).data).toMatchObject({ total: 0 })
  expect(await tool.checkPermissions({ skill: 'release' })).toMatchObject({ behavior: 'deny' })
  // Its folder is not trusted, but the skill needs no permission: it is only read, so a yes has an effect.
  expect(await tool.checkPermissions({ skill: 'check' })).toMatchObject({
    behavior: 'ask',
    decisionReason: { type: 'rule', rule: 'Skill(check)' },
  })
})

it('explains a skill that goes by a qualified name as the listing has it', async () => {
  const { skills, port } = await open('standard')
  const listed = (await port.listing({})).text.split('\n').map(line => /^- (.*): /.exec(line)?.[1])
  const { answers } = await skills.explain('deploy')
  expect(answers.map(({ name, isListed }) => [name, isListed, listed.includes(name)])).toEqual([
    ['deploy', true, true],
    ['project:deploy', true, true],
  ])
})

it('gives names that invoke what was found, the qualified ones too', async () => {
  const { search, tool } = await open('standard')
  const { results } = (await search.call({ query: 'ships' })).data
  const texts = await Promise.all(
    results.map(async ({ name }) => JSON.stringify((await tool.call({ skill: name })).newMessages)),
  )
  expect(results.map(({ name, description }, at) => [name, texts[at]?.includes(`Do ${description}`)])).toEqual([
    ['deploy', true],
    ['project:deploy', true],
    ['check', true],
    ['release', true],
  ])
})

it('goes by the rules of another distribution: who is listed, and who is denied', async () => {
  const wildcards = [{ source: 'host', map: { skill: { '*': 'allow', release: 'deny' } } }] as const
  expect((await (await open('opencode', { rules: { files: [], wildcards } })).names('ships')).toSorted()).toEqual([
    'check',
    'deploy',
    'hidden',
    'styles',
  ])
  // The index does not know why a skill is hidden from the model, and does not ask the rules.
  expect((await (await open('mini')).names('ships')).toSorted()).toEqual([
    'check',
    'deploy',
    'hidden',
    'release',
    'styles',
  ])
})
