import { createHash } from 'node:crypto'
import { compareCodeUnits } from '@skills/core'

/** More than any name needs; a server may not fill a listing with one. */
const longest = 128
const outside = /[^A-Za-z0-9_-]/gu
/** What no name keeps, however little of it is normalised: it would break a line, hide, or turn the line around. */
const unsafe = /[\p{C}\p{Z}\s]/gu

/** Something that wants to be `mcp__<server>__<part>`. */
export interface Named {
  /** What the server calls it. */
  readonly given: string
  /** What tells it apart from everything else of this server. */
  readonly identity: string
  /** What to call it where another has the name, if it has something that says more. */
  readonly otherwise?: string | undefined
  /** Whether it may have its own name although others, written differently, come to the same. */
  readonly isFirst: boolean
}

/** A name with nothing but `A-Z a-z 0-9 _ -` in it. */
export function normalised(name: string): string {
  return name.replace(outside, '_')
}

/**
 * The part of a server's name in the names of its commands, or why there is none: `mcp__<server>__*` has to match this
 * server and no other, so nothing in it may look like the end of it.
 */
export function serverPart(name: string): { readonly part: string } | { readonly problem: string } {
  const part = normalised(name)
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(name)) return { problem: 'It holds characters that are not seen.' }
  if (part === '') return { problem: 'It is empty.' }
  if (part.length > longest) return { problem: `It has more than ${longest} characters.` }
  if (part.includes('__'))
    return { problem: part === name ? 'It contains "__".' : `It becomes "${part}", which contains "__".` }
  if (part.startsWith('_') || part.endsWith('_'))
    return {
      problem: part === name ? 'It begins or ends with "_".' : `It becomes "${part}", which begins or ends with "_".`,
    }
  return { part }
}

/** How the engine calls a server where it calls files by their paths. */
export function placeOf(server: string): string {
  return `mcp://${server}`
}

/**
 * Names for everything of one server, unique for any names that the server gives, and the same in any order. Of several
 * that come to the same name, the one that was called exactly so keeps it; the others get one that says which they are.
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
    // A name that several wanted goes to none of them: it would be ambiguous.
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
