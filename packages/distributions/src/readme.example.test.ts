// #region usage
import { createSkills } from '@skills/core'
import { standard } from '@skills/distributions'

async function deployInstructions(cwd: string, home: string, signal: AbortSignal) {
  const skills = createSkills(standard({
    host: { cwd, home },
    overrides: { 'old-deploy': 'off' },
    onDiagnostic: ({ message }) => process.emitWarning(message),
  }))
  try {
    const { command } = (await skills.catalog()).require('deploy')
    return command.type === 'prompt' ? await command.load('', { signal }) : undefined
  } finally {
    await skills.close()
  }
}
// #endregion usage

import { tempTree } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'

it('finds and reads a skill as the README shows', async () => {
  const tree = tempTree({ 'repo/.git/HEAD': '', 'repo/.claude/skills/deploy/SKILL.md': '---\ndescription: Ships it.\n---\nShip now.', 'repo/.claude/skills/old-deploy/SKILL.md': 'Old.' })
  onTestFinished(() => tree.dispose())
  expect(await deployInstructions(`${tree.path}/repo`, tree.path, new AbortController().signal)).toEqual({ template: 'Ship now.' })
})
