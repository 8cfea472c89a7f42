import type { Command } from '@skills/core'

/** The parts of a skill that are looked through, the one that says most about what it is for first. */
export const searchFields = ['name', 'displayName', 'aliases', 'keywords', 'description', 'whenToUse', 'body'] as const

export type SearchField = (typeof searchFields)[number]

/** What there is to look through; a part that is missing or empty is found by nothing. */
export type SearchText = Readonly<Partial<Record<SearchField, string>>> & { readonly name: string }

/**
 * What of a command is looked through without reading its body.
 * @param name what it is invoked by
 */
export function searchTextOf(command: Command, name: string = command.name): SearchText {
  const { displayName, aliases, description } = command
  return {
    name,
    // A qualified name has the plain one in it already.
    ...(displayName !== command.name && { displayName }),
    ...(aliases.length > 0 && { aliases: aliases.join('\n') }),
    ...(command.type === 'prompt' && { keywords: keywordsOf(command.metadata), whenToUse: command.whenToUse ?? '' }),
    description,
  }
}

/** Words that authors put beside a description so that a skill is found by them. */
function keywordsOf(metadata: Readonly<Record<string, unknown>>): string {
  return [metadata['tags'], metadata['keywords']]
    .flat()
    .filter(value => typeof value === 'string')
    .join('\n')
}

/**
 * Longer ones are no words of any language, and looking for what resembles them takes time that grows with their
 * square.
 */
const longestTerm = 64
const betweenTerms = /[\s\p{Z}\p{P}\p{Cc}]+/u
/**
 * The same as far as ASCII goes, which is most of it by far: asking for properties of characters takes ten times as
 * long.
 */
const betweenPlainTerms = /[\0- !-#%-*,-/:;?@[-\]_{}\x7f]+/
const beyondAscii = /[^\0-\x7f]/
/** Accents of Latin, Greek and Cyrillic letters; what looks like them in other scripts is a part of the letter. */
const accents = /[\u0300-\u036f]/g
/** Scripts that put nothing between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
let segmenter: Intl.Segmenter | undefined

/** A word without case, accents and width of its letters, so that words that differ only in these are equal. */
export function foldedTerm(term: string): string {
  const low = term.toLowerCase()
  return beyondAscii.test(low) ? low.normalize('NFKD').replace(accents, '').normalize('NFC') : low
}

/** The words of a text, folded. */
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

/** The words of a name: also those that it joins by nothing but a capital. */
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
