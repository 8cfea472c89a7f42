// #region usage
import { createSkills } from '@skills/core'
import { fileSource } from '@skills/files/source'

/** Makes a source for the skills that a team keeps in one shared folder. */
function teamSource(folder: string) {
  return fileSource({
    id: 'team',
    source: 'team',
    layout: { walk: 'flat' },
    roots: host => ({ roots: [{ path: `${folder}/skills`, within: [folder] }, { path: `${host.home}/.team/skills` }] }),
  })
}

async function listTeamSkills(folder: string) {
  const skills = createSkills({
    plugins: [teamSource(folder)],
    onDiagnostic: ({ message }) => process.emitWarning(message),
  })
  try {
    const { entries } = await skills.catalog()
    return entries.map(({ name, command }) => `${name}: ${command.description}`)
  } finally {
    await skills.close()
  }
}
// #endregion usage

// #region watch
import { watchSkills } from '@skills/files/source'

/** Reports each change until the engine is closed. */
async function watchTeamSkills(folder: string, tell: (change: string) => void) {
  const onDiagnostic = ({ message }: { readonly message: string }): void => process.emitWarning(message)
  const skills = createSkills({ plugins: [teamSource(folder)], onDiagnostic })
  skills.hook('skills:changed', ({ added, removed, changed }) => tell([...added, ...removed, ...changed].join(', ')))
  await watchSkills(skills, { onDiagnostic })
  return skills
}
// #endregion watch

import { expect, it } from 'vitest'
import { temporary } from '../../test/load.js'

it('is a source as the README shows', async () => {
  const { path } = temporary({
    'skills/deploy/SKILL.md': '---\ndescription: Ships it.\n---\n',
    'skills/lint/SKILL.md': '# Lint\n',
  })
  expect(await listTeamSkills(path)).toEqual(['deploy: Ships it.', 'lint: Lint'])
})

it('is watched as the README shows', async () => {
  const { path, write } = temporary({ 'skills/deploy/SKILL.md': 'Ships it.' })
  let tell: (change: string) => void = () => {}
  const told = new Promise<string>(resolve => {
    tell = resolve
  })
  const skills = await watchTeamSkills(path, change => tell(change))
  write({ 'skills/lint/SKILL.md': 'Lints.' })
  expect(await told).toBe('lint')
  await skills.close()
})
