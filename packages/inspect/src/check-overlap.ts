import { setImmediate as turn } from 'node:timers/promises'
import { abortError, pathOf, type AskOptions, type Catalog, type CatalogEntry, type Diagnostic } from '@skills/core'
import { isTold, roundedOverlap, wordsOf } from './word-overlap.js'

/** From here on a model has hardly a word to choose by. */
const alike = 0.8
/** Fewer words say so little that any two of them look alike. */
const leastWords = 10
/**
 * Skills that one is compared with at most, those that share its rarest words first: ten times more than of any three
 * thousand real skills, and few enough that copies by the thousand take no thousand times as long.
 */
const mostCompared = 500
/** Milliseconds of uninterrupted work; the rest of the process gets a turn after it. */
const sliceMs = 12

/** Skills whose names and descriptions say nearly the same, so that a model cannot tell which one is meant. */
export async function checkOverlap(catalog: Catalog, { signal }: AskOptions): Promise<readonly Diagnostic[]> {
  const twins = await twinsIn(catalog.entries.filter(isTold), signal)
  // One finding a skill, about the one that is nearest: a dozen copies are not a hundred findings.
  return twins.map(({ one, other, overlap }) => ({
    severity: 'warning',
    type: 'validation',
    code: 'overlapping-description',
    name: other.entry.name,
    ...pathOf(other.entry.command),
    message: `Its name and description share ${Math.round(roundedOverlap(overlap) * 100)} % of their words with those of "${one.entry.name}".`,
    hint: 'Say in both what each is for and the other is not, or remove one: a model cannot tell them apart.',
  }))
}

/** A skill by its words: their places in the order of all words, the rarest first. */
interface Words {
  readonly entry: CatalogEntry
  /** Its place among all. */
  readonly at: number
  readonly ranks: readonly number[]
  /** What they weigh together. */
  readonly weight: number
}

interface Twin {
  /** The nearest of those that come before the other; of several the first. */
  readonly one: Words
  readonly other: Words
  readonly overlap: number
}

/**
 * Two skills are alike only if they share one of the words that make up more than what may differ: the rarest ones of
 * each are looked up, and common words are not.
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

  /** Its rarest words, without those that together weigh too little for two skills to be alike. */
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
        // All with the very same words have this word too, and the first of them came first.
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
