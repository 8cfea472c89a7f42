import { tempTree } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
// #region compat
import { processHost } from '@skills/core'
import { agentsNamed } from '@skills/distributions/agents'
import { compat } from '@skills/inspect/compat'

/** Prints which of the skills here Codex and pi do not find, and what would change it. */
async function lost(cwd: string, print: (line: string) => void): Promise<void> {
  const [reference, ...agents] = await agentsNamed(['standard', 'codex', 'pi'])
  if (reference === undefined) return
  const { skills } = await compat({ reference, agents, host: processHost({ cwd }) })

  for (const { name, agents: all } of skills)
    for (const { agent, found, change } of all)
      if (found !== 'here') print(`${agent}: ${name} is ${found}. ${change?.text ?? ''}`)
}
// #endregion compat

test('the agents of the README tell what they lose', async () => {
  const tree = tempTree({
    '.git/HEAD': '',
    '.claude/skills/deploy/SKILL.md': '---\nname: deploy\ndescription: Ships it.\n---\nShip it.\n',
  })
  onTestFinished(() => tree.dispose())
  const lines: string[] = []
  await lost(tree.path, line => lines.push(line))
  expect(lines).toContainEqual(expect.stringMatching(/^codex: deploy is elsewhere\. .* \.agents\/skills\/deploy\.$/))
})
