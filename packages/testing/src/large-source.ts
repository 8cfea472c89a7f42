import { defineProvider, loadResult, type Command, type Provider, type Source } from '@skills/core'

export interface LargeSourceParts {
  readonly id?: string
  /** Names in order. */
  readonly names: readonly string[]
  readonly make: (name: string) => Command
  /** Names that it lists. Default: none. */
  readonly pinned?: readonly string[]
  /** Members in place of its own. */
  readonly members?: Partial<Source>
  /** Called with each member that is called, and its name, query or position. */
  readonly onCall?: (member: string, what: string | undefined) => void
}

/** Returns the name that {@link numberedNames} has at a position. */
export const numberedName = (at: number): string => `skill-${String(at).padStart(6, '0')}`

export const numberedNames = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => numberedName(at))

/** Makes a large source in memory, whose commands are made when they are asked for. */
export function largeSource(options: LargeSourceParts): Provider<'source'> {
  const { id = 'large', names, make, pinned = [], members, onCall } = options
  let known: ReadonlySet<string> | undefined
  const own: Required<Pick<Source, 'source' | 'list' | 'find' | 'search' | 'page' | 'count'>> = {
    source: 'large',
    list: () => {
      onCall?.('list', undefined)
      return loadResult({ commands: pinned.map(make), places: [{ path: id, state: 'read', found: pinned.length }] })
    },
    find: name => {
      onCall?.('find', name)
      return (known ??= new Set(names)).has(name) ? make(name) : undefined
    },
    search: (query, { limit, prefix = '' }) => {
      onCall?.('search', query)
      const words = query.toLowerCase().split(/\s+/)
      const hits: { command: Command; score: number }[] = []
      for (const name of names) {
        if (hits.length === limit) break
        if (name.startsWith(prefix) && words.some(word => name.includes(word)))
          hits.push({ command: make(name), score: limit - hits.length })
      }
      return hits
    },
    page: ({ limit, after }) => {
      onCall?.('page', after)
      const from = after === undefined ? 0 : Number(after)
      const next = from + limit
      return { commands: names.slice(from, next).map(make), next: next < names.length ? String(next) : undefined }
    },
    count: () => {
      onCall?.('count', undefined)
      return names.length
    },
  }
  return defineProvider({ kind: 'source', id, setup: () => ({ ...own, ...members }) })
}
