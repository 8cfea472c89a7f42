/**
 * Returns one cycle for each group of nodes that can reach each other, starting with the node that is reached first.
 * Takes linear time: Tarjan's algorithm with its own stack, because a chain may be longer than calls can nest.
 * @param graph successors of each node; a node without successors may be missing
 */
export function cyclesIn<T>(graph: ReadonlyMap<T, readonly T[]>): readonly (readonly T[])[] {
  const index = new Map<T, number>()
  const low = new Map<T, number>()
  const open: T[] = []
  const isOpen = new Set<T>()
  const cycles: (readonly T[])[] = []
  const lower = (node: T, to: number): void => void low.set(node, Math.min(low.get(node) ?? to, to))

  for (const start of graph.keys()) {
    if (index.has(start)) continue
    const path = [{ node: start, next: 0 }]
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const { node } = step
      if (step.next === 0 && !index.has(node)) {
        index.set(node, index.size)
        lower(node, index.get(node) ?? 0)
        open.push(node)
        isOpen.add(node)
      }
      const other = graph.get(node)?.[step.next++]
      if (other !== undefined) {
        if (!index.has(other)) path.push({ node: other, next: 0 })
        else if (isOpen.has(other)) lower(node, index.get(other) ?? 0)
        continue
      }
      path.pop()
      const parent = path.at(-1)
      if (parent !== undefined) lower(parent.node, low.get(node) ?? 0)
      if (low.get(node) !== index.get(node)) continue
      const group = open.splice(open.lastIndexOf(node))
      for (const one of group) isOpen.delete(one)
      const cycle = cycleThrough(node, new Set(group), graph)
      if (cycle !== undefined) cycles.push(cycle)
    }
  }
  return cycles
}

/** Returns the shortest way from a node back to itself within its group, found breadth first. */
function cycleThrough<T>(
  start: T,
  group: ReadonlySet<T>,
  graph: ReadonlyMap<T, readonly T[]>,
): readonly T[] | undefined {
  const cameFrom = new Map<T, T>()
  const queue = [start]
  for (const node of queue) {
    for (const other of graph.get(node) ?? []) {
      if (other === start) {
        const cycle = [node]
        for (let at = cameFrom.get(node); at !== undefined; at = cameFrom.get(at)) cycle.push(at)
        return cycle.reverse()
      }
      if (!group.has(other) || cameFrom.has(other)) continue
      cameFrom.set(other, node)
      queue.push(other)
    }
  }
  return undefined
}
