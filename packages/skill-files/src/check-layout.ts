import type { FoundFile } from '@skills/fs'
import type { GivenFields } from './file-skill.js'
import type { FieldFinding, Layout } from './layout.js'

/** What a layout wants of a skill and it does not have. A field of which `problems` has an error is there, and wrong. */
export function checkLayout({ identity }: FoundFile, fields: GivenFields, bodyStart: number, { required = none, bodyBytes = Infinity }: Layout, problems: readonly FieldFinding[]): readonly FieldFinding[] {
  // Most layouts want nothing, and are asked about every file.
  if (required.length === 0 && bodyBytes === Infinity) return none
  const isWrong = (name: string): boolean => problems.some(({ field, severity }) => field === name && severity === 'error')
  const findings = required.filter(name => fields[name] === undefined && !isWrong(name)).map((name): FieldFinding => ({
    severity: 'error', code: 'missing-field', field: name, message: `\`${name}\` is missing, and a skill must have it.`, hint: `Write \`${name}\` into its frontmatter.`, keyPath: [name],
  }))
  const length = identity.size - bodyStart
  return length <= bodyBytes ? findings : [...findings, {
    severity: 'error', code: 'content-too-long', field: 'body', message: `The body has ${length} bytes; at most ${bodyBytes} are read.`, hint: 'Move what is seldom needed into files beside it.', keyPath: [], length,
  }]
}

const none: readonly never[] = Object.freeze([])
