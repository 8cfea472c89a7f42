// #region shared-reads
import { createSkills } from '@skills/core'
import { distributionNamed, SharedReads } from '@skills/distributions'

async function openAll(names: readonly string[], cwd: string, home: string, sharedReads: SharedReads) {
  const makers = await Promise.all(names.map(distributionNamed))
  return makers.map(make =>
    createSkills(
      make({ host: { cwd, home }, sharedReads, onDiagnostic: ({ message }) => process.emitWarning(message) }),
    ),
  )
}
// #endregion shared-reads

import { tempTree } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'

it('reads a skill once for two engines, as the README shows', async () => {
  const tree = tempTree({
    'home/.keep': '',
    'repo/.claude/skills/one/SKILL.md': '---\nname: one\ndescription: Does one.\n---\nText.',
  })
  onTestFinished(() => tree.dispose())
  const sharedReads = new SharedReads({ now: () => Date.now() + 60_000 })
  for (const skills of await openAll(['mini', 'opencode'], `${tree.path}/repo`, `${tree.path}/home`, sharedReads)) {
    onTestFinished(() => skills.close())
    expect((await skills.catalog()).get('one')?.command.description).toBe('Does one.')
  }
  expect([sharedReads.filesRead, sharedReads.filesShared]).toEqual([1, 1])
})
