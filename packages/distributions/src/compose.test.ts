import { createSkills, type Skills } from '@skills/core'
import { fakeClock, fakeHost, tempTree, type TreeEntries } from '@skills/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { claudeCodeClassic } from './agents/claude-code-classic/index.js'
import { cocode } from './agents/cocode/index.js'
import { distributionNamed } from './distribution-named.js'
import { mini } from './agents/mini/index.js'
import { opencode } from './agents/opencode/index.js'
import type { DistributionOptions, MakeDistribution } from './index.js'

function engineOver(
  entries: TreeEntries,
  make: MakeDistribution,
  options: Partial<DistributionOptions> = {},
): { readonly skills: Skills; readonly path: string } {
  const tree = tempTree({ 'home/.keep': '', 'repo/.git/HEAD': '', ...entries })
  onTestFinished(() => tree.dispose())
  const host = fakeHost({
    cwd: `${tree.path}/repo`,
    home: `${tree.path}/home`,
    env: {},
    uid: process.getuid?.(),
    clock: fakeClock(Date.now() + 60_000),
  })
  const skills = createSkills(make({ host, managed: { dirs: [] }, bundled: false, onDiagnostic: () => {}, ...options }))
  onTestFinished(() => skills.close())
  return { skills, path: tree.path }
}

async function namesOf(skills: Skills): Promise<readonly string[]> {
  return (await skills.catalog()).entries.map(({ name }) => name)
}

describe('options are put over those of a distribution one by one', () => {
  const entries = {
    'repo/.claude/skills/one/SKILL.md':
      '---\ndescription: One.\nhooks: x\ndisable-model-invocation: yes\nallowed-tools: Read Write, Edit\n---\nOne.',
  }

  it('also the fields of its layout', async () => {
    const { skills } = engineOver(entries, claudeCodeClassic, { layout: { fields: { limits: { description: 3 } } } })
    const { entries: found, errors, warnings } = await skills.catalog()
    // Its other own rules still apply: hooks are not a field, a word for true switches a field on, and its list
    // separators.
    expect(errors).toEqual([])
    expect(found).toMatchObject([
      { name: 'one', command: { disableModelInvocation: true, allowedTools: ['Read Write', 'Edit'] } },
    ])
    expect(warnings.map(({ code }) => code)).toContain('description-too-long')
  })

  it('where it has none, those that are given', async () => {
    const { skills } = engineOver(entries, await distributionNamed('standard'), {
      layout: { fields: { only: ['name', 'description'] } },
    })
    expect((await skills.catalog()).errors).toEqual([])
  })
})

describe('an object switches on what a distribution has not', () => {
  const nested = {
    'repo/web/.claude/skills/nested/SKILL.md': '---\nname: nested\ndescription: Nested.\n---\nNested.',
    'repo/web/page.ts': '',
  }

  it.each<[string, MakeDistribution]>([
    ['claude-code-classic', claudeCodeClassic],
    ['opencode', opencode],
    ['mini', mini],
    ['cocode', cocode],
  ])('as folders further down in %s', async (_, make) => {
    const { skills, path } = engineOver(nested, make, { activation: {} })
    expect(await namesOf(skills)).toEqual([])
    await skills.emit('file:touched', { paths: [`${path}/repo/web/page.ts`] })
    expect(await namesOf(skills)).toEqual(['nested'])
  })

  it.each<[string, false | undefined]>([
    ['switched off', false],
    ['not named', undefined],
  ])('but not what is %s', async (_, activation) => {
    const { skills, path } = engineOver(nested, opencode, { activation })
    await skills.catalog()
    await skills.emit('file:touched', { paths: [`${path}/repo/web/page.ts`] })
    expect(await namesOf(skills)).toEqual([])
  })
})
