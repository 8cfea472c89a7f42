import { fileSource } from '@skills/files/source'
import { fileSourceContract } from '@skills/testing'
import { testContract } from '@skills/testing/vitest'

for (const walk of ['flat', 'deep'] as const) {
  testContract(
    `fileSource() with a ${walk} walk`,
    fileSourceContract({
      root: 'skills',
      provider: tree =>
        fileSource({
          id: 'files',
          source: 'user',
          layout: { walk },
          roots: () => ({ roots: [{ path: `${tree}/skills` }] }),
        }),
    }),
  )
}

testContract(
  'fileSource() of the second of two roots, inside a folder that links must not leave',
  fileSourceContract({
    root: 'in/group/skills',
    provider: tree =>
      fileSource({
        id: 'files',
        source: 'user',
        roots: () => ({
          roots: [
            { path: `${tree}/nowhere` },
            { path: `${tree}/in/group/skills`, within: [`${tree}/in`], hasSidecars: true },
          ],
        }),
      }),
  }),
)
