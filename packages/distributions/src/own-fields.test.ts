import { expect, onTestFinished, test } from 'vitest'
import { createSkills } from '@skills/core'
import { defineField } from '@skills/core/fields'
import { lintCatalog, setFields } from '@skills/inspect'
import { firstUnsafeField } from '@skills/invocation'
import { tempTree } from '@skills/testing'
import { standard } from './agents/standard/index.js'

const owner = defineField({ name: 'owner', type: 'names', asks: false, effect: 'who answers for it' })
const target = defineField({ name: 'target', type: 'word', choices: { test: 'test', live: 'live' }, asks: true })

function engineWith(files: Readonly<Record<string, string>>) {
  const tree = tempTree({ 'home/.keep': '', 'work/.git/HEAD': '', ...files })
  const skills = createSkills(
    standard({
      host: { cwd: `${tree.path}/work`, home: `${tree.path}/home`, env: {} },
      fields: [owner],
      bundled: { skills: [{ name: 'coded', body: 'Text.', own: { owner: ['web'], target: 'live' } }] },
      // A plugin adds a field.
      plugins: [{ kind: 'gate', id: 'targets', fields: [target], setup: () => ({ rules: () => ({}) }) }],
      onDiagnostic: () => {},
    }),
  )
  onTestFinished(async () => {
    await skills.close()
    tree.dispose()
  })
  return skills
}

test('a field of a host or a plugin is given to the engine once, and reaches what a field of the table reaches', async () => {
  const skills = engineWith({
    'home/.claude/skills/ours/SKILL.md': '---\ndescription: Does it.\nowner: ops, web\ntarget: live\n---\nText.\n',
    'home/.claude/skills/wrong/SKILL.md': '---\ndescription: Does it.\ntarget: other\n---\nText.\n',
  })
  const catalog = await skills.catalog()
  for (const [name, owners] of [
    ['ours', ['ops', 'web']],
    ['coded', ['web']],
  ] as const) {
    const { command } = catalog.require(name)
    expect([owner.of(command), target.of(command)]).toEqual([owners, 'live'])
    expect(setFields(command)).toEqual(
      expect.arrayContaining([
        { name: 'owner', value: owners },
        { name: 'target', value: 'live' },
      ]),
    )
    expect(command.type === 'prompt' && firstUnsafeField(command)).toBe('target')
  }
  expect(catalog.errors).toMatchObject([{ name: 'wrong', code: 'invalid-choice', field: 'target' }])
  const linted = await lintCatalog(catalog, { fields: { words: skills.words } })
  expect(linted.files.flatMap(({ diagnostics }) => diagnostics.map(({ code, field }) => [code, field]))).toEqual([
    ['invalid-choice', 'target'],
  ])
})

test('a skill in code whose field of the host is of the wrong sort is left out', async () => {
  const skills = createSkills(
    standard({
      host: { cwd: '/x', home: '/x', env: {} },
      fields: [target],
      bundled: { skills: () => [{ name: 'coded', body: 'Text.', own: { target: 'other' } }] },
      onDiagnostic: () => {},
    }),
  )
  onTestFinished(() => skills.close())
  expect((await skills.catalog()).errors).toMatchObject([{ code: 'invalid-bundled-skill', name: 'coded' }])
})
