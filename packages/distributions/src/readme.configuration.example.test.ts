// #region configuration
import { createSkills, processHost } from '@skills/core'
import { distributionNamed } from '@skills/distributions'
import { loadConfiguration } from '@skills/distributions/configuration'
import { openState } from '@skills/distributions/trust'

async function configured(cwd: string, home: string) {
  const host = processHost({ cwd, home })
  const report = ({ message }: { readonly message: string }): void => process.emitWarning(message)
  const {
    distribution = 'standard',
    options,
    diagnostics,
  } = await loadConfiguration(host, { state: openState(host, { report }) })
  diagnostics.forEach(report)
  const make = await distributionNamed(distribution)
  return createSkills(make({ host, onDiagnostic: report, ...options }))
}
// #endregion configuration

import { writeFileSync } from 'node:fs'
import { tempTree } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'

it('takes over what configuration files say', async () => {
  const { path, dispose } = tempTree({
    'home/.config/skills/skills.config.json': '{ "overrides": { "release": "off" } }',
    'repo/.git/HEAD': '',
    'repo/.claude/skills/deploy/SKILL.md': '---\ndescription: Ships it.\n---\nShip to $0.',
    'repo/.claude/skills/release/SKILL.md': '---\ndescription: Releases.\n---\nRelease.',
  })
  onTestFinished(dispose)
  const skills = await configured(`${path}/repo`, `${path}/home`)
  onTestFinished(() => skills.close())
  expect((await skills.catalog()).disabled.map(({ name }) => name)).toEqual(['release'])
  writeFileSync(`${path}/home/.config/skills/skills.config.json`, '{ "distribution": "claude-code-classic" }')
  const others = await configured(`${path}/repo`, `${path}/home`)
  onTestFinished(() => others.close())
  expect((await others.explain('deploy')).notes.map(({ text }) => text)).toContainEqual(
    expect.stringMatching(/"deploy", .* asked: /),
  )
})
