/* oxlint-disable no-restricted-imports -- the README imports the package by its name, as its readers do */
// #region usage
import { createSkills } from '@skills/core'
import { bundledSource, type BundledSkill } from '@skills/source-bundled'

const migrate: BundledSkill = {
  name: 'migrate',
  description: 'Writes a migration. Use when a table is added, renamed or dropped.',
  argumentHint: '[table]',
  body: 'Write a migration for $ARGUMENTS by references/rules.md in the folder of this skill.',
  files: { 'references/rules.md': '# Rules\n\nNever drop a column that is still read.\n' },
}

const status: BundledSkill = {
  name: 'status',
  description: 'Tells what this program is doing.',
  isEnabled: () => process.uptime() > 0,
  getPrompt: async args => [{ type: 'text', text: `It runs for ${Math.round(process.uptime())} s. ${args}` }],
}

function engine() {
  return createSkills({
    plugins: [bundledSource({ skills: [migrate, status] })],
    onDiagnostic: ({ message }) => process.emitWarning(message),
  })
}
// #endregion usage

import { expect, it, onTestFinished } from 'vitest'
import { engineOf, temporary } from '../test/bundled.js'

it('has a skill that is expanded and one that code makes, as the README shows', async () => {
  const skills = engine()
  onTestFinished(() => skills.close())
  expect((await skills.catalog()).entries.map(({ name }) => name)).toEqual(['migrate', 'status'])
  const { load } = engineOf([migrate, status], { cacheDir: `${temporary().path}/cache` })
  expect(await load('migrate')).toEqual({ template: migrate.body })
  expect(await load('status', 'Soon.')).toEqual({
    blocks: [{ type: 'text', text: expect.stringMatching(/^It runs for \d+ s\. Soon\.$/) }],
  })
})
