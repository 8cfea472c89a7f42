import {
  isTypingErrorOf,
  longestQuery,
  mayBegin,
  queryStems,
  soughtBy,
  wholeName,
  type Vocabulary,
} from '@skills/invocation/internal'
import { scorerOf } from './index-entry.js'
import type { Ask, Database } from './database.js'

/** Number of skills from which on the number of skills with a stem is stored. */
export const leastCommon = 64
/** Most skills whose scores are computed, apart from those with the whole name. */
const mostScored = 200
/** Most skills that are read from the index of the words outside of bodies, and of all words. */
const budgets = { heads: 2_000, every: 4_000 }
/** How much more a word counts outside of a body when skills are chosen of which scores are computed. */
const headShare = 1.6
/** Most stems that begin with a word of the query. */
const mostLonger = 100

export interface FoundId {
  readonly skill: number
  readonly score: number
}

/** Numbers of all skills that the ranking uses. */
export interface IndexFacts {
  readonly skills: number
  /** Sum of the lengths of each field, and the number of skills in which it is not empty. */
  readonly lengths: readonly number[]
  readonly filled: readonly number[]
  /** Changes since the common stems were counted. */
  readonly changes: number
  /** All changes. Undefined before the first one. */
  readonly revision?: number
}

export async function indexFacts(ask: Ask, forUpdate = ''): Promise<IndexFacts> {
  const [row] = await ask<{ value: string }>(`select value from fact where name = 'index'${forUpdate}`)
  return JSON.parse(row?.value ?? '')
}

/** Words outside of bodies, for typing errors; read again when there are more. */
interface HeadWords {
  readonly changes: string
  readonly words: readonly (readonly [word: string, stem: string])[]
}

/**
 * Searches the index of a registry. The words of the query that the fewest skills have choose the skills; these are
 * ranked as an index in memory ranks them.
 */
export class Search {
  #heads: HeadWords | undefined

  constructor(
    private readonly database: Database,
    private readonly stemOf: (word: string) => string,
  ) {}

