import { createSkills } from '@skills/core'
import { fileSource } from '@skills/files/source'
import { MemoryStore } from '../memory-store.js'
import type { Store } from '../store.js'
import { fakeHost } from '@skills/testing'
import { skillSamples } from '@skills/testing/internal'
import { expect, it, onTestFinished } from 'vitest'
import { indexOf, makeSite } from '../../test/make-site.js'
import { httpStore } from '../http.js'

it('a source over a site finds what it finds in memory, and reads a body when it is asked for', async () => {
  // An index lists files, so it cannot contain links.
  const files = Object.fromEntries(
    Object.entries(skillSamples).flatMap(([path, sample]) =>
      typeof sample === 'object' && 'link' in sample ? [] : [[path, sample]],
    ),
  )
  const site = await makeSite({
    '/index.json': indexOf(files),
    ...Object.fromEntries(Object.entries(files).map(([path, sample]) => [`/${path}`, sample])),
  })
  onTestFinished(() => site.close())
  expect(await foundIn(httpStore({ url: `${site.origin}/index.json`, root: 'site:' }), 'site:')).toEqual(
    await inMemory(files),
  )
})

/** Returns an engine's result for the skills of a store, with their bodies, and without the prefix of their paths. */
async function foundIn(store: Store, root: string): Promise<unknown> {
  const files = fileSource({
    id: 'files',
    source: 'user',
    store,
    roots: () => ({ roots: [{ path: root, within: [root], hasSidecars: true }] }),
  })
  const skills = createSkills({ plugins: [files], host: fakeHost(), onDiagnostic: () => {} })
  const { entries, errors, warnings, collisions } = await skills.catalog()
  const { signal } = new AbortController()
  const bodies = await Promise.all(
    entries.map(async ({ command }) => (command.type === 'prompt' ? command.load('', { signal }) : undefined)),
  )
  const said = {
    commands: entries.map(
      ({ command }) =>
        command.type === 'prompt' && [
          command.name,
          command.description,
          command.disableModelInvocation,
          command.filePath,
          command.file?.realPath,
          command.file?.size,
        ],
    ),
    bodies,
    collisions: collisions.length,
    diagnostics: [...errors, ...warnings].map(({ code, message, path, line }) => [code, message, path, line]),
  }
  await skills.close()
  return JSON.parse(JSON.stringify(said).replaceAll(root, 'ROOT'))
}

async function inMemory(samples = skillSamples): Promise<unknown> {
  const memory = new MemoryStore(samples)
  return foundIn(memory, memory.root)
}
