import {
  bodyField,
  longestPart,
  nameTermsOf,
  scoreOf,
  searchFields,
  shareOf,
  wholeName,
  type SearchText,
  type Sought,
} from '@skills/invocation/internal'

/** Words and counts of one skill in the index of a registry. */
export interface IndexEntry {
  /** Stems of all words. */
  readonly stems: readonly string[]
  /** Stems of the words outside of the body. */
  readonly heads: readonly string[]
  /** Words outside of the body, each with its stem. */
  readonly words: readonly (readonly [word: string, stem: string])[]
  /** Whole names by which it is found before everything else. */
  readonly names: readonly string[]
  /** Length of each field, as the ranking counts it. */
  readonly lengths: readonly number[]
  /** Counts of the stems by field. */
  readonly profile: Uint8Array
}

/** Most different stems of one skill. PostgreSQL takes a megabyte of them. */
const mostStems = 16_384
const mostCount = 31
const fieldBytes = 4 * searchFields.length

/** Makes the entry of a skill. */
export function indexEntry(text: SearchText, stemOf: (word: string) => string): IndexEntry {
  const stems = new Map<string, number>()
  const heads = new Set<string>()
  const words = new Map<string, string>()
  const counts = new Map<number, number>()
  const lengths = searchFields.map((name, field) => {
    const part = (text[name] ?? '').slice(0, longestPart)
    const terms = part === '' ? [] : nameTermsOf(part, true)
    for (const term of terms) {
      const stem = words.get(term) ?? stemOf(term)
      let hash = stems.get(stem)
      if (hash === undefined) {
        if (stems.size === mostStems) continue
        stems.set(stem, (hash = hashOf(stem)))
      }
      if (field !== bodyField) {
        heads.add(stem)
        words.set(term, stem)
      }
      const key = hash * 8 + field
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    // As an index in memory has it, which does not split every body.
    return field === bodyField ? part.length : terms.length
  })
  const names = [text.name, text.displayName ?? '', ...(text.aliases?.split('\n') ?? [])].map(wholeName)
  return {
    stems: [...stems.keys()],
    heads: [...heads],
    words: [...words],
    names: [...new Set(names)].filter(name => name !== ''),
    lengths,
    profile: profileOf(lengths, counts),
  }
}

/**
 * Returns lengths and counts as bytes: the lengths, the hashes of the stems in order, and for each the field and the
 * count in 3 and 5 bits.
 */
function profileOf(lengths: readonly number[], counts: ReadonlyMap<number, number>): Uint8Array {
  const keys = Float64Array.from(counts.keys()).sort()
  const bytes = new Uint8Array(fieldBytes + 5 * keys.length)
  const view = new DataView(bytes.buffer)
  for (const [field, length] of lengths.entries()) view.setUint32(4 * field, length, true)
  const places = fieldBytes + 4 * keys.length
  for (const [at, key] of keys.entries()) {
    view.setUint32(fieldBytes + 4 * at, Math.floor(key / 8), true)
    bytes[places + at] = ((key % 8) << 5) | Math.min(mostCount, counts.get(key) ?? 0)
  }
  return bytes
}

/** Returns the lengths of the fields in a profile. */
export function lengthsIn(profile: Uint8Array): readonly number[] {
  const view = new DataView(profile.buffer, profile.byteOffset)
  return searchFields.map((_name, field) => view.getUint32(4 * field, true))
}

/** FNV-1a. Of 10 million stems in a text one is taken for another of a query. */
function hashOf(stem: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < stem.length; at++) hash = Math.imul(hash ^ stem.charCodeAt(at), 16777619)
  return hash >>> 0
}

export type Scorer = (profile: Uint8Array) => number

/**
 * Makes a function that returns the score of a skill by BM25F.
 * @param usual mean length of each field
 */
export function scorerOf(sought: readonly Sought<string>[], usual: readonly number[]): Scorer {
  const hashed = sought.map(({ weight, found, isError }) => ({
    weight,
    isError,
    found: found.map(([stem, share]) => [hashOf(stem), share] as const),
  }))
  return profile => {
    const view = new DataView(profile.buffer, profile.byteOffset, profile.byteLength)
    const size = (profile.byteLength - fieldBytes) / 5
    const lengths = lengthsIn(profile)
    const places = fieldBytes + 4 * size
    let score = 0
    for (const { weight, found, isError } of hashed) {
      let shares = 0
      for (const [hash, share] of found) {
        let [at, to] = [0, size]
        while (at < to) {
          const middle = (at + to) >>> 1
          if (view.getUint32(fieldBytes + 4 * middle, true) < hash) at = middle + 1
          else to = middle
        }
        for (; at < size && view.getUint32(fieldBytes + 4 * at, true) === hash; at++) {
          const place = profile[places + at]!
          const field = place >>> 5
          if (isError && field === bodyField) continue
          shares += shareOf(field, share * (place & mostCount), lengths[field]!, usual[field]!)
        }
      }
      if (shares > 0) score += scoreOf(weight, shares)
    }
    return score
  }
}
