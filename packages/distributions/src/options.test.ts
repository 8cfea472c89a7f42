import { createSkills, type Diagnostic } from '@skills/core'
import { Invoker } from '@skills/invocation'
import { tempTree } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'
import { listingOver } from './parts.js'
import { standard, type StandardOptions } from './agents/standard/index.js'

function engine(options: object) {
  const tree = tempTree({
    home: { dir: true },
    'repo/.git/HEAD': '',
    'repo/.claude/skills/deploy/SKILL.md': '---\ndescription: Ships it.\n---\nShip.',
  })
  onTestFinished(() => tree.dispose())
  const told: Diagnostic[] = []
  const given: StandardOptions = {
    host: { cwd: `${tree.path}/repo`, home: `${tree.path}/home`, env: {} },
    onDiagnostic: one => void told.push(one),
    ...options,
  }
  return { told, open: () => createSkills(standard(given)) }
}

it.each<[object, string]>([
  [{ rules: { denied: ['Skill(deploy)'] } }, 'rules has no option "denied". Did you mean "deny"?'],
  [{ rules: ['Skill(deploy)'] }, 'The options of rules are a list. Give an object.'],
  [{ rules: { deny: 'Skill(deploy)' } }, 'The option "deny" of rules is "Skill(deploy)". It must be a list.'],
  [{ cwd: '/', home: '/' }, 'Distribution "standard" has no option "cwd". Did you mean "host: { cwd, home }"?'],
  [{ deny: [] }, 'Distribution "standard" has no option "deny". Did you mean "rules: { deny }"?'],
  [{ overides: {} }, 'Distribution "standard" has no option "overides". Did you mean "overrides"?'],
  [{ bundledFiles: {} }, 'Distribution "standard" has no option "bundledFiles". Did you mean "bundled"?'],
  [{ plugins: [{ kind: 'source', setup: () => ({}) }] }, 'A provider of the kind "source" has no id.'],
])('refuses %j at once', (options, message) => {
  expect(engine(options).open).toThrow(message)
})

it('says what has no effect yet, and may have later', async () => {
  const { told, open } = engine({
    rules: { deny: ['Skil(deploy)'] },
    precedence: ['projct'],
    overrides: { deplo: 'off' },
  })
  const skills = open()
  onTestFinished(() => skills.close())
  await skills.catalog()
  await new Invoker(skills, { onAsk: () => 'allow' }).run('/deploy')
  expect(told.map(({ code, hint }) => [code, hint]).toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))).toEqual([
    ['unknown-override', 'Did you mean "deploy"?'],
    ['unknown-precedence', undefined],
    ['unknown-tool-name', expect.stringContaining('"Skill"')],
  ])
})

it('refuses options of a part when it is first used', async () => {
  const skills = engine({ listing: { fracton: 0.5 } }).open()
  onTestFinished(() => skills.close())
  await expect(
    skills.use('formatter').first((formatter, call) => formatter.format([], {}, call)),
  ).rejects.toMatchObject({
    code: 'E_INVALID_OPTION',
    message: expect.stringContaining('Did you mean "fraction"?') as string,
  })
})

it('puts options of the listing over others so that each has its effect', () => {
  expect(listingOver({ strategy: 'proportional', maxDescription: 250 }, { minShare: 5 })).toMatchObject({
    strategy: 'proportional',
    maxDescription: 250,
    minShare: 5,
  })
  expect(listingOver({ strategy: 'proportional', maxDescription: 250 }, { strategy: 'xml' })).toEqual({
    strategy: 'xml',
  })
  expect(listingOver({ fraction: 0.5, minShare: 5 }, { budget: 100 })).toEqual({ budget: 100, minShare: 5 })
  expect(listingOver({ budget: 100 }, { fraction: 0.5 })).not.toHaveProperty('budget')
  expect(listingOver({ budget: 100 }, { minShare: 5 })).toEqual({ budget: 100, minShare: 5 })
})
