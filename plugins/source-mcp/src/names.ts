import { createHash } from 'node:crypto'
import { compareCodeUnits } from '@skills/core'

/** Most characters of a name, so that a server cannot fill a listing with one. */
const longest = 128
const outside = /[^A-Za-z0-9_-]/gu
/** Characters that are always replaced: they would break a line, be invisible, or reverse the text. */
const unsafe = /[\p{C}\p{Z}\s]/gu

/** Item that gets a name `mcp__<server>__<part>`. */
export interface Named {
  /** Name on the server. */
  readonly given: string
  /** Identity of the item among all of this server. */
  readonly identity: string
  /** Longer name, used if another item has the same name. */
  readonly otherwise?: string | undefined
  /** True if it keeps its name when other names are normalised to the same one. */
  readonly isFirst: boolean
}

/** Replaces all characters of a name except `A-Z a-z 0-9 _ -`. */
export function normalised(name: string): string {
  return name.replace(outside, '_')
}

/**
 * Returns the part of a server's name in the names of its commands, or a problem. `mcp__<server>__*` has to match this
 * server only, so the part must not contain its own end mark.
 */
export function serverPart(name: string): { readonly part: string } | { readonly problem: string } {
  const part = normalised(name)
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(name)) return { problem: 'The name holds invisible characters.' }
  if (part === '') return { problem: 'The name is empty.' }
  if (part.length > longest) return { problem: `The name has more than ${longest} characters.` }
  if (part.includes('__'))
    return { problem: part === name ? 'The name contains "__".' : `The name becomes "${part}", which contains "__".` }
  if (part.startsWith('_') || part.endsWith('_'))
    return {
      problem:
        part === name
          ? 'The name begins or ends with "_".'
          : `The name becomes "${part}", which begins or ends with "_".`,
    }
  return { part }
}

/** Returns the text that stands for a server where the engine expects the path of a file. */
export function placeOf(server: string): string {
  return `mcp://${server}`
}

/**
 * Assigns a unique name to each item of a server. The result does not depend on the order of the items. If several
 * normalised names are equal, an item that already had this name keeps it; the others get a name that distinguishes
 * them.
 */
export function assignNames<T extends Named>(
  server: string,
  things: readonly T[],
  normalise: 'both' | 'server',
): ReadonlyMap<T, { readonly name: string; readonly isRenamed: boolean }> {
  const partOf = (text: string, identity: string): string => {
    const part = normalise === 'both' ? normalised(text) : text.replace(unsafe, '_')
    return part.length <= longest ? part : `${part.slice(0, longest)}_${hashOf(identity, 8)}`
  }
  const groups = new Map<string, T[]>()
  for (const thing of things) {
    const part = partOf(thing.given, thing.identity)
    groups.set(part, [...(groups.get(part) ?? []), thing])
  }
  const taken = new Set<string>()
  const names = new Map<T, { name: string; isRenamed: boolean }>()
  const give = (thing: T, part: string, isRenamed: boolean): void => {
    taken.add(part)
    names.set(thing, { name: `mcp__${server}__${part}`, isRenamed })
  }
  const losers: { readonly thing: T; readonly part: string }[] = []
  for (const [part, group] of groups) {
    const keeper = group.length === 1 ? group[0] : group.find(thing => thing.isFirst && thing.given === part)
    if (keeper !== undefined) give(keeper, part, false)
    // A name that several items want goes to none, because it would be ambiguous.
    else taken.add(part)
    losers.push(...group.filter(thing => thing !== keeper).map(thing => ({ thing, part })))
  }
  for (const { thing, part } of losers.toSorted((a, b) => compareCodeUnits(a.thing.identity, b.thing.identity))) {
    let other = partOf(thing.otherwise ?? thing.given, thing.identity)
    for (let digits = 6; taken.has(other); digits += 2) other = `${part}_${hashOf(thing.identity, digits)}`
    give(thing, other, true)
  }
  return names
}

function hashOf(text: string, digits: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits)
}
