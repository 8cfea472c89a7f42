import { writeFileSync } from 'node:fs'
import { tempTree } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'
import { zipOf } from '../../test/make-archive.js'
// #region usage
import { archiveStore } from '@skills/store/archive'

/** Returns the text of a skill's file in an archive, or undefined if there is none. */
async function skillIn(path: string, name: string, signal: AbortSignal): Promise<string | undefined> {
  const store = archiveStore({ path, strip: true })
  const found = await store.read(`${path}!/${name}/SKILL.md`, { signal, maxBytes: 1_000_000 })
  return found?.found === 'file' ? found.bytes.toString('utf8', 0, found.length) : undefined
}
// #endregion usage

it('reads a skill without unpacking anything', async () => {
  const tree = tempTree()
  onTestFinished(() => tree.dispose())
  const path = `${tree.path}/skills.zip`
  writeFileSync(path, zipOf({ 'skills-main/deploy/SKILL.md': 'Ship it.' }))
  expect(await skillIn(path, 'deploy', new AbortController().signal)).toBe('Ship it.')
  expect(await skillIn(path, 'review', new AbortController().signal)).toBeUndefined()
})
