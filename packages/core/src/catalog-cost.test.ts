import { beforeAll, describe, expect, test } from 'vitest'
import { engine, fileSkill, source } from '../test/engine.js'
import type { Catalog, Command } from './index.js'

// Counts reads of a command's properties instead of measuring time: exact, and the same on every machine.

interface Counted {
  readonly catalog: Catalog
  /** Reads while the catalog was made, for each command. */
  readonly perCommand: number
  /** Returns the number of reads that `act` takes. */
  readonly readsOf: (act: () => unknown) => number
}

async function counted(count: number, nameOf: (at: number) => string): Promise<Counted> {
  let reads = 0
  const handler: ProxyHandler<Command> = {
    get(command, property, receiver) {
      reads++
      return Reflect.get(command, property, receiver)
    },
  }
  const commands = Array.from(
    { length: count },
    (_, at) => new Proxy<Command>(fileSkill(nameOf(at), 'user', `/${at}`, `${at}`), handler),
  )
  const catalog = await engine({ plugins: [source('s', commands)] }).skills.catalog()
  const perCommand = reads / count
  return {
    catalog,
    perCommand,
    readsOf(act) {
      const before = reads
      act()
      return reads - before
    },
  }
}

/** True if costs are equal, apart from the few reads that are made once a load. */
function areAlike(costs: readonly number[]): boolean {
  return Math.max(...costs) <= Math.min(...costs) * 1.01
}

describe('a catalog of 1,000, 10,000 and 100,000 commands', () => {
  const catalogs: Counted[] = []

  beforeAll(async () => {
    for (const size of [1000, 10_000, 100_000]) catalogs.push(await counted(size, at => `name${at}`))
  })

  test('is made with as many reads of each', () => {
    expect(catalogs.map(({ perCommand }) => perCommand)).toSatisfy(areAlike)
  })

  test.each(['get', 'lookup'] as const)('answers %s with as many reads, and few', how => {
    const costs = catalogs.map(({ catalog, readsOf }) => {
      // The index of other names is made when it is first asked for.
      catalog.lookup('NAME1')
      return ['name500', 'NAME500', 'unknown'].map(name => readsOf(() => catalog[how](name)))
    })
    expect(costs[1]).toEqual(costs[0])
    expect(costs[2]).toEqual(costs[0])
    expect(Math.max(...costs.flat())).toBeLessThan(10)
  })
})

test.each<[string, (at: number) => string]>([
  ['a tenth of them share their names', at => (at % 10 === 0 ? `name${at + 1}` : `name${at}`)],
  ['all have one name, and no two of them one text', () => 'name'],
])('making it takes as many reads of each when %s', async (_, nameOf) => {
  const costs = []
  for (const size of [500, 2000, 5000]) costs.push((await counted(size, nameOf)).perCommand)
  expect(costs).toSatisfy(areAlike)
})
