import { createSkills, defineProvider, loadResult, type Diagnostic } from '@skills/core'
import { expect, test } from 'vitest'
import { onUse } from './parts.js'

test.each([
  [undefined, undefined, []],
  [1, undefined, []],
  [
    2,
    undefined,
    [/written for version 2 of the kind "source", but this distribution needs version 1\. Update @skills/],
  ],
  [undefined, 2, [/written for version 2 of the kind "source", but this engine supports version 1\./]],
])('a package of version %s, expected as %s, is asked by the version that it says', async (own, expected, refusals) => {
  const told: Diagnostic[] = []
  let setUps = 0
  const skills = createSkills({
    plugins: [
      onUse({ kind: 'source', id: 'late', ...(expected && { contract: expected }) }, async () =>
        defineProvider({
          kind: 'source',
          id: 'late',
          ...(own && { contract: own }),
          setup() {
            setUps++
            return { source: 'user', list: () => loadResult({}) }
          },
        }),
      ),
    ],
    onDiagnostic: diagnostic => void told.push(diagnostic),
  })
  await skills.catalog()
  expect(told.map(({ code, message }) => [code, message])).toEqual(
    refusals.map(refusal => ['provider-contract', expect.stringMatching(refusal)]),
  )
  expect(setUps).toBe(1 - refusals.length)
  await skills.close()
})
