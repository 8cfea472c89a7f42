import { readFields } from '../fields/read-fields.js'
import { defaultLimits } from '../fields/value-reader.js'
import type { FieldOptions, FieldProblem, SkillFields } from '../fields/field-types.js'
import { isQuietRest } from './quiet-rest.js'
import { readFlatBlock } from './read-flat-block.js'
import { readOpening } from './opening.js'
import { isFlatProse, scanFlat } from './scan.js'

/** A skill's head that the flat path understood completely. */
export interface FlatSkill {
  readonly fields: SkillFields
  readonly problems: readonly FieldProblem[]
  /** Offset in bytes of the body's first byte. */
  readonly bodyStart: number
  /** Lines behind those that `fields` were read from, for {@link readRest}: there is nothing wrong with them. */
  readonly rest?: string
}

const none: readonly never[] = Object.freeze([])

/**
 * What `readFlat` and `readFields` give together, quicker where the block begins with a name and a description, as nearly every
 * one does. `undefined` means "not sure". See docs/reference.md, "Frontmatter".
 * @param head the file's first bytes
 * @param length how many bytes of `head` are the file's
 * @param whole whether the file ends there
 * @param leavesRest whether fields that only say something of the skill (`license`, `compatibility`, `version`, `author`,
 * `allowed-tools`, `metadata`) may be left unread, as `rest`. Default: false
 */
export function readFlatSkill(head: Buffer, length: number, whole: boolean, options?: FieldOptions, leavesRest = false): FlatSkill | undefined {
  const block = scanFlat(head, length, whole)
  if (block === undefined) return isFlatProse(head, length) ? { fields: {}, problems: none, bodyStart: 0 } : undefined
  const { text, bodyStart } = block
  const quick = readQuickly(text, bodyStart, options, leavesRest)
  if (quick !== undefined) return quick
  const data = readFlatBlock(text)
  return data === undefined ? undefined : { ...readFields(data, options), bodyStart }
}

function readQuickly(text: string, bodyStart: number, options: FieldOptions | undefined, leavesRest: boolean): FlatSkill | undefined {
  const { isQuick, honoursName } = meaningOf(options)
  const opening = isQuick ? readOpening(text, defaultLimits.description) : undefined
  if (opening === undefined) return undefined
  const { name, description, rest: lines } = opening
  // A name that is not honoured is one of the keys that are kept.
  const isKept = name !== undefined && !honoursName
  if (!isKept && name !== undefined && name.length > defaultLimits.name) return undefined
  const waiting = isKept ? `\nname: ${name}${lines ?? '\n-'}` : lines
  if (leavesRest && waiting !== undefined && (lines === undefined || isQuietRest(lines))) {
    return { fields: isKept || name === undefined ? { description } : { name, description }, problems: none, bodyStart, rest: waiting }
  }
  const isAll = lines === undefined
  const rest = isAll ? {} : readFlatBlock(lines.slice(1))
  if (rest === undefined || rest['name'] !== undefined || rest['description'] !== undefined) return undefined
  const { fields, problems } = isAll && !isKept ? { fields: {} as SkillFields, problems: none } : readFields(rest, options, isKept ? { name } : undefined)
  if (!isKept && name !== undefined) fields.name = name
  fields.description = description
  return { fields, problems, bodyStart }
}

interface Meaning {
  /** Whether a name and a description are what they are without options: others count their length in another way. */
  readonly isQuick: boolean
  readonly honoursName: boolean
}

const meanings = new WeakMap<FieldOptions, Meaning>()
const plainMeaning: Meaning = { isQuick: true, honoursName: true }

/** What options mean for the quick way; all files of a folder have the same. */
function meaningOf(options: FieldOptions | undefined): Meaning {
  if (options === undefined) return plainMeaning
  let meaning = meanings.get(options)
  if (meaning === undefined) {
    const { only } = options
    const isQuick = Object.keys(options).every(key => key === 'only') && only?.includes('description') !== false
    meanings.set(options, meaning = { isQuick, honoursName: only?.includes('name') !== false })
  }
  return meaning
}
