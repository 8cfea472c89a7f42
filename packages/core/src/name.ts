import { looksLike } from './confusables.js'
import type { Command, CatalogEntry } from './command.js'

export const beyondAscii = /[^\0-\x7f]/

/** Compares two texts by UTF-16 code unit, so that the order is the same on every machine and in every locale. */
export const compareCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Returns a name as catalogs compare it: in Unicode NFC, since two file systems may store one name differently. */
export const nameKey = (name: string): string => (beyondAscii.test(name) ? name.normalize('NFC') : name)

/** Returns the form in which typed names are compared: in NFC and in lower case. */
export const foldedName = (name: string): string => nameKey(name).toLowerCase()

/**
 * Returns the names closest to `word`, best first. A name is close if a few edits turn it into `word`, or if one begins
 * with the other.
 * @param most most names to return
 */
export function closestNames(word: string, names: Iterable<string>, most = 3): readonly string[] {
  const wanted = word.toLowerCase()
  const { length } = wanted
  const limit = Math.min(3, length - 1, Math.ceil(length / 3))
  return [...names]
    .flatMap(name => {
      const candidate = name.toLowerCase()
      const isPrefix =
        length > 2 && candidate.length > 2 && (candidate.startsWith(wanted) || wanted.startsWith(candidate))
      // The number of edits is at least the difference in length, which is cheaper to compute.
      if (!isPrefix && Math.abs(candidate.length - length) > limit) return []
      const edits = editsBetween(wanted, candidate)
      return edits > limit && !isPrefix ? [] : { name, edits }
    })
    .toSorted((a, b) => a.edits - b.edits || compareCodeUnits(a.name, b.name))
    .slice(0, most)
    .map(({ name }) => name)
}

/**
 * Returns how many characters must be inserted, removed, replaced or swapped with their neighbour to turn one word into
 * the other.
 */
export function editsBetween(one: string, other: string): number {
  let above: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_none, at) => at)
  for (let down = 1; down <= one.length; down++) {
    const next = [down]
    for (let at = 1; at <= other.length; at++) {
      const isSwap = one[down - 1] === other[at - 2] && one[down - 2] === other[at - 1]
      const same = Number(one[down - 1] === other[at - 1])
      next.push(Math.min(row[at - 1]! - same, row[at]!, next[at - 1]!, isSwap ? above[at - 2]! : Infinity) + 1)
    }
    ;[above, row] = [row, next]
  }
  return row[other.length]!
}

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
  if (holdsUnseen(name)) return 'holds an invisible character'
  if (oddSpace.test(name)) return 'has white space at its ends, or unusual white space'
  if (listed.test(name)) return 'holds characters that end an entry of a listing'
  // Combining mark without a letter before it.
  const looseMark = /(?:^|[\0-\x7f])\p{M}/u
  return looseMark.test(name.normalize()) ? 'holds a combining mark without a letter' : undefined
}

/** Names with zeros and ones too: each has one look and is not odd. */
const numbered = /^(?!.*rn)[a-z\d_.-]+$/

/**
 * Returns {@link lookOf} of a name that consists of small letters and digits, as nearly all names do; undefined for any
 * other name. It is faster than {@link looksOf}, and for such a name {@link oddityOf} is always undefined.
 */
export const plainLookOf = (name: string): string | undefined =>
  numbered.test(name) ? name.replaceAll('0', 'o').replaceAll('1', 'l') : undefined

/** True if a name looks like itself alone. */
const isOwnLook = (name: string): boolean => own.test(name)

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

/**
 * Returns the appearance of a name: the name with every character replaced by one that represents all similar ones,
 * such as `l` for `1`. Readers can mistake two names with an equal appearance for each other.
 */
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

/**
 * Returns all appearances of a name (see {@link lookOf}). There are two if it has a capital I, which readers may also
 * take for an l.
 */
export function looksOf(name: string): readonly string[] {
  const look = lookOf(name)
  const other = name.replace(/[I\u0406\u0399\u04c0]/g, 'l')
  return look === name || other === name ? [look] : [look, lookOf(other)]
}

/** True if two names are the same apart from case, which a person notices. */
const isSameWord = (one: string, other: string): boolean => foldedName(one) === foldedName(other)

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
 * Returns a name in the form in which it is shown, so that readers cannot mistake it for another name. Nearly always it
 * is unchanged; otherwise it is in quotes, with numbers such as `\u{430}` for characters beyond printable ASCII. See
 * docs/reference/commands.md, "Names".
 * @param isDoubted true if another name looks like it, see {@link CatalogEntry.doubt}
 */
