import { setImmediate as turn } from 'node:timers/promises'
import { abortError, pathOf, type AskOptions, type Catalog, type CatalogEntry, type Diagnostic } from '@skills/core'
import { isTold, roundedOverlap, wordsOf } from './word-overlap.js'

/** Overlap above which a model has hardly a word to choose by. */
const alike = 0.8
/** Fewest words that are compared: with fewer, any two skills look alike. */
const leastWords = 10
/**
 * Most skills that one is compared with, those with its rarest words first. Ten times more than any of three thousand
 * real skills needs, and few enough that thousands of copies do not take a thousand times as long.
 */
const mostCompared = 500
/** Milliseconds of uninterrupted work after which the rest of the process gets a turn. */
const sliceMs = 12

/**
 * Returns a warning for each skill whose name and description have nearly the same words as another skill, so that a
 * model cannot distinguish the two.
 */
export async function checkOverlap(catalog: Catalog, { signal }: AskOptions): Promise<readonly Diagnostic[]> {
  const twins = await twinsIn(catalog.entries.filter(isTold), signal)
  // One finding for each skill, about the nearest other one: a dozen copies must not make a hundred findings.
  return twins.map(({ one, other, overlap }) => ({
    severity: 'warning',
    type: 'validation',
    code: 'overlapping-description',
    name: other.entry.name,
    ...pathOf(other.entry.command),
    message: `Its name and description share ${Math.round(roundedOverlap(overlap) * 100)} % of their words with those of "${one.entry.name}".`,
    hint: 'A model cannot tell the two skills apart. Say in each description what only that skill is for, or remove one of the skills.',
  }))
}

/** Skill with the ranks of its words among all words, rarest first. */
interface Words {
  readonly entry: CatalogEntry
  /** Index among all skills. */
  readonly at: number
  readonly ranks: readonly number[]
  /** Sum of the weights of its words. */
  readonly weight: number
}

interface Twin {
  /** Nearest of the skills before the other one; the first of several. */
  readonly one: Words
  readonly other: Words
  readonly overlap: number
}

/**
 * Returns the pairs of skills that are alike. Two skills can be alike only if they share one of each skill's rarest
 * words, so only these are looked up.
 */
async function twinsIn(entries: readonly CatalogEntry[], signal: AbortSignal | undefined): Promise<readonly Twin[]> {
  let since = performance.now()
  const giveWay = async (): Promise<void> => {
    if (performance.now() - since < sliceMs) return
    await turn()
    if (signal?.aborted === true) throw abortError(signal)
    since = performance.now()
  }
  const counts = new Map<string, number>()
  const texts: (readonly string[])[] = []
  for (const entry of entries) {
    const words = wordsOf(entry)
    texts.push(words)
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
    await giveWay()
  }
  const byRarity = [...counts].sort(([, a], [, b]) => a - b)
  const rankOf = new Map(byRarity.map(([word], rank) => [word, rank]))
  const weights = Float64Array.from(byRarity, ([, count]) => Math.log(1 + entries.length / count) ** 2)
  await giveWay()
  const having = new Map<number, Words[]>()
  const comparedWith = new Map<Words, Words>()
  const twins: Twin[] = []
  for (const [at, entry] of entries.entries()) {
    const words = texts[at] ?? []
    if (words.length < leastWords) continue
    const ranks = words.map(word => rankOf.get(word) ?? 0).sort((a, b) => a - b)
    const own: Words = { entry, at, ranks, weight: ranks.reduce((sum, rank) => sum + (weights[rank] ?? 0), 0) }
    const telling = tellingOf(own)
    const twin = nearestOf(own, telling)
    if (twin !== undefined) twins.push(twin)
    for (const rank of telling) {
      const known = having.get(rank)
      if (known === undefined) having.set(rank, [own])
      else known.push(own)
    }
    await giveWay()
  }
  return twins.sort((a, b) => b.overlap - a.overlap || a.one.at - b.one.at || a.other.at - b.other.at)

  /** Returns a skill's rarest words. Those left out weigh too little together to make two skills alike. */
  function tellingOf({ ranks, weight }: Words): readonly number[] {
    let left = weight
    let count = 0
    for (; count < ranks.length && left > (alike ** 2 - 1e-9) * weight; count++) left -= weights[ranks[count] ?? 0] ?? 0
    return ranks.slice(0, count)
  }

  function nearestOf(own: Words, telling: readonly number[]): Twin | undefined {
    let nearest: Twin | undefined
    let compared = 0
    for (const rank of telling)
      for (const other of having.get(rank) ?? []) {
        if (comparedWith.get(other) === own) continue
        comparedWith.set(other, own)
        if (++compared > mostCompared) return nearest
        const overlap = overlapOf(own, other)
        if (overlap < alike || overlap < (nearest?.overlap ?? 0)) continue
        if (overlap === nearest?.overlap && nearest.one.at < other.at) continue
        nearest = { one: other, other: own, overlap }
        // All skills with exactly the same words share this word, and the first of them was added first.
        if (overlap > 1 - 1e-9) return nearest
      }
    return nearest
  }

  function overlapOf(one: Words, other: Words): number {
    let shared = 0
    for (let a = 0, b = 0; a < one.ranks.length && b < other.ranks.length;) {
      const difference = (one.ranks[a] ?? 0) - (other.ranks[b] ?? 0)
      if (difference === 0) shared += weights[one.ranks[a] ?? 0] ?? 0
      if (difference <= 0) a++
      if (difference >= 0) b++
    }
    return shared / Math.sqrt(one.weight * other.weight)
  }
}
