import * as s from '@skills/core/schema'
import { setImmediate as turn } from 'node:timers/promises'
import { abortError, mayModelInvoke, type Catalog, type CatalogEntry } from '@skills/core'
import { nameTermsOf, termsOf } from '@skills/invocation/internal'

/** Skill whose words are compared. */
export interface OverlapSkill {
  readonly name: string
  readonly path?: string | undefined
}

/** Two skills whose words are so similar that a model can hardly distinguish them. */
export interface OverlapPair {
  readonly one: OverlapSkill
  readonly other: OverlapSkill
  /** From 0, no word in common, to 1, the same words. A word counts more the fewer skills have it. */
  readonly overlap: number
}

const overlapOptions = s.options('wordOverlap()', {
  /** Least overlap of a pair that is returned. Default: 0.5. */
  least: s.number().default(0.5),
  /** Most neighbours that are returned for each skill. Default: 3. */
  nearest: s.number().default(3),
  signal: s.typed<AbortSignal>('an AbortSignal', 'aborted'),
})

export interface OverlapOptions extends s.OptionsOf<typeof overlapOptions> {}

export interface WordOverlap {
  /** Pairs with an overlap of at least `least`, nearest first, among the skills that a model may be told about. */
  readonly pairs: readonly OverlapPair[]
  /** Returns the skills nearest to the one with a name, nearest first. */
  near(name: string): readonly (OverlapSkill & { readonly overlap: number })[]
}

/** Milliseconds of uninterrupted work after which the rest of the process gets a turn. */
const sliceMs = 12

/**
 * Compares all skills of a catalog by the words of their names and descriptions, through an index from words to skills.
 * Deterministic; asks no model. See docs/reference/evals.md, "Overlap".
 * @throws AbortError if the signal aborts
 */
export async function wordOverlap(catalog: Catalog, given?: OverlapOptions): Promise<WordOverlap> {
  const { least, nearest, signal } = overlapOptions.read(given)
  const entries = catalog.entries.filter(isTold)
  const skills = entries.map(({ name, command }): OverlapSkill => ({
    name,
    path: command.type === 'prompt' ? command.filePath : undefined,
  }))
  const words = entries.map(wordsOf)
  const having = new Map<string, number[]>()
  for (const [at, own] of words.entries())
    for (const word of own) {
      const known = having.get(word)
      if (known === undefined) having.set(word, [at])
      else known.push(at)
    }
  // Squared, because each shared word counts once in each of the two.
  const weights = new Map([...having].map(([word, list]) => [word, Math.log(1 + entries.length / list.length) ** 2]))
  const norms = words.map(own => Math.sqrt(own.reduce((sum, word) => sum + (weights.get(word) ?? 0), 0)))
  const found: { readonly one: number; readonly other: number; readonly overlap: number }[] = []
  const near: { readonly at: number; readonly overlap: number }[][] = []
  const shared = new Float64Array(entries.length)
  let since = performance.now()
  for (const [at, own] of words.entries()) {
    const touched: number[] = []
    for (const word of own) {
      const weight = weights.get(word) ?? 0
      for (const other of having.get(word) ?? []) {
        if (shared[other] === 0) touched.push(other)
        shared[other] = (shared[other] ?? 0) + weight
      }
    }
    const ranked: { readonly at: number; readonly overlap: number }[] = []
    for (const other of touched) {
      const overlap = (shared[other] ?? 0) / ((norms[at] ?? 1) * (norms[other] ?? 1))
      shared[other] = 0
      if (other === at) continue
      const last = ranked[nearest - 1]
      if (last === undefined || overlap > last.overlap) {
        ranked.splice(ranked.findLastIndex(one => one.overlap >= overlap) + 1, 0, { at: other, overlap })
        if (ranked.length > nearest) ranked.pop()
      }
      if (other > at && overlap >= least) found.push({ one: at, other, overlap })
    }
    near.push(ranked)
    if (performance.now() - since < sliceMs) continue
    await turn()
    if (signal?.aborted === true) throw abortError(signal)
    since = performance.now()
  }
  found.sort((a, b) => b.overlap - a.overlap || a.one - b.one || a.other - b.other)
  const skillAt = (at: number): OverlapSkill => skills[at] ?? { name: '' }
  const byName = new Map(skills.map(({ name }, at) => [name, at]))
  return {
    pairs: found.map(({ one, other, overlap }) => ({
      one: skillAt(one),
      other: skillAt(other),
      overlap: roundedOverlap(overlap),
    })),
    near: name =>
      (near[byName.get(name) ?? -1] ?? []).map(({ at, overlap }) => ({
        ...skillAt(at),
        overlap: roundedOverlap(overlap),
      })),
  }
}

/** Returns true if a listing may show a command to a model under the command's own name. */
export function isTold({ command, override, isQualified }: CatalogEntry): boolean {
  return (
    command.type === 'prompt' && !isQualified && override !== 'user-only' && command.isSkill && mayModelInvoke(command)
  )
}

/** Returns the words that a model reads about a command, each once. */
export function wordsOf({ name, command }: Pick<CatalogEntry, 'name' | 'command'>): readonly string[] {
  const whenToUse = command.type === 'prompt' ? (command.whenToUse ?? '') : ''
  return [...new Set([...nameTermsOf(name), ...termsOf(command.description), ...termsOf(whenToUse)])]
}

/** Rounds an overlap, because the sum of the same parts depends slightly on their order. */
export function roundedOverlap(overlap: number): number {
  return Math.min(1, Math.round(overlap * 1e4) / 1e4)
}
