import fc from 'fast-check'
import { expect, test } from 'vitest'
import { circlesIn } from './circles.js'

const graph = fc.array(fc.array(fc.nat(9), { maxLength: 4 }), { minLength: 1, maxLength: 10 })
  .map(rows => new Map(rows.map((row, node) => [node, row])))

/** What a node leads to in any number of steps. */
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
  fc.assert(fc.property(graph, edges => {
    const circles = circlesIn(edges)
    for (const circle of circles) {
      expect(new Set(circle).size).toBe(circle.length)
      for (const [at, node] of circle.entries()) expect(edges.get(node)).toContain(circle[(at + 1) % circle.length])
    }
    const groupOf = (node: number): string => [...edges.keys()].filter(other => reach(edges, node).has(other) && reach(edges, other).has(node)).join()
    const groups = new Set([...edges.keys()].filter(node => reach(edges, node).has(node)).map(groupOf))
    expect(new Set(circles.map(([first = -1]) => groupOf(first)))).toEqual(groups)
    expect(circles).toHaveLength(groups.size)
  }), { numRuns: 500 })
})
