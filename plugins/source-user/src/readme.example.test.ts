/* oxlint-disable no-restricted-imports -- the README imports the package by its name, as its readers do */
// #region usage
import { createSkills, processHost } from '@skills/core'
import { userSource } from '@skills/source-user'

async function userSkills(home: string) {
  const skills = createSkills({
    host: processHost({ home, env: {} }),
    plugins: [userSource({ folders: ['.claude', '.agents', '.codex'] })],
    onDiagnostic: ({ message }) => process.emitWarning(message),
  })
  try {
    return (await skills.catalog()).entries.map(({ name }) => name)
  } finally {
    await skills.close()
  }
}
// #endregion usage

import { tempTree } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'

it('gives the skills of a home folder as the README shows', async () => {
  const tree = tempTree({ '.claude/skills/a/SKILL.md': 'a', '.codex/skills/b/SKILL.md': 'b' })
  onTestFinished(() => tree.dispose())
  expect(await userSkills(tree.path)).toEqual(['a', 'b'])
})
