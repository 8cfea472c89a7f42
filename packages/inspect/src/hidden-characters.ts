export interface HiddenCharacters {
  /**
   * `control`: a terminal obeys it. `bidirectional`: it reorders text. `tag`: a letter that is never shown.
   * `invisible`: it has no width.
   */
  readonly kind: 'control' | 'bidirectional' | 'tag' | 'invisible'
  /** Offset of the first one, in UTF-16 code units. */
  readonly start: number
  /** Number of such characters in a row. */
  readonly count: number
  /** The first one, in the form `U+202E`. */
  readonly first: string
}

/** Emoji of regional flags contain tags, and those of colours and professions joiners and selectors. */
const legitimate =
  /\u{1f3f4}[\u{e0020}-\u{e007e}]{1,8}\u{e007f}|[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Emoji_Component}\ufe0f][\u200c\u200d](?=[\p{L}\p{M}\p{Extended_Pictographic}])|\p{Unified_Ideograph}[\u{e0100}-\u{e01ef}]/gu

const kinds: readonly (readonly [HiddenCharacters['kind'], RegExp])[] = [
  ['tag', /[\u{e0000}-\u{e0fff}]|[\ufe00-\ufe0f]{2,}/u],
  ['bidirectional', /[\u202a-\u202e\u2066-\u2069]/u],
  ['control', /(?![\t\n\r])[\p{Cc}\u2028\u2029]/u],
  ['invisible', /(?![\ufe00-\ufe0f\u200e\u200f\u061c\u00ad])[\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u],
]

const runs = new RegExp(kinds.map(([kind, { source }]) => `(?<${kind}>(?:${source})+)`).join('|'), 'gu')
const suspect = /[^\n\r\t -~]/

/**
 * Yields the characters of a text that a reader does not see, run by run, in order. Skips a byte order mark at the
 * beginning, soft hyphens and direction marks. Also skips the tags, joiners and selectors that belong to emoji or to
 * scripts that need them.
 */
export function* hiddenCharacters(text: string): Generator<HiddenCharacters> {
  if (!suspect.test(text)) return
  // Legitimate sequences are replaced by the same number of letters, so that every offset stays.
  const covered = text.replace(/^\ufeff/, 'x').replace(legitimate, found => 'x'.repeat(found.length))
  for (const { 0: run, index, groups = {} } of covered.matchAll(runs)) {
    yield {
      kind: kinds.find(([kind]) => groups[kind] !== undefined)?.[0] ?? 'invisible',
      start: index,
      count: [...run].length,
      first: `U+${(run.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
    }
  }
}

/** Returns the text that a run of tags spells, which may be empty. Instructions have been hidden in that way. */
export function spelledByTags(run: string): string {
  return Array.from(run, character => {
    const code = (character.codePointAt(0) ?? 0) - 0xe0000
    return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : ''
  }).join('')
}
