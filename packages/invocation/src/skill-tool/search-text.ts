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
/** Places inside a word at which a further word begins, as in `gitCommit`, and the same for ASCII. */
const beforeCapital = /(?<=[\p{Ll}\d])(?=\p{Lu})/u
const beforePlainCapital = /(?<=[a-z\d])(?=[A-Z])/
const plainCapital = /[a-z\d][A-Z]/
const beyondAscii = /[^\0-\x7f]/
/** Accents of Latin, Greek and Cyrillic letters. Similar marks of other scripts are part of the letter. */
const accents = /[\u0300-\u036f]/g
/** Signs of scripts that write no spaces between words, with the marks on them, in a group. */
const unspaced =
  /((?:[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]\p{M}*)+)/u

/** True if a text has signs of a script that writes no spaces between words. */
export const isUnspaced = (text: string): boolean => beyondAscii.test(text) && unspaced.test(text)

/** Returns a word without case, accents and width variants, so that words that differ only in these are equal. */
export function foldedTerm(term: string): string {
  const low = term.toLowerCase()
  return beyondAscii.test(low) ? low.normalize('NFKD').replace(accents, '').normalize('NFC') : low
}

/**
 * Returns the words of a text, folded. Where a script writes no spaces, each two signs beside each other are a word.
 */
export function termsOf(text: string): string[] {
  return splitTerms(text, { isName: false, hasSingles: false })
}

/**
 * Returns the words of a name. A word with a capital inside, such as `gitCommit`, is split before it, and is a word as a
 * whole too.
 * @param hasSingles true for a text in which single signs of scripts without spaces are to be found
 */
export function nameTermsOf(name: string, hasSingles = false): string[] {
  return splitTerms(name, { isName: true, hasSingles })
}

function splitTerms(
  text: string,
  { isName, hasSingles }: { readonly isName: boolean; readonly hasSingles: boolean },
): string[] {
  const terms: string[] = []
  for (const plain of text.split(betweenPlainTerms)) {
    if (!beyondAscii.test(plain)) {
      if (plain === '') continue
      if (isName && plainCapital.test(plain))
        for (const part of cutTerm(plain).split(beforePlainCapital)) terms.push(part.toLowerCase())
      terms.push(cutTerm(plain).toLowerCase())
      continue
    }
    for (const part of plain.split(betweenTerms))
      for (const [at, run] of part.split(unspaced).entries()) {
        if (run === '') continue
        if (at % 2 === 1) {
          terms.push(...pairsOf(foldedTerm(run), hasSingles))
          continue
        }
        const parts = isName ? cutTerm(run).split(beforeCapital) : []
        if (parts.length > 1) terms.push(...parts.map(foldedTerm))
        terms.push(foldedTerm(cutTerm(run)))
      }
  }
  return terms
}

function cutTerm(term: string): string {
  return term.length > longestTerm ? term.slice(0, longestTerm) : term
}

/** Returns each sign with the next one. In a text in which single signs are found the last sign is a word too. */
function pairsOf(run: string, hasSingles: boolean): string[] {
  const signs = Array.from(run)
  const pairs = signs.slice(1).map((sign, at) => `${signs[at]}${sign}`)
  return hasSingles || pairs.length === 0 ? [...pairs, signs.at(-1) ?? ''] : pairs
}
