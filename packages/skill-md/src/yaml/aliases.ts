import type { EventType, State } from 'js-yaml'

/** Error that stops the YAML library as soon as aliases would add too many nodes. */
export class AliasLimitError extends Error {
  constructor(
    /** 0-based line of the alias in the text. */
    readonly line: number,
    readonly cyclic: boolean,
  ) {
    super(cyclic ? 'has an alias inside the node that it names' : 'has aliases that expand to too many nodes')
  }
}

/**
 * Counts the nodes that aliases stand for while parsing, as a reader of the result would see them: an alias of a list
 * of ten items counts as eleven nodes, and each alias of a value that contains the list counts these nodes again. The
 * library itself only shares the nodes, so nothing is expanded when the limit is reached.
 */
export function countAliases(maxNodes: number): (this: State, event: EventType, state: State) => void {
  const sizes = new Map<object, number>()
  let total = 0
  let lastAlias = -1
  return (event, state) => {
    if (event !== 'close') return
    const result: unknown = state.result
    // A node with a value but without a kind is an alias.
    if (state.kind !== null && state.kind !== undefined) {
      if (typeof result === 'object' && result !== null) sizes.set(result, sizeOf(result, sizes))
      return
    }
    // The library closes an alias twice if it first tried it as a key.
    if (result === null || result === undefined || state.position === lastAlias) return
    lastAlias = state.position
    if (typeof result !== 'object') {
      total += 1
    } else {
      const size = sizes.get(result)
      if (size === undefined) throw new AliasLimitError(state.line, true)
      total += size
    }
    if (total > maxNodes) throw new AliasLimitError(state.line, false)
  }
}

/**
 * Returns the number of nodes in a complete collection, itself included. Its own collections were measured before it.
 */
function sizeOf(collection: object, sizes: ReadonlyMap<object, number>): number {
  let size = 1
  for (const value of Object.values(collection) as unknown[]) {
    size += typeof value === 'object' && value !== null ? (sizes.get(value) ?? 1) : 1
  }
  return size
}
