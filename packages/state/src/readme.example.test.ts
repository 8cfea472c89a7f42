// #region usage
import { createSkills, defineProvider, loadResult, type Host } from '@skills/core'
import { stateKind, stateStore } from '@skills/state'

/** Source that lists nothing and remembers how often it was asked. */
const counting = defineProvider({
  kind: 'source',
  id: 'counting',
  needs: ['state'],
  setup: ({ use }) => ({
    source: 'user',
    async list({ signal }) {
      await use('state').first(
        (state, call) => state.update('listings', value => (typeof value === 'number' ? value : 0) + 1, call),
        { signal },
      )
      return loadResult({})
    },
  }),
})

async function listOnce(host: Host) {
  const skills = createSkills({
    host,
    kinds: [stateKind],
    plugins: [stateStore(), counting],
    onDiagnostic: ({ message }) => process.emitWarning(message),
  })
  try {
    await skills.catalog()
  } finally {
    await skills.close()
  }
}
// #endregion usage

// #region open
import { openState } from '@skills/state'

async function howOften(host: Host) {
  const state = openState(host, { report: ({ message }) => process.emitWarning(message) })
  return state.read('listings', { signal: new AbortController().signal })
}
// #endregion open

// #region writer
import { Root } from '@skills/state/writer'

function begin(project: string) {
  const root = new Root(project, { kind: 'project', places: ['skills.json', '.agents/skills'] })
  root.write('skills.json', '{}\n', { replaces: 'ours' })
}
// #endregion writer

import { readFileSync } from 'node:fs'
import { fakeHost, tempTree } from '@skills/testing'
import { testFixedSource } from '@skills/testing/vitest'
import { expect, it, onTestFinished } from 'vitest'

testFixedSource('the source that counts', () => {
  const tree = tempTree()
  return {
    provider: counting,
    host: { home: tree.path, uid: process.getuid?.() },
    kinds: [stateKind],
    plugins: [stateStore()],
    dispose: () => tree.dispose(),
  }
})

it('remembers across engines as the README shows', async () => {
  const tree = tempTree()
  onTestFinished(() => tree.dispose())
  const host = fakeHost({ home: tree.path, uid: process.getuid?.() })
  await listOnce(host)
  await listOnce(host)
  expect(await howOften(host)).toBe(2)
})

it('writes to a project as the README shows', () => {
  const tree = tempTree({ '.agents': { link: '/' } })
  onTestFinished(() => tree.dispose())
  begin(tree.path)
  begin(tree.path)
  expect(readFileSync(`${tree.path}/skills.json`, 'utf8')).toBe('{}\n')
})
