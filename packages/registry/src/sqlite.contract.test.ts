import { afterAll, describe } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { testRegistry } from '../test/registry-contract.js'
import { testRegistrySource } from '../test/source-contract.js'
import { openRegistry } from './open-registry.js'

const trees: TempTree[] = []
afterAll(() => trees.forEach(tree => tree.dispose()))

describe('SQLite', () => {
  testRegistry(
    async () => {
      const tree = tempTree({})
      trees.push(tree)
      return () => openRegistry({ at: `${tree.path}/registry.db`, create: true, now: () => 1_000 })
    },
    { manyVersions: 10_000 },
  )

  testRegistrySource(async () => {
    const tree = tempTree({})
    trees.push(tree)
    return openRegistry({ at: `${tree.path}/registry.db`, create: true })
  })
})
