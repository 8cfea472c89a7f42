import { readFields } from '../fields/read-fields.js'
import { defaultLimits } from '../fields/value-reader.js'
import type { FieldOptions, FieldProblem, SkillFields } from '../fields/field-types.js'
import { readBlock } from './read-block.js'
import { readOpening } from './opening.js'
import { isFlatProse, scanFlat } from './scan.js'

/** A skill's head that the flat path understood completely. */
export interface FlatSkill {
  readonly fields: SkillFields
  readonly problems: readonly FieldProblem[]
  /** Offset in bytes of the body's first byte. */
  readonly bodyStart: number
}

const none: readonly never[] = Object.freeze([])

/**
 * What `readFlat` and `readFields` give together, quicker where the block begins with a name and a description, as nearly every
 * one does. `undefined` means "not sure". See docs/reference.md, "Frontmatter".
 * @param head the file's first bytes
 * @param length how many bytes of `head` are the file's
 * @param whole whether the file ends there
 */
export function readFlatSkill(head: Buffer, length: number, whole: boolean, options?: FieldOptions): FlatSkill | undefined {
  const block = scanFlat(head, length, whole)
  if (block === undefined) return isFlatProse(head, length) ? { fields: {}, problems: none, bodyStart: 0 } : undefined
  const { text, bodyStart } = block
  const quick = readQuickly(text, bodyStart, options)
  if (quick !== undefined) return quick
  const data = readBlock(text)
  return data === undefined ? undefined : { ...readFields(data, options), bodyStart }
}

function readQuickly(text: string, bodyStart: number, options: FieldOptions | undefined): FlatSkill | undefined {
  // Other options count their length in another way.
  if (options !== undefined && Object.keys(options).some(key => key !== 'only')) return undefined
  if (options?.only?.includes('description') === false) return undefined
  const opening = readOpening(text, defaultLimits.description)
  if (opening === undefined) return undefined
  const { name, description, end } = opening
  // A name that is not honoured is one of the keys that are kept.
  const isKept = name !== undefined && options?.only?.includes('name') === false
  if (!isKept && name !== undefined && name.length > defaultLimits.name) return undefined
  const isAll = end === text.length - 1
  const rest = isAll ? {} : readBlock(text.slice(end))
  if (rest === undefined || rest['name'] !== undefined || rest['description'] !== undefined) return undefined
  const { fields, problems } = isAll && !isKept ? { fields: {} as SkillFields, problems: none } : readFields(rest, options, isKept ? { name } : undefined)
  if (!isKept && name !== undefined) fields.name = name
  fields.description = description
  return { fields, problems, bodyStart }
}
