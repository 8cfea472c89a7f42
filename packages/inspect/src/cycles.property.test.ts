import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cyclesIn } from './cycles.js'

const graph = fc
  .array(fc.array(fc.nat(9), { maxLength: 4 }), { minLength: 1, maxLength: 10 })
  .map(rows => new Map(rows.map((row, node) => [node, row])))

/** Returns the nodes that a node reaches in any number of steps. */
function reach(edges: ReadonlyMap<number, readonly number[]>, from: number): Set<number> {
  const reached = new Set<number>()
  const queue = [from]
  for (const node of queue) {
    for (const next of edges.get(node) ?? []) {
      if (reached.has(next)) continue
      reached.add(next)
      queue.push(next)
    }
  }
  return reached
}

test('each group of nodes that reach themselves through each other gives one true cycle, and nothing else does', () => {
  fc.assert(
    fc.property(graph, edges => {
      const cycles = cyclesIn(edges)
      for (const cycle of cycles) {
        expect(new Set(cycle).size).toBe(cycle.length)
        for (const [at, node] of cycle.entries()) expect(edges.get(node)).toContain(cycle[(at + 1) % cycle.length])
      }
      const groupOf = (node: number): string =>
        [...edges.keys()].filter(other => reach(edges, node).has(other) && reach(edges, other).has(node)).join()
      const groups = new Set([...edges.keys()].filter(node => reach(edges, node).has(node)).map(groupOf))
      expect(new Set(cycles.map(([first = -1]) => groupOf(first)))).toEqual(groups)
      expect(cycles).toHaveLength(groups.size)
    }),
    { numRuns: 500 },
  )
})
