import { createSkills, loadResult, promptCommand, type CatalogEntry, type Reason } from '@skills/core'
import { mini } from '@skills/distributions/mini'
import { opencode } from '@skills/distributions/opencode'
import { reasonsUnder } from '@skills/invocation/internal'
import { fakeHost } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import type { Distribution, DistributionOptions } from '@skills/distributions'

const flag: Reason = { cause: 'flag', text: 'It is a command, not a skill.' }
const gate: Reason = { cause: 'gate', text: 'It waits for *.css.' }
const command = promptCommand({ name: 'a', source: 'own', description: 'A.', load: () => ({ template: '' }) })

/** Returns the reasons for a skill of a test source. */
async function reasons(
  make: (options: DistributionOptions) => Distribution,
  given: readonly Reason[],
  options: Partial<DistributionOptions> = {},
  isListed?: (entry: CatalogEntry) => boolean,
): Promise<readonly Reason[]> {
  const made = make({
    host: fakeHost(),
    onDiagnostic: () => {},
    ...options,
    plugins: [
      { kind: 'source', id: 'own', setup: () => ({ source: 'own', list: () => loadResult({ commands: [command] }) }) },
    ],
  })
  const distribution: Distribution = isListed === undefined ? made : { ...made, port: { ...made.port, isListed } }
  const skills = createSkills(distribution)
  onTestFinished(() => skills.close())
  return reasonsUnder({ skills, distribution }, (await skills.catalog()).require('a'), given, undefined)
}

test('a flag is no reason for a distribution that passes over it, and everything else is', async () => {
  expect(await reasons(mini, [flag, gate])).toEqual([gate])
  expect(await reasons(mini, [])).toEqual([])
})

test('what a distribution does not list has a reason in any case', async () => {
  expect(await reasons(mini, [flag], {}, () => false)).toEqual([flag])
  expect(await reasons(mini, [], {}, () => false)).toEqual([{ cause: 'flag', text: expect.stringMatching(/^mini /) }])
})

test('a denial is a reason where the listing leaves out what is denied', async () => {
  const denied = { rules: { deny: ['Skill(a)'] } }
  expect(await reasons(opencode, [], denied)).toEqual([
    { cause: 'permission', text: expect.stringContaining('denies "a"') as string, source: 'options' },
  ])
  expect(await reasons(opencode, [], { rules: { ask: ['Skill(a)'] } })).toEqual([])
  expect(await reasons(mini, [], denied)).toEqual([])
})
