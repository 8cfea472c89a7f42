// #region own
import { claudeCode } from '@skills/distributions/claude-code'
import type { Distribution, DistributionOptions } from '@skills/distributions'

/** Makes `claude-code` with descriptions of twice the length, and without embedded commands and the skill release. */
function house(options: DistributionOptions): Distribution {
  const { rules: { deny = [], ...rules } = {} } = options
  return claudeCode({
    ...options,
    listing: { maxDescription: 500, ...options.listing },
    shell: false,
    rules: { ...rules, deny: [...deny, 'Skill(release)'] },
  })
}
// #endregion own

import { createSkills } from '@skills/core'
import { Invoker } from '@skills/invocation'
import { enginePort } from '@skills/invocation/skill-tool'
import { tempTree } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'

it('changes what the README says of a distribution, and nothing else', async () => {
  const text = 'x'.repeat(400)
  const { path, dispose } = tempTree({
    home: { dir: true },
    'repo/.git': { dir: true },
    'repo/.claude/skills/deploy/SKILL.md': `---\ndescription: ${text}\n---\nShip $0 !\`date\``,
    'repo/.claude/skills/group/deep/SKILL.md': 'Too deep.',
    'repo/.claude/skills/release/SKILL.md': '---\ndescription: Releases.\n---\nRelease.',
    'repo/.claude/skills/hire/SKILL.md': '---\ndescription: Hires.\n---\nHire.',
  })
  onTestFinished(dispose)
  const distribution = house({
    host: { cwd: `${path}/repo`, home: `${path}/home`, env: {} },
    trust: { all: true },
    rules: { deny: ['Skill(hire)'] },
    onDiagnostic: ({ message }) => expect.fail(message),
  })
  const skills = createSkills(distribution)
  onTestFinished(() => skills.close())
  const invoker = new Invoker(skills, { ...distribution.invoker, onAsk: () => 'allow' })
  expect((await enginePort(skills, { ...distribution.port, invoker }).listing({})).text).toContain(
    `- deploy: ${text}\n`,
  )
  expect(await skills.catalog()).toMatchObject({ size: 3 })
  expect(JSON.stringify(await invoker.run('/deploy staging'))).toContain('Ship staging !`date`')
  await expect(invoker.run('/release')).rejects.toMatchObject({ code: 'E_DENIED' })
  await expect(invoker.run('/hire')).rejects.toMatchObject({ code: 'E_DENIED' })
})
