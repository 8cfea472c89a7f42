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
 * What `readFlat` and `readFields` give together, quicker where the block begins with the name of the skill's folder and a
 * description, as nearly every one does. `undefined` means "not sure". See docs/reference.md, "Frontmatter".
 * @param head the file's first bytes
 * @param length how many bytes of `head` are the file's
 * @param whole whether the file ends there
 * @param name the folder's
 */
export function readFlatSkill(head: Buffer, length: number, whole: boolean, name: string, options?: FieldOptions): FlatSkill | undefined {
  const block = scanFlat(head, length, whole)
  if (block === undefined) return isFlatProse(head, length) ? { fields: {}, problems: none, bodyStart: 0 } : undefined
  const { text, bodyStart } = block
  // Options may leave these fields out, or count their length in another way.
  const opening = options === undefined ? readOpening(text, name, defaultLimits.description) : undefined
  if (opening !== undefined && name.length <= defaultLimits.name) {
    const { description, end } = opening
    if (end === text.length - 1) return { fields: { name, description }, problems: none, bodyStart }
    const rest = readBlock(text.slice(end))
    if (rest !== undefined && rest['name'] === undefined && rest['description'] === undefined) {
      const { fields, problems } = readFields(rest)
      fields.name = name
      fields.description = description
      return { fields, problems, bodyStart }
    }
  }
  const data = readBlock(text)
  return data === undefined ? undefined : { ...readFields(data, options), bodyStart }
}