export function shownName(name: string, isDoubted = false): string {
  if (!isDoubted && (plain.test(name) || (oddityOf(name) === undefined && !isDisguised(name)))) return name
  return `"${name.replace(/["\\]/g, '\\$&').replace(/[^\x20-\x7e]/gu, each => `\\u{${(each.codePointAt(0) ?? 0).toString(16)}}`)}"`
}

/** First test: only such names can be qualified. Without the flag for case, which takes four times as long. */
const mayBeQualified = /^[Mm][Cc][Pp]__|[:\u0080-\uffff]/

/**
 * Returns the word before the first colon of a name, in the form of {@link lookOf}. Undefined if there is no colon, or
 * if the word is the command's own plugin or qualifier. All MCP servers share the word `mcp__`. See
 * docs/reference/commands.md, "Names".
 */
export function qualifierOf(name: string, command: Command): string | undefined {
  if (!mayBeQualified.test(name)) return undefined
  const [first = '', rest] = lookOf(name).split(':')
  if (first.startsWith('mcp__')) return command.loadedFrom === 'mcp' ? undefined : 'mcp__'
  if (rest === undefined) return undefined
  const { pluginName, qualifier } = command.type === 'prompt' ? command : {}
  return [pluginName, qualifier ?? command.source].some(word => word !== undefined && lookOf(word) === first)
    ? undefined
    : first
}

/** Sentence that says what a name could be taken for. */
interface Doubt {
  readonly code: 'misleading-name' | 'case-collision'
  readonly text: string
}

/**
 * Finds entries whose name, display name or alias readers can mistake for another name. Returns each with a sentence
 * that says why. If several names look alike, the first one in plain ASCII is not reported; without one, the first
 * name. Takes time linear in the number of names; most names are tested with two patterns only.
 * @param byName the same entries
 */
export function doubtfulNames(
  entries: readonly CatalogEntry[],
  byName: ReadonlyMap<string, CatalogEntry>,
): ReadonlyMap<CatalogEntry, Doubt> {
  const doubts = new Map<CatalogEntry, Doubt>()
  const byLook = new Map<string, CatalogEntry>()
  const holderOf = (look: string): CatalogEntry | undefined => byLook.get(look) ?? byName.get(look)
  let ranks: ReadonlyMap<CatalogEntry, number> | undefined
  const comesFirst = (one: CatalogEntry, other: CatalogEntry): boolean => {
    ranks ??= new Map(entries.map((entry, at) => [entry, at]))
    return (ranks.get(one) ?? 0) < (ranks.get(other) ?? 0)
  }
  const doubt = (entry: CatalogEntry, text: string, code: Doubt['code'] = 'misleading-name'): unknown =>
    doubts.has(entry) || doubts.set(entry, { code, text })

  const unusual = entries.filter(({ name }) => !isOwnLook(name))
  const isBeyond = ({ name }: CatalogEntry): boolean => beyondAscii.test(name)
  for (const entry of unusual.some(isBeyond)
    ? [...unusual.filter(one => !isBeyond(one)), ...unusual.filter(isBeyond)]
    : unusual) {
    const { name } = entry
    const only = plainLookOf(name)
    if (only !== undefined && holderOf(only) === undefined) {
      byLook.set(only, entry)
      continue
    }
    const oddity = oddityOf(name)
    if (oddity !== undefined) doubt(entry, `Its name ${shownName(name)} ${oddity}.`)
    for (const look of looksOf(name)) {
      const holder = holderOf(look)
      if (holder === entry) continue
      const isHolder =
        holder === undefined ||
        (oddity === undefined && !beyondAscii.test(name) && !doubts.has(entry) && comesFirst(entry, holder))
      if (isHolder) byLook.set(look, entry)
      const [loser, winner] = isHolder ? [holder, entry] : [entry, holder]
      if (loser === undefined) continue
      if (isSameWord(loser.name, winner.name))
        doubt(loser, `"${loser.name}" and "${winner.name}" differ in case only.`, 'case-collision')
      else
        doubt(
          loser,
          `Its name ${shownName(loser.name, true)} looks like ${shownName(winner.name)} of ${winner.command.source}.`,
        )
    }
  }
  for (const entry of entries) {
    const {
      command: { name, displayName, aliases },
    } = entry
    if (displayName === name && aliases.length === 0) continue
    for (const other of [displayName, ...aliases]) {
      const holder = looksOf(other)
        .map(holderOf)
        .find(one => one !== undefined && one !== entry && !isSameWord(one.name, other))
      if (holder !== undefined)
        doubt(
          entry,
          `It also goes by ${shownName(other, true)}, which looks like ${shownName(holder.name)} of ${holder.command.source}.`,
        )
    }
  }
  return doubts
}
