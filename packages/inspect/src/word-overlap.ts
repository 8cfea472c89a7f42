import * as s from '@skills/core/schema'
import { setImmediate as turn } from 'node:timers/promises'
import { abortError, mayModelInvoke, type Catalog, type CatalogEntry } from '@skills/core'
import { nameTermsOf, termsOf } from '@skills/invocation/internal'

/** A skill as its words are compared. */
export interface OverlapSkill {
  readonly name: string
  readonly path?: string | undefined
}

/** Two skills whose words a model can hardly tell apart. */
export interface OverlapPair {
  readonly one: OverlapSkill
  readonly other: OverlapSkill
  /** From 0, no word in common, to 1, the same words; words count by how few skills have them. */
  readonly overlap: number
}

const overlapOptions = s.options('wordOverlap()', {
  /** Least overlap of a pair that is told of. */
  least: s.number().default(0.5),
  /** Nearest skills that are told of each. */
  nearest: s.number().default(3),
  signal: s.typed<AbortSignal>('an AbortSignal', 'aborted'),
  /** Ids of those to ask. Default: all. */
  only: s.list(s.text()),
})

export interface OverlapOptions extends s.OptionsOf<typeof overlapOptions> {}

export interface WordOverlap {
  /** Of the skills that a model may be told of: each pair with at least `least`, the nearest first. */
  readonly pairs: readonly OverlapPair[]
  /** The skills nearest to that of a name, the nearest first. */
  near(name: string): readonly (OverlapSkill & { readonly overlap: number })[]
}

/** Milliseconds of uninterrupted work; the rest of the process gets a turn after it. */
const sliceMs = 12

/**
 * How near the skills of a catalog are to each other by the words of their names and descriptions: all pairs, through
 * an index from words to skills. Deterministic; no model is asked. See docs/reference/evals.md, "Overlap".
 * @throws AbortError when the signal aborts
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
  // Squared: each shared word counts once in either of the two.
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

/** Whether a model may be told of it by its own name. */
export function isTold({ command, override, isQualified }: CatalogEntry): boolean {
  return (
    command.type === 'prompt' && !isQualified && override !== 'user-only' && command.isSkill && mayModelInvoke(command)
  )
}

/** What a model reads of it, each word once. */
export function wordsOf({ name, command }: Pick<CatalogEntry, 'name' | 'command'>): readonly string[] {
  const whenToUse = command.type === 'prompt' ? (command.whenToUse ?? '') : ''
  return [...new Set([...nameTermsOf(name), ...termsOf(command.description), ...termsOf(whenToUse)])]
}

/** The same parts added up in another order are no other overlap. */
export function roundedOverlap(overlap: number): number {
  return Math.min(1, Math.round(overlap * 1e4) / 1e4)
}
