import { expect, it, onTestFinished } from 'vitest'
import { makeRepository } from '../../test/make-repository.js'
// #region usage
import { gitStore } from '@skills/store/git'

/** Returns the skills in a release of a repository. */
async function skillsAt(repository: string, tag: string, signal: AbortSignal): Promise<readonly string[]> {
  const store = gitStore({ repository, ref: tag })
  try {
    const folder = await store.list(`${repository}@${tag}`, { signal })
    return folder?.folders ?? []
  } finally {
    await store.close()
  }
}
// #endregion usage

it('lists the skills of a tag', async () => {
  const repository = makeRepository({ 'deploy/SKILL.md': 'Ship it.' })
  onTestFinished(() => repository.tree.dispose())
  repository.git('tag', 'v1')
  repository.commit({ 'other/SKILL.md': 'Newer.' })
  expect(await skillsAt(repository.path, 'v1', new AbortController().signal)).toEqual(['deploy'])
})
