/* oxlint-disable no-restricted-imports -- the README imports the package by its name, as its readers do */
// #region usage
import { createSkills, processHost } from '@skills/core'
import { projectSource } from '@skills/source-project'

async function projectSkills(cwd: string, sharedFolder: string) {
  const skills = createSkills({
    host: processHost({ cwd }),
    plugins: [projectSource({ folders: ['.claude', '.github'], additional: [sharedFolder] })],
    onDiagnostic: ({ message }) => process.emitWarning(message),
  })
  try {
    return (await skills.catalog()).entries.map(({ name, command }) => `${name} (${command.source})`)
  } finally {
    await skills.close()
  }
}
// #endregion usage

import { tempTree } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'

it('gives the skills of a project as the README shows', async () => {
  const tree = tempTree({
    'repo/.git/HEAD': '',
    'repo/.github/skills/a/SKILL.md': 'a',
    'repo/src/x': '',
    'shared/.claude/skills/b/SKILL.md': 'b',
  })
  onTestFinished(() => tree.dispose())
  expect(await projectSkills(`${tree.path}/repo/src`, `${tree.path}/shared`)).toEqual(['a (project)', 'b (additional)'])
})
