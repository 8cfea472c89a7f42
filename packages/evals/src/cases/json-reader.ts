import { getNodeValue, parseTree, type Node } from 'jsonc-parser'

/** Problem with a value of a JSON file, and its position. */
export interface JsonProblem {
  /** Path of the value, such as `evals[0].prompt`. */
  readonly at: string
  /** Requirement that is not met, such as `must be a text`. */
  readonly message: string
  /** Counted from 1. */
  readonly line: number
  readonly column: number
}

/** Reads values of a JSON file and collects the problems, each with its position. */
export class JsonReader {
  readonly problems: JsonProblem[] = []
  readonly #text: string
  readonly top: JsonPlace | undefined

  constructor(text: string) {
    this.#text = text
    const node = parseTree(text)
    this.top = node === undefined ? undefined : { node, at: '' }
  }

  wrong(place: JsonPlace, message: string): undefined {
    const before = this.#text.slice(0, place.node.offset).split('\n')
    this.problems.push({ at: place.at, message, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 })
    return undefined
  }

  /** Returns the members of an object. A key that is not in `known` is a problem. */
  object(place: JsonPlace, known: readonly string[]): ReadonlyMap<string, JsonPlace> | undefined {
    const { node, at } = place
    if (node.type !== 'object') return this.wrong(place, 'must be an object')
    const members = new Map<string, JsonPlace>()
    for (const { children: [key, value] = [] } of node.children ?? []) {
      if (key === undefined || value === undefined) continue
      const name = String(key.value)
      if (known.includes(name)) members.set(name, { node: value, at: at === '' ? name : `${at}.${name}` })
      else this.wrong({ node: key, at }, `has an unknown key "${name}"; there are ${known.join(', ')}`)
    }
    return members
  }

  list<T>(place: JsonPlace | undefined, read: (item: JsonPlace, index: number) => T | undefined): readonly T[] {
    if (place === undefined) return []
    const { node, at } = place
    if (node.type !== 'array') return this.wrong(place, 'must be a list') ?? []
    return (node.children ?? []).flatMap((item, index) => {
      const value = read({ node: item, at: `${at}[${index}]` }, index)
      return value === undefined ? [] : [value]
    })
  }

  text(place: JsonPlace | undefined): string | undefined {
    if (place === undefined) return undefined
    const value: unknown = place.node.value
    if (typeof value === 'string' && value.trim() !== '') return value
    return this.wrong(place, 'must be a text that is not empty')
  }

  value({ node }: JsonPlace): unknown {
    return getNodeValue(node)
  }

  flag(place: JsonPlace | undefined): boolean | undefined {
    if (place === undefined) return undefined
    const value: unknown = place.node.value
    return typeof value === 'boolean' ? value : this.wrong(place, 'must be true or false')
  }
}

/** Value and its path. */
export interface JsonPlace {
  readonly node: Node
  readonly at: string
}
