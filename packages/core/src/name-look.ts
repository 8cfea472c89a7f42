import { looksLike } from './confusables.js'
import { beyondAscii, foldedName } from './name.js'

/** Form of nearly every name. It cannot be mistaken, apart from a few pairs such as `rn` and `m`. */
const plain = /^[A-Za-z0-9_./@+~-]+(?::[A-Za-z0-9_./@+~-]+)*$/
/** Name that only another name with further characters can look like. */
const own = /^(?!.*rn)[a-z2-9_.:-]+$/

const oddSpace = /^\s|\s$|\s\s|[^\S ]/
/** Text that separates or surrounds the parts of an entry, in any form of a listing. */
const listed = /:\s|:$|^:|\s[-\u2010-\u2015(=]|["\\<>`*|]/u

/** Returns why a name is misleading by itself, as the end of a sentence; undefined if it is not. */
export function oddityOf(name: string): string | undefined {
  if (plain.test(name)) return undefined
  if (holdsUnseen(name)) return 'holds a character that is not seen'
  if (oddSpace.test(name)) return 'has white space at its ends, or of an unusual kind'
  if (listed.test(name)) return 'holds what ends an entry of a list'
  // Combining mark without a letter before it.
  const looseMark = /(?:^|[\0-\x7f])\p{M}/u
  return looseMark.test(name.normalize()) ? 'holds a mark that belongs to no letter' : undefined
}

/** Names with zeros and ones too: each has one look and is not odd. */
const numbered = /^(?!.*rn)[a-z\d_.-]+$/

/**
 * Returns the one look of a name of small letters and digits, as nearly all names are; undefined for any other name.
 * Such a name has no {@link oddityOf}, and {@link looksOf} returns the same look.
 */
export const plainLookOf = (name: string): string | undefined =>
  numbered.test(name) ? name.replaceAll('0', 'o').replaceAll('1', 'l') : undefined

/** True if a name looks like itself alone. */
export const isOwnLook = (name: string): boolean => own.test(name)

/**
 * True if a name contains controls, lone surrogates, or characters that change the direction of text or are invisible.
 * Joiners and variation selectors count unless an emoji stands before them.
 */
export function holdsUnseen(name: string): boolean {
  // Compiled where it is used: few names need an expression with Unicode properties.
  const unseen =
    /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u2800\ufff9-\ufffd]|(?!(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])(?:\u200d|\ufe0f))\p{Default_Ignorable_Code_Point}/u
  return unseen.test(name)
}

/** Returns the look of a name. Two names with the same look can be taken for each other. */
export function lookOf(name: string): string {
  if (isOwnLook(name)) return name
  const look = (beyondAscii.test(name) ? asSeen(name) : name).toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l')
  // Half of all names have digits; the other characters are rare.
  return /[\s|]|rn/.test(look) ? look.replace(/\s+/g, ' ').trim().replaceAll('|', 'l').replaceAll('rn', 'm') : look
}

function asSeen(name: string): string {
  const hiddenOnes = /[\p{Cc}\p{Default_Ignorable_Code_Point}]|(?<=[\0-\x7f])\p{M}/gu
  const shown = name.normalize('NFKC').toLowerCase().normalize('NFKC').replace(hiddenOnes, '')
  return Array.from(shown, each => looksLike(each) ?? each).join('')
}

/** Returns all looks of a name: a capital I is also taken for an l. */
export function looksOf(name: string): readonly string[] {
  const look = lookOf(name)
  const other = name.replace(/[I\u0406\u0399\u04c0]/g, 'l')
  return look === name || other === name ? [look] : [look, lookOf(other)]
}

/** True if two names are the same apart from case, which a person notices. */
export const isSameWord = (one: string, other: string): boolean => foldedName(one) === foldedName(other)

/**
 * True if a part of a name mixes Latin letters with similar ones of other scripts, or if the whole name looks like
 * ASCII and is not.
 */
function isDisguised(name: string): boolean {
  if (!beyondAscii.test(name)) return false
  if (!beyondAscii.test(lookOf(name))) return true
  return name
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .some(
      part =>
        /\p{Script=Latin}/u.test(part) &&
        Array.from(part).some(each => looksLike(each.toLowerCase()) !== undefined && !/\p{Script=Latin}/u.test(each)),
    )
}

/**
 * Returns a name as it is shown, so that it cannot be mistaken. Nearly always it is unchanged; otherwise it is in
 * quotes, with numbers such as `\u{430}` for characters beyond printable ASCII. See docs/reference/commands.md,
 * "Names".
 * @param isDoubted true if another name looks like it, see {@link CatalogEntry.doubt}
 */
export function shownName(name: string, isDoubted = false): string {
  if (!isDoubted && (plain.test(name) || (oddityOf(name) === undefined && !isDisguised(name)))) return name
  return `"${name.replace(/["\\]/g, '\\$&').replace(/[^\x20-\x7e]/gu, each => `\\u{${(each.codePointAt(0) ?? 0).toString(16)}}`)}"`
}
