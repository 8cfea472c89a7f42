import { expect, it, onTestFinished } from 'vitest'
import { indexOf, makeSite } from '../../test/make-site.js'
// #region usage
import { httpStore } from '@skills/store/http'

/** Returns the names of the skills that a site publishes, or undefined if it has no index. */
async function skillsOf(url: string, signal: AbortSignal): Promise<readonly string[] | undefined> {
  const store = httpStore({ url, root: 'site:', timeoutMs: 5000 })
  try {
    return (await store.list('site:', { signal }))?.folders
  } finally {
    store.close()
  }
}
// #endregion usage

it('lists what a site publishes', async () => {
  const site = await makeSite({ '/.well-known/agent-skills/index.json': indexOf({ 'deploy/SKILL.md': 'Ship it.' }) })
  onTestFinished(() => site.close())
  const { signal } = new AbortController()
  expect(await skillsOf(site.origin, signal)).toEqual(['deploy'])
  expect(await skillsOf(`${site.origin}/elsewhere`, signal)).toBeUndefined()
})
