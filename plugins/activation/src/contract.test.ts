import { mkdirSync } from 'node:fs'
import { fileSourceContract } from '@skills/testing'
import { testContract } from '@skills/testing/vitest'
import { nestedSource } from './nested-source.js'

testContract(
  'the nested source',
  fileSourceContract({
    root: 'repo/apps/web/.claude/skills',
    host: tree => ({ cwd: `${tree}/repo`, uid: process.getuid?.() }),
    provider(tree) {
      // A touched file lies in an existing folder, with or without skills in it.
      mkdirSync(`${tree}/repo/apps/web`, { recursive: true })
      return nestedSource({ touched: [`${tree}/repo/apps/web/x.ts`] })
    },
  }),
)