  /** Returns the best skills, the best first, equal ones in the order in which they came. */
  async find(text: string, limit: number, prefix: string): Promise<readonly FoundId[]> {
    const { database } = this
    // A half of a character is no text for a database.
    const query = text.slice(0, longestQuery).replaceAll(/\p{Cs}/gu, '\ufffd')
    const named = new Set(await this.#named(query, prefix))
    const facts = await indexFacts(database.ask)
    const vocabulary = await this.#vocabularyFor(query, facts.skills)
    const sought = soughtBy(query, vocabulary)
    const scores = new Map<number, number>()
    const take = async (words: 'every' | 'heads', share: number): Promise<void> => {
      let left = budgets[words]
      const groups: (typeof sought)[number][] = []
      for (const one of sought) {
        const many = vocabulary.most(words, one.found)
        // The words are in the order of their rarity, but common ones can be rare outside of bodies.
        if (many > left && words === 'every' && groups.length > 0) break
        if (many > left && groups.length > 0) continue
        left -= Math.min(many, left)
        groups.push(one)
      }
      const lists = await database.skillsWith(
        words,
        groups.map(({ found }) => found.map(([stem]) => stem)),
        budgets[words],
        prefix,
      )
      for (const [at, { weight, found, isError }] of groups.entries()) {
        if (isError && words === 'every') continue
        const part = share * weight * Math.max(...found.map(([, each]) => each))
        for (const skill of lists[at] ?? []) scores.set(skill, (scores.get(skill) ?? 0) + part)
      }
    }
    await take('heads', headShare)
    await take('every', 1)
    const best = bestOf(scores, Math.max(mostScored, limit))
    const scorer = scorerOf(
      sought,
      facts.lengths.map((sum, field) => sum / Math.max(1, facts.filled[field] ?? 0)),
    )
    const rows = await database.ask<{ skill: number; profile: Uint8Array }>(
      `select skill, profile from profile where skill in ${database.listed('?1', 'int')}`,
      [JSON.stringify([...new Set([...best, ...named])])],
    )
    return rows
      .map(({ skill, profile }) => ({
        skill,
        // A whole name comes before everything else.
        score: scorer(profile) + (named.has(skill) ? 1e6 : 0),
      }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.skill - b.skill)
      .slice(0, limit)
  }

  async #named(query: string, prefix: string): Promise<readonly number[]> {
    const rows = await this.database.ask<{ skill: number }>(
      `select skill from whole_name join skill on skill.id = skill where whole_name.name = ?1 ${within('?2')} limit 200`,
      [wholeName(query), prefix],
    )
    return rows.map(({ skill }) => skill)
  }

  /** Reads what the words of a query find. */
  async #vocabularyFor(query: string, size: number): Promise<QueryVocabulary> {
    const { database, stemOf } = this
    const { stems, isTyped } = queryStems(query, stemOf)
    const common = await database.ask<{ stem: string; every: number; heads: number }>(
      `select stem, every, heads from common where stem in ${database.listed('?1', 'text')}`,
      [JSON.stringify(stems.map(({ stem }) => stem))],
    )
    const vocabulary = new QueryVocabulary(stemOf, size)
    for (const { stem, every, heads } of common) vocabulary.common.set(stem, { every, heads })
    const count = async (some: readonly string[]): Promise<void> => {
      const rare = some.filter(stem => !vocabulary.common.has(stem))
      const lists = await database.skillsWith(
        'every',
        rare.map(stem => [stem]),
        budgets.every,
        '',
      )
      for (const [at, stem] of rare.entries()) vocabulary.rare.set(stem, lists[at] ?? [])
    }
    await count(stems.map(({ stem }) => stem))
    if (!isTyped) return vocabulary
    for (const { stem, terms } of stems) {
      for (const term of terms.filter(mayBegin)) vocabulary.longer.set(term, await this.#beginningWith(term))
      if (vocabulary.alike(stem).length > 0 || terms.some(term => vocabulary.beginningWith(term).length > 0)) continue
      for (const term of terms) vocabulary.errors.set(term, await this.#resembling(term))
    }
    const more = new Set([...vocabulary.longer.values(), ...vocabulary.errors.values()].flat())
    await count([...more])
    return vocabulary
  }

  async #beginningWith(letters: string): Promise<readonly string[]> {
    const rows = await this.database.ask<{ stem: string }>(
      `select stem from word where word >= ?1 and word < ?2 order by word limit ${mostLonger}`,
      [letters, `${letters}\u{10ffff}`],
    )
    return [...new Set(rows.map(({ stem }) => stem))]
  }

  async #resembling(term: string): Promise<readonly string[]> {
    const { ask } = this.database
    const [row] = await ask<{ words: string }>('select cast(count(*) as text) as words from word')
    if (this.#heads === undefined || this.#heads.changes !== row?.words) {
      const words = await ask<{ word: string; stem: string }>('select word, stem from word')
      this.#heads = { changes: row?.words ?? '', words: words.map(({ word, stem }) => [word, stem]) }
    }
    return [...new Set(this.#heads.words.flatMap(([word, stem]) => (isTypingErrorOf(term, word) ? stem : [])))]
  }
}

/** Returns a condition on the names of skills. */
export function within(parameter: string): string {
  return `and full_name >= ${parameter} and full_name < ${parameter} || '\u{10ffff}'`
}

/** Words that the words of one query find. A stem stands for all words that have it. */
class QueryVocabulary implements Vocabulary<string> {
  /** Number of skills with a stem, for those that many have. */
  readonly common = new Map<string, { readonly every: number; readonly heads: number }>()
  /** Skills with each other stem. */
  readonly rare = new Map<string, readonly number[]>()
  readonly longer = new Map<string, readonly string[]>()
  readonly errors = new Map<string, readonly string[]>()

  constructor(
    readonly stemOf: (word: string) => string,
    private readonly skills: number,
  ) {}

  size(): number {
    return this.skills
  }

  alike(stem: string): readonly string[] {
    return this.common.has(stem) || (this.rare.get(stem)?.length ?? 0) > 0 ? [stem] : []
  }

  beginningWith(letters: string): readonly string[] {
    return (this.longer.get(letters) ?? []).filter(stem => this.alike(stem).length > 0)
  }

  resembling(word: string): readonly string[] {
    return (this.errors.get(word) ?? []).filter(stem => this.alike(stem).length > 0)
  }

  textsWith(stems: readonly string[]): number {
    if (stems.length === 1) return this.#many('every', stems[0] ?? '')
    const rare = new Set(stems.flatMap(stem => this.rare.get(stem) ?? []))
    return Math.max(rare.size, ...stems.map(stem => this.common.get(stem)?.every ?? 0))
  }

  /** Returns the most skills that can have one of these stems. */
  most(words: 'every' | 'heads', found: readonly (readonly [stem: string, share: number])[]): number {
    return found.reduce((sum, [stem]) => sum + this.#many(words, stem), 0)
  }

  #many(words: 'every' | 'heads', stem: string): number {
    return this.common.get(stem)?.[words] ?? this.rare.get(stem)?.length ?? 0
  }
}

/** Returns the skills with the greatest scores. */
function bestOf(scores: ReadonlyMap<number, number>, most: number): readonly number[] {
  if (scores.size <= most) return [...scores.keys()]
  const sorted = Float64Array.from(scores.values()).sort()
  const least = sorted[sorted.length - most] ?? 0
  return [...scores].flatMap(([skill, score]) => (score >= least ? skill : [])).slice(0, most)
}
