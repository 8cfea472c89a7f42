import { createSkills, type CatalogEntry } from '@skills/core'
import { defineField } from '@skills/core/fields'
import { Invoker } from '@skills/invocation'
import { enginePort } from '@skills/invocation/skill-tool'
import { fakeHost, tempTree, type TempTree } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'
import { loadConfiguration, loadDistribution } from './configuration.js'
import { distributionNamed, type LoadedDistribution } from './distribution-named.js'
import { openState } from './trust.js'

/** Plugin as its author writes it, without imports of ours: a field, a folder, a context, a kind and a listing. */
const acme = `
export const base = 'standard'
const teams = { name: 'teams', property: 'teams', type: 'names', asks: false, default: 'none', readers: 'acme', effect: '' }
const listing = {
  kind: 'strategy',
  id: 'by-team',
  contract: 1,
  setup: () => ({
    order: entries => entries,
    lay: entries => ({
      text: entries.map(({ name }) => 'team skill ' + name).join('; '),
      entries: entries.map(({ name }) => ({ name, text: name, shown: 'name' })),
      omitted: [],
      truncated: [],
    }),
  }),
}
const queue = {
  kind: 'executor',
  id: 'queue',
  contract: 1,
  wants: ['desk'],
  setup: ctx => ({
    execute: async () => ({
      data: { success: true, status: 'inline' },
      newMessages: [{ type: 'user', content: await ctx.use('desk').first(one => one.greeting) }],
    }),
  }),
}
const desk = { kind: 'desk', id: 'front', contract: 1, setup: () => ({ greeting: 'At the front desk.' }) }
export default function acme(options, standard) {
  const { layout = {}, plugins = [], kinds = [] } = options
  const made = standard({
    ...options,
    project: { folders: ['.acme'] },
    layout: { ...layout, fields: { ...layout.fields, own: [teams] } },
    kinds: [...kinds, { kind: 'desk', arity: 'many', onFailure: 'isolate', limitMs: 1000 }],
    listing: { strategy: 'by-team' },
    plugins: [...plugins, listing, queue, desk],
  })
  return { ...made, acme: { slots: 3 } }
}
`

function place(more: Readonly<Record<string, string>> = {}): {
  readonly tree: TempTree
  readonly host: ReturnType<typeof fakeHost>
} {
  const tree = tempTree({
    'repo/.git/HEAD': '',
    'repo/.acme/skills/ship/SKILL.md': '---\ndescription: Ships.\nteams: [ops, web]\ncontext: queue\n---\nShip.',
    'repo/.claude/skills/other/SKILL.md': '---\ndescription: Other.\n---\nOther.',
    'home/.config/skills/acme.mjs': acme,
    ...more,
  })
  onTestFinished(() => tree.dispose())
  const host = fakeHost({ cwd: `${tree.path}/repo`, home: `${tree.path}/home`, env: {}, uid: process.getuid?.() })
  return { tree, host }
}

async function expectAcme(loaded: LoadedDistribution, host: ReturnType<typeof fakeHost>): Promise<void> {
  const distribution = (await distributionNamed(loaded))({
    host,
    managed: { dirs: [] },
    bundled: false,
    trust: { all: true },
    rules: { allow: ['Skill'] },
    onDiagnostic: () => {},
  })
  expect(distribution).toMatchObject({ acme: { slots: 3 } })
  const skills = createSkills(distribution)
  onTestFinished(() => skills.close())
  const { entries, errors } = await skills.catalog()
  const found = entries.filter(({ command }) => command.source === 'project')
  expect([found.map(({ name }) => name), errors]).toEqual([['ship'], []])
  const teams = defineField({ name: 'teams', type: 'names', asks: false })
  expect(teams.of((found[0] as CatalogEntry).command)).toEqual(['ops', 'web'])
  expect((await enginePort(skills, distribution.port).listing({})).text).toBe('team skill ship')
  const { newMessages } = await new Invoker(skills, distribution.invoker).invoke({ name: 'ship', caller: 'user' })
  expect(JSON.stringify(newMessages)).toContain('At the front desk.')
}

it('a distribution of a third party has a field, a folder, a context, a kind and a listing of its own', async () => {
  const { tree, host } = place()
  const state = openState(host, { report: () => {} })
  const loaded = await loadDistribution('./acme.mjs', host, { state, folder: `${tree.path}/home/.config/skills` })
  if (!('make' in loaded)) throw new Error("It is the user's own.")
  expect(loaded.name).toBe('./acme.mjs')
  await expectAcme(loaded, host)
})

it('a configuration names it', async () => {
  const { host } = place({
    'home/.config/skills/skills.config.json':
      '{ "$schema": "./skills.config.schema.json", "distribution": "./acme.mjs" }',
  })
  const { distribution, diagnostics } = await loadConfiguration(host, { state: openState(host, { report: () => {} }) })
  expect(diagnostics).toEqual([])
  await expectAcme(distribution as LoadedDistribution, host)
})
