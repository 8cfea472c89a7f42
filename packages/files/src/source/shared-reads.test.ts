import { SharedReads } from '../shared-reads.js'
import { fileStore } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'
import { bodyOf, namesOf, onlyCommand, sourceOver, start, temporary } from '../../test/load.js'
import type { FileSourceOptions } from './layout.js'

function settled(): SharedReads {
  return new SharedReads({ now: () => Date.now() + 60_000 })
}

const long = 'A line of text that is long enough.\n'.repeat(400)

it('two sources read each file once, and each makes of it what its own layout says', async () => {
  const { path } = temporary({
    'deploy/SKILL.md': '---\nname: Ship it\ndescription: >\n  Folded\n  text.\nversion: 1\n---\nBody.',
    'plain/SKILL.md': `# A heading\n\nA paragraph.\n\n${long}`,
    'late/SKILL.md': `${'\n'.repeat(70_000)}A paragraph at last.\n`,
  })
  const layouts: readonly FileSourceOptions['layout'][] = [
    undefined,
    { dialect: 'lines', fallback: { from: 'heading' } },
    { names: 'field', fields: { only: ['name'] } },
  ]
  const look = async (sharedReads?: SharedReads): Promise<unknown[]> => {
    const found = []
    for (const layout of layouts)
      found.push(JSON.parse(JSON.stringify(await (await start(sourceOver(path, { layout, sharedReads }))).list())))
    return found
  }
  const sharedReads = settled()
  expect(await look(sharedReads)).toEqual(await look())
  expect(sharedReads.filesRead).toBe(3)
})

it('a file beside a skill is read once too', async () => {
  const { path } = temporary({
    'deploy/SKILL.md': 'Deploy.',
    'deploy/agents/openai.yaml': 'policy:\n  allow_implicit_invocation: false\n',
  })
  const sharedReads = settled()
  const look = async () =>
    onlyCommand(await (await start(sourceOver([{ path, hasSidecars: true }], { sharedReads }))).list())
      .disableModelInvocation
  expect([await look(), await look()]).toEqual([true, true])
  expect([sharedReads.filesRead, sharedReads.filesShared]).toEqual([2, 2])
})

it('a comparison of two skills is made from memory, an invocation never', async () => {
  const store = fileStore({ root: 'skills' })
  onTestFinished(() => store.tree.dispose())
  store.put([{ name: 'deploy', description: 'Deploys.', body: long }])
  const sharedReads = settled()
  const result = await (await start(sourceOver(`${store.tree.path}/skills`, { sharedReads }))).list()
  expect(namesOf(result)).toEqual(['deploy'])
  const command = onlyCommand(result)
  const counter = store.countReads()
  onTestFinished(() => counter.stop())
  const digest = await command.digest?.({ signal: new AbortController().signal })
  expect([digest?.length, counter.bytes]).toEqual([64, 0])
  expect(await bodyOf(command)).toContain(long)
  expect(counter.bytes).toBeGreaterThanOrEqual(long.length)
})
