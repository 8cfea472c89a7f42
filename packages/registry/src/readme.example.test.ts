// #region usage
import { readFileSync } from 'node:fs'
import { openRegistry } from '@skills/registry'

/** Publishes a skill in a registry, which is one file, and finds it. */
async function publishAndFind(file: string, skill: string) {
  const registry = await openRegistry({ at: file, create: true })
  try {
    const bytes = readFileSync(skill)
    const [result] = await registry.publish([
      { namespace: 'docs', name: 'release-notes', label: '1.0.0', files: [{ path: 'SKILL.md', bytes }] },
    ])
    if (result?.error !== undefined) throw result.error
    const found = await registry.search('notes about releases', { limit: 5 })
    return found.map(({ version }) => `${version.namespace}/${version.name} ${version.label}`)
  } finally {
    await registry.close()
  }
}
// #endregion usage

import { expect, test } from 'vitest'
import { tempTree } from '@skills/testing'

test('a skill is published and found', async () => {
  const tree = tempTree({ 'SKILL.md': '---\ndescription: Writes the notes of a release.\n---\nWrite them.\n' })
  try {
    expect(await publishAndFind(`${tree.path}/registry.db`, `${tree.path}/SKILL.md`)).toEqual([
      'docs/release-notes 1.0.0',
    ])
  } finally {
    tree.dispose()
  }
})
