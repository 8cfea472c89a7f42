import { fileSource } from '@skills/skill-files'
import { createSkills, processHost, type Provider } from '@skills/core'
import { fakeClock, fileSourceContract } from '@skills/testing'
import { testContract } from '@skills/testing/vitest'

for (const walk of ['flat', 'deep'] as const) {
  testContract(`fileSource() with a ${walk} walk`, fileSourceContract({
    root: 'skills', provider: tree => fileSource({ id: 'files', source: 'user', layout: { walk }, roots: () => ({ roots: [{ path: `${tree}/skills` }] }) }),
  }))
}

testContract('fileSource() of the second of two roots, inside a folder that links must not leave', fileSourceContract({
  root: 'in/group/skills',
  provider: tree => fileSource({
    id: 'files', source: 'user', roots: () => ({ roots: [{ path: `${tree}/nowhere` }, { path: `${tree}/in/group/skills`, within: [`${tree}/in`], hasSidecars: true }] }),
  }),
}))

/** Has an engine of its own fill the index before, a minute after everything was written. */
function warmed(provider: Provider<'source'>): Provider<'source'> {
  return {
    ...provider,
    async setup(ctx) {
      const before = createSkills({ host: processHost({ cwd: '/', env: {}, clock: fakeClock(Date.now() + 60_000) }), onDiagnostic: () => {}, plugins: [provider] })
      await before.catalog()
      await before.close()
      return provider.setup(ctx)
    },
  }
}

for (const isWarm of [false, true]) {
  testContract(`fileSource() with an index that is ${isWarm ? 'warm' : 'cold'}`, fileSourceContract({
    root: 'skills',
    host: () => ({ clock: fakeClock(Date.now() + 120_000), uid: process.getuid?.() }),
    provider: tree => {
      const provider = fileSource({ id: 'files', source: 'user', index: { folder: `${tree}/cache` }, roots: () => ({ roots: [{ path: `${tree}/skills` }] }) })
      return isWarm ? warmed(provider) : provider
    },
  }))
}
