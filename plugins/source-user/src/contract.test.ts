import { fileSourceContract } from '@skills/testing'
import { testContract } from '@skills/testing/vitest'
import { userSource } from './index.js'

testContract(
  'userSource()',
  fileSourceContract({ root: '.claude/skills', provider: () => userSource(), host: home => ({ home }) }),
)
