import type { Command } from '@skills/core'

/** Fields of a skill that are searched, the most telling one first. */
export const searchFields = ['name', 'displayName', 'aliases', 'keywords', 'description', 'whenToUse', 'body'] as const

export type SearchField = (typeof searchFields)[number]

/** Texts to search, by field. A missing or empty field matches nothing. */
export type SearchText = Readonly<Partial<Record<SearchField, string>>> & { readonly name: string }

/**
 * Returns the texts of a command that are searched without reading its body.
 * @param name name by which the command is invoked
 */
export function searchTextOf(command: Command, name: string = command.name): SearchText {
  const { displayName, aliases, description } = command
  return {
    name,
    // A qualified name contains the plain one.
    ...(displayName !== command.name && { displayName }),
    ...(aliases.length > 0 && { aliases: aliases.join('\n') }),
    ...(command.type === 'prompt' && { keywords: keywordsOf(command.metadata), whenToUse: command.whenToUse ?? '' }),
    description,
  }
}

/** Returns the words of `tags` and `keywords`, by which authors want a skill to be found. */
function keywordsOf(metadata: Readonly<Record<string, unknown>>): string {
  return [metadata['tags'], metadata['keywords']]
    .flat()
    .filter(value => typeof value === 'string')
    .join('\n')
}

/**
 * Longest word in UTF-16 code units. No language has longer ones, and a search for similar words takes time that grows
 * with the square of the length.
 */
const longestTerm = 64
const betweenTerms = /[\s\p{Z}\p{P}\p{Cc}]+/u
/** The same separators for ASCII, which most text is: testing properties of characters takes ten times as long. */
const betweenPlainTerms = /[\0- !-#%-*,-/:;?@[-\]_{}\x7f]+/
const beyondAscii = /[^\0-\x7f]/
/** Accents of Latin, Greek and Cyrillic letters. Similar marks of other scripts are part of the letter. */
const accents = /[\u0300-\u036f]/g
/** Scripts that write no spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
let segmenter: Intl.Segmenter | undefined

/** Returns a word without case, accents and width variants, so that words that differ only in these are equal. */
export function foldedTerm(term: string): string {
  const low = term.toLowerCase()
  return beyondAscii.test(low) ? low.normalize('NFKD').replace(accents, '').normalize('NFC') : low
}

/** Returns the words of a text, folded. */
export function termsOf(text: string): string[] {
  const terms: string[] = []
  for (const plain of text.split(betweenPlainTerms)) {
    if (!beyondAscii.test(plain)) {
      if (plain !== '') terms.push(cutTerm(plain).toLowerCase())
      continue
    }
    for (const part of plain.split(betweenTerms)) {
      if (part === '') continue
      if (unspaced.test(part))
        for (const { segment, isWordLike } of segmentsOf(part)) {
          if (isWordLike === true) terms.push(foldedTerm(cutTerm(segment)))
        }
      else terms.push(foldedTerm(cutTerm(part)))
    }
  }
  return terms
}

/** Returns the words of a name. Also splits before a capital inside a word, as in `gitCommit`. */
export function nameTermsOf(name: string): string[] {
  return termsOf(name.replace(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ')).concat(
    /[\p{Ll}\d]\p{Lu}/u.test(name) ? termsOf(name) : [],
  )
}

function cutTerm(term: string): string {
  return term.length > longestTerm ? term.slice(0, longestTerm) : term
}

function segmentsOf(text: string): Intl.Segments {
  return (segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' })).segment(text)
}
