// #region usage
import { createSkills } from '@skills/core'
import { managedSource, type ManagedSourceOptions } from '@skills/source-managed'

async function managedSkills(options?: ManagedSourceOptions) {
  const skills = createSkills({
    plugins: [managedSource(options)],
    onDiagnostic: ({ message, hint = '' }) => process.emitWarning(`${message} ${hint}`),
  })
  try {
    const catalog = await skills.catalog()
    return [...catalog.entries, ...catalog.disabled].map(({ name, barred = 'active' }) => `${name}: ${barred}`)
  } finally {
    await skills.close()
  }
}
// #endregion usage

import { expect, it } from 'vitest'
import { owner, withPolicy } from '../test/engine.js'

it('gives the skills that a machine manages, as the README shows', async () => {
  const { path } = withPolicy(
    { disabledSkills: ['b'] },
    { 'managed/.claude/skills/a/SKILL.md': 'a', 'managed/.claude/skills/b/SKILL.md': 'b' },
  )
  expect(await managedSkills({ dirs: [`${path}/managed`], owner })).toEqual([
    'a: active',
    `b: The policy ${path}/managed/managed-settings.json names "b" among its disabled skills.`,
  ])
})
