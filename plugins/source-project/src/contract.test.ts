import { SharedReads } from '@skills/files'
import { fileSourceContract } from '@skills/testing'
import { testContract } from '@skills/testing/vitest'
import { projectSource } from './index.js'

testContract(
  'projectSource()',
  fileSourceContract({
    root: 'repo/.claude/skills',
    provider: () => projectSource(),
    host: tree => ({ cwd: `${tree}/repo` }),
  }),
)

testContract(
  'projectSource() of an additional folder',
  fileSourceContract({
    root: 'more/.claude/skills',
    provider: tree => projectSource({ additional: [`${tree}/more`] }),
    host: tree => ({ cwd: `${tree}/repo` }),
  }),
)

testContract(
  'projectSource() with shared reads',
  fileSourceContract({
    root: 'repo/.claude/skills',
    provider: () => projectSource({ sharedReads: new SharedReads() }),
    host: tree => ({ cwd: `${tree}/repo` }),
  }),
)
