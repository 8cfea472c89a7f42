import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deferred, engine, fileSkill, listing, settled, skill } from '../test/engine.js'
import { loadResult, type Catalog, type Command, type Diagnostic } from './index.js'

interface Given {
  readonly commands: readonly Command[]
  readonly errors: readonly Diagnostic[]
}

// Few names, paths and texts, so that most cases have several conflicts.
const command = fc
  .record({
    name: fc.constantFrom('a', 'b', 'A', 'caf\u00e9', 'cafe\u0301'),
    origin: fc.constantFrom('managed', 'user', 'project', 'elsewhere', 'nowhere'),
    path: fc.option(fc.constantFrom('/1', '/2', '/3', '/4', '/5')),
    text: fc.constantFrom('x', 'y', 'longer'),
    isEnabled: fc.boolean(),
    alias: fc.constantFrom('a', 'b', 'c'),
  })
  .map(({ name, origin, path, text, isEnabled, alias }): Command => {
    const more = { isEnabled: () => isEnabled, aliases: [alias] }
    return path === null ? skill(name, { source: origin, ...more }) : fileSkill(name, origin, path, text, more)
  })
const bad: Diagnostic = { severity: 'error', type: 'parse', code: 'bad', message: 'Bad.' }
const error = fc.constantFrom('/1', '/2').map((path): Diagnostic => ({ ...bad, path }))
const givenOne = fc.record({ commands: fc.array(command, { maxLength: 6 }), errors: fc.array(error, { maxLength: 2 }) })
const sources = fc.array(givenOne, { minLength: 1, maxLength: 6 })

/** Loads with the sources registered and answering in the given orders, each a list of positions. */
async function load(
  given: readonly Given[],
  registered: readonly number[],
  answering: readonly number[],
): Promise<Catalog> {
  const gates = given.map(() => deferred())
  const providers = given.map(({ commands, errors }, at) =>
    listing(`source${at}`, async () => {
      await gates[at]?.promise
      return loadResult({ commands, errors })
    }),
  )
  const { skills } = engine({
    plugins: registered.flatMap(at => providers[at] ?? []),
    overrides: { b: 'user-only', 'user:b': 'off' },
  })
  const loading = skills.catalog()
  for (const at of answering) {
    await settled()
    gates[at]?.resolve()
  }
  return loading
}

/** Returns everything in a catalog as plain data. */
function contentsOf({ entries, disabled, collisions, errors, warnings }: Catalog): unknown {
  return { entries, disabled, collisions, errors, warnings }
}

test('the catalog is the same regardless of order of registration and of answers', async () => {
  const runs = sources.chain(given => {
    const positions = given.map((_, at) => at)
    const shuffled = fc.shuffledSubarray(positions, { minLength: given.length })
    return fc.tuple(fc.constant(given), shuffled, shuffled)
  })
  await fc.assert(
    fc.asyncProperty(runs, async ([given, registered, answering]) => {
      const positions = given.map((_, at) => at)
      const expected = contentsOf(await load(given, positions, positions))
      expect(contentsOf(await load(given, registered, answering))).toEqual(expected)
    }),
    { numRuns: 60 },
  )
})

test('every command is accounted for: it has an entry, is switched off, or lost to another', async () => {
  await fc.assert(
    fc.asyncProperty(sources, async given => {
      const positions = given.map((_, at) => at)
      const catalog = await load(given, positions, positions)
      const kept = [...catalog.entries, ...catalog.disabled].map(entry => entry.command)
      const lost = catalog.collisions
        .filter(({ reachableAs }) => reachableAs === undefined)
        .map(({ loser }) => loser.command)
      expect(new Set([...kept, ...lost])).toEqual(new Set(given.flatMap(({ commands }) => commands)))
      expect(kept.length + lost.length).toBe(given.flatMap(({ commands }) => commands).length)
      expect(new Set(catalog.entries.map(({ name }) => name)).size).toBe(catalog.size)
    }),
    { numRuns: 100 },
  )
})
