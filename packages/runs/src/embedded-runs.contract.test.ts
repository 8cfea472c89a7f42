import { embeddedRuns } from '@skills/runs'
import { tempTree } from '@skills/testing'
import { testRuns } from '@skills/testing/vitest'

testRuns('runs in a folder', () => {
  const tree = tempTree({})
  const dir = `${tree.path}/runs`
  const host = { uid: process.getuid?.() }
  return { provider: embeddedRuns({ dir }), other: embeddedRuns({ dir }), host, dispose: () => tree.dispose() }
})
