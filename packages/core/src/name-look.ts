import { looksLike } from './confusables.js'
import { beyondAscii, foldedName } from './name.js'

/** What nearly every name consists of: nothing in it can be mistaken, but for a few pairs such as `rn` and `m`. */
const plain = /^[A-Za-z0-9_./@+~-]+(?::[A-Za-z0-9_./@+~-]+)*$/
/** A name that no other one can look like, unless that one holds something that this one does not. */
const own = /^(?!.*rn)[a-z2-9_.:-]+$/

const oddSpace = /^\s|\s$|\s\s|[^\S ]/
/** What stands between the parts of an entry, in whichever way a listing is written, or around them. */
const listed = /:\s|:$|^:|\s[-\u2010-\u2015(=]|["\\<>`*|]/u

/**
 * What makes a name misleading on its own, without regard to other names, as the end of a sentence. Undefined: nothing.
 */
export function oddityOf(name: string): string | undefined {
  if (plain.test(name)) return undefined
  if (holdsUnseen(name)) return 'holds a character that is not seen'
  if (oddSpace.test(name)) return 'has white space at its ends, or of an unusual kind'
  if (listed.test(name)) return 'holds what ends an entry of a list'
  // A mark that makes no letter together with what precedes it.
  const looseMark = /(?:^|[\0-\x7f])\p{M}/u
  return looseMark.test(name.normalize()) ? 'holds a mark that belongs to no letter' : undefined
}

/** The same with zeros and ones, as numbers in names have: each makes one look, and nothing else of it is odd. */
const numbered = /^(?!.*rn)[a-z\d_.-]+$/

/**
 * The one look of a name in small letters and digits, as nearly all names are; undefined of any other name. Says what
 * {@link looksOf} says, and that there is no {@link oddityOf} it.
 */
export const plainLookOf = (name: string): string | undefined =>
  numbered.test(name) ? name.replaceAll('0', 'o').replaceAll('1', 'l') : undefined

/** Whether a name looks like itself alone. */
export const isOwnLook = (name: string): boolean => own.test(name)

/**
 * Whether a name holds controls, halves of characters, what turns text around or shows as nothing. What emoji are joined
 * and varied with counts only where no emoji stands before it.
 */
export function holdsUnseen(name: string): boolean {
  // An expression with Unicode properties is made where it is used: few names need it.
  const unseen =
    /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u2800\ufff9-\ufffd]|(?!(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])(?:\u200d|\ufe0f))\p{Default_Ignorable_Code_Point}/u
  return unseen.test(name)
}

/** What a name looks like: two names with one look can be taken for each other. */
export function lookOf(name: string): string {
  if (isOwnLook(name)) return name
  const look = (beyondAscii.test(name) ? asSeen(name) : name).toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l')
  // Numbers are in half of all names, the others in hardly any.
  return /[\s|]|rn/.test(look) ? look.replace(/\s+/g, ' ').trim().replaceAll('|', 'l').replaceAll('rn', 'm') : look
}

function asSeen(name: string): string {
  const hiddenOnes = /[\p{Cc}\p{Default_Ignorable_Code_Point}]|(?<=[\0-\x7f])\p{M}/gu
  const shown = name.normalize('NFKC').toLowerCase().normalize('NFKC').replace(hiddenOnes, '')
  return Array.from(shown, each => looksLike(each) ?? each).join('')
}

/** All looks of a name: a capital I is also taken for an l. */
export function looksOf(name: string): readonly string[] {
  const look = lookOf(name)
  const other = name.replace(/[I\u0406\u0399\u04c0]/g, 'l')
  return look === name || other === name ? [look] : [look, lookOf(other)]
}

/** Whether two names differ in case alone, or not at all: a person sees that they do. */
export const isSameWord = (one: string, other: string): boolean => foldedName(one) === foldedName(other)

/**
 * Whether a part of a name has Latin letters and others that look like such, or all of the name looks like ASCII and is
 * not.
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
 * A name as it is shown, so that it cannot be mistaken: nearly always as it is; else in quotes, with numbers such as
 * `\u{430}` for what is not printable ASCII. See docs/reference/commands.md, "Names".
 * @param isDoubted whether another one looks like it: {@link CatalogEntry.doubt} says so
 */
export function shownName(name: string, isDoubted = false): string {
  if (!isDoubted && (plain.test(name) || (oddityOf(name) === undefined && !isDisguised(name)))) return name
  return `"${name.replace(/["\\]/g, '\\$&').replace(/[^\x20-\x7e]/gu, each => `\\u{${(each.codePointAt(0) ?? 0).toString(16)}}`)}"`
}
