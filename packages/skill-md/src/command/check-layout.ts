import type { SkillFields } from '../fields/field-types.js'
import type { FieldFinding, SkillLayout } from './origin.js'

/**
 * Returns problems for requirements of a layout that a skill does not meet. A field with an error in `problems` counts
 * as given: it is there, but wrong.
 */
export function checkLayout(
  name: string,
  size: number,
  fields: SkillFields,
  bodyStart: number,
  layout: SkillLayout,
  problems: readonly FieldFinding[],
): readonly FieldFinding[] {
  const { required = none, bodyBytes = Infinity, nameBytes = Infinity } = layout
  // Most layouts require nothing, and every file is checked.
  if (required.length === 0 && bodyBytes === Infinity && nameBytes === Infinity) return none
  const isWrong = (wanted: string): boolean =>
    problems.some(({ field, severity }) => field === wanted && severity === 'error')
  const findings = required
    .filter(field => fields[field] === undefined && !isWrong(field))
    .map((field): FieldFinding => ({
      severity: 'error',
      code: 'missing-field',
      field,
      message: `\`${field}\` is missing; every skill must have this field.`,
      hint: `Write \`${field}\` into its frontmatter.`,
      keyPath: [field],
    }))
  const named = Buffer.byteLength(name)
  if (named > nameBytes) {
    findings.push({
      severity: 'error',
      code: 'name-too-long',
      field: 'name',
      message: `The name of the skill on disk has ${named} bytes; at most ${nameBytes} are allowed.`,
      hint: 'Rename it.',
      keyPath: [],
      length: named,
    })
  }
  const length = size - bodyStart
  return length <= bodyBytes
    ? findings
    : [
        ...findings,
        {
          severity: 'error',
          code: 'content-too-long',
          field: 'body',
          message: `The body has ${length} bytes; at most ${bodyBytes} are read.`,
          hint: 'Move details that are seldom needed into files beside SKILL.md.',
          keyPath: [],
          length,
        },
      ]
}

const none: readonly never[] = Object.freeze([])
