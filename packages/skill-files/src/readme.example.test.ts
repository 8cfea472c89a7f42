// #region usage
import { createSkills } from '@skills/core'
import { fileSource } from '@skills/skill-files'

/** A source of its own: the skills that a team keeps in one shared folder. */
function teamSource(folder: string) {
  return fileSource({
    id: 'team', source: 'team', layout: { walk: 'flat' },
    roots: host => ({ roots: [{ path: `${folder}/skills`, within: [folder] }, { path: `${host.home}/.team/skills` }] }),
  })
}

async function listTeamSkills(folder: string) {
  const skills = createSkills({ plugins: [teamSource(folder)], onDiagnostic: ({ message }) => process.emitWarning(message) })
  try {
    const { entries } = await skills.catalog()
    return entries.map(({ name, command }) => `${name}: ${command.description}`)
  } finally {
    await skills.close()
  }
}
// #endregion usage

import { expect, it } from 'vitest'
import { temporary } from '../test/load.js'

it('is a source as the README shows', async () => {
  const { path } = temporary({ 'skills/deploy/SKILL.md': '---\ndescription: Ships it.\n---\n', 'skills/lint/SKILL.md': '# Lint\n' })
  expect(await listTeamSkills(path)).toEqual(['deploy: Ships it.', 'lint: Lint'])
})
