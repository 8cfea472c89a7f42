import { systemClock, type Catalog } from '@skills/core'
import { watchSkills } from '@skills/files/source'
import { expect, it } from 'vitest'
import { engine, manifest, marketplace, namesOf, temporary } from '../test/engine.js'

it('a watched engine notices what manifests and marketplaces say, and plugins that come and go', async () => {
  const tree = temporary({
    ...manifest('acme', { name: 'acme' }),
    'acme/skills/a/SKILL.md': 'a',
    ...marketplace('market', []),
  })
  const skills = engine(
    tree.path,
    { plugins: ['acme', 'later'], marketplaces: ['market'] },
    { clock: { ...systemClock, now: () => Date.now() + 60_000 } },
  )
  let look: (catalog: Catalog) => void = () => {}
  skills.hook('skills:changed', ({ catalog }) => look(catalog))
  const changed = (names: readonly string[]) =>
    new Promise<void>(resolve => {
      look = catalog => {
        if (namesOf(catalog).join() === names.join()) resolve()
      }
    })
  await watchSkills(skills, { onDiagnostic: () => {}, debounceMs: 20 })
  const change = async (names: readonly string[], work: () => void): Promise<void> => {
    const done = changed(names)
    work()
    await done
  }
  await change(['other:a'], () => tree.write(manifest('acme', { name: 'other' })))
  await change(['other:a', 'later:b'], () => tree.write({ 'later/skills/b/SKILL.md': 'b' }))
  await change(['other:a'], () => tree.remove('later'))
  await change(['other:a', 'listed:c'], () =>
    tree.write({
      'market/listed/skills/c/SKILL.md': 'c',
      ...marketplace('market', [{ name: 'listed', source: './listed' }]),
    }),
  )
  await change(['other:a', 'other:b', 'listed:c'], () => tree.write({ 'acme/skills/b/SKILL.md': 'b' }))
  expect(namesOf(await skills.catalog())).toEqual(['other:a', 'other:b', 'listed:c'])
})
