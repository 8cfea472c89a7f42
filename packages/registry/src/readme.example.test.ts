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

// #region source
import { openSkills } from '@skills/host'
import { registrySource } from '@skills/registry'

/** Answers a line with the skills of a registry, none of which the host loads before someone asks for it. */
async function answer(file: string, line: string, cwd: string) {
  const registry = await openRegistry({ at: file })
  const skills = await openSkills('standard', { cwd, plugins: [registrySource({ registry, namespace: 'docs' })] })
  try {
    const session = await skills.session()
    return { text: (await session.send(line)).text, tools: session.tools() }
  } finally {
    await skills.close()
    await registry.close()
  }
}
// #endregion source

import { expect, test, vi } from 'vitest'
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

test('a host answers with a skill of a registry, and finds it for a model', async () => {
  const tree = tempTree({
    'SKILL.md': '---\ndescription: Writes the notes of a release.\n---\nWrite them.\n',
    'project/.git/HEAD': 'ref: refs/heads/main\n',
  })
  vi.stubEnv('HOME', `${tree.path}/home`)
  vi.stubEnv('XDG_CACHE_HOME', `${tree.path}/cache`)
  try {
    await publishAndFind(`${tree.path}/registry.db`, `${tree.path}/SKILL.md`)
    const { text, tools } = await answer(`${tree.path}/registry.db`, '/release-notes', `${tree.path}/project`)
    expect(text).toContain('Write them.')
    expect(tools.map(({ name }) => name)).toContain('SkillSearch')
  } finally {
    vi.unstubAllEnvs()
    tree.dispose()
  }
})
