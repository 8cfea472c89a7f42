import { fileSourceContract } from '@skills/testing'
import { testContract } from '@skills/testing/vitest'
import { managedSource } from './index.js'
import { owner } from '../test/engine.js'

testContract(
  'managedSource()',
  fileSourceContract({
    root: 'managed/.claude/skills',
    provider: tree => managedSource({ dirs: [`${tree}/managed`], owner })[0],
  }),
)
