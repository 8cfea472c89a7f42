// #region distribution
import { createSkills } from '@skills/core'
import { distributionNamed } from '@skills/distributions'
import { Invoker } from '@skills/invocation'
import { enginePort, skillTool } from '@skills/invocation/skill-tool'

async function openAs(name: string, cwd: string, home: string) {
  const make = await distributionNamed(name)
  const distribution = make({
    host: { cwd, home },
    listing: { escape: 'angles' },
    onDiagnostic: ({ message }) => process.emitWarning(message),
  })
  const skills = createSkills(distribution)
  const invoker = new Invoker(skills, distribution.invoker)
  const port = enginePort(skills, { ...distribution.port, invoker })
  return { skills, invoker, port, tool: await skillTool(port, distribution.tool) }
}
// #endregion distribution

import { tempTree } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'

it('opens the distribution that is named, as the README shows', async () => {
  const tree = tempTree({
    'home/.keep': '',
    'repo/.claude/skills/one/SKILL.md': '---\nname: one\ndescription: Does one.\n---\nText.',
  })
  onTestFinished(() => tree.dispose())
  const { skills, invoker, tool } = await openAs('mini', `${tree.path}/repo`, `${tree.path}/home`)
  onTestFinished(() => skills.close())
  expect(tool.name).toBe('skill')
  expect((await invoker.run('/one'))?.map(({ newMessages }) => newMessages)).toEqual([
    [{ type: 'user', content: 'Text.' }],
  ])
})
