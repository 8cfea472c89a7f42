import { fieldOf, fieldTable } from '@skills/core/fields'
import type { FieldCode, FieldProblem } from './field-types.js'
import { asText, lengthOf } from './field-values.js'
import type { FrontmatterData } from '../types.js'

/** Facts about a skill that the rules need besides its frontmatter. */
export interface StandardContext {
  readonly folderName: string
  /** Lines of the body. */
  readonly bodyLines: number
  /** Characters of the body; four count as one token. */
  readonly bodyChars?: number | undefined
}

/** All keys of the open Agent Skills standard. */
export const standardKeys: readonly string[] = fieldTable
  .filter(field => field.standard === true)
  .map(({ name }) => name)

const longest = { name: 64, description: 1024, compatibility: 500 }
const longestBody = { lines: 500, tokens: 5000 }

/**
 * Checks a skill by the rules of the open Agent Skills standard, which are stricter than reading. Violations are
 * errors; a long body, and a field that other programs know, are advice. See docs/reference/fields.md, "Frontmatter".
 */
export function checkStandard(
  data: FrontmatterData,
  { folderName, bodyLines, bodyChars = 0 }: StandardContext,
): FieldProblem[] {
  const problems: FieldProblem[] = []
  const report = (
    severity: FieldProblem['severity'],
    code: FieldCode,
    field: string,
    message: string,
    hint: string,
  ) => {
    problems.push({ severity, code, field, message, hint, keyPath: [field] })
  }
  for (const key of Object.keys(data)) {
    if (standardKeys.includes(key)) continue
    const cost = costOf(key)
    const message = `\`${key}\` is not a key of the Agent Skills standard.`
    if (cost === undefined)
      report(
        'error',
        'standard-unknown-key',
        key,
        message,
        'Move the key below `metadata`: at the top level, no program reads it.',
      )
    // A hint must not make an author remove a field that restricts the skill.
    else
      report(
        'info',
        'standard-unknown-key',
        key,
        message,
        `Keep the key: some programs obey it. Below \`metadata\`, the key would have no effect: ${cost}.`,
      )
  }
  checkName(asText(data['name']) ?? '', folderName, report)
  const description = asText(data['description']) ?? ''
  if (description === '') {
    report(
      'error',
      'standard-description-missing',
      'description',
      'There is no `description`.',
      'Say what the skill does and when to use it.',
    )
  }
  checkLength('description', description, report)
  checkLength('compatibility', asText(data['compatibility']) ?? '', report)
  const tokens = Math.ceil(bodyChars / 4)
  if (bodyLines > longestBody.lines || tokens > longestBody.tokens) {
    const size =
      bodyLines > longestBody.lines
        ? `${bodyLines} lines; at most ${longestBody.lines}`
        : `about ${tokens} tokens; at most ${longestBody.tokens}`
    report(
      'info',
      'standard-body-long',
      'body',
      `The body has ${size} are advised.`,
      'Move details into files that the skill refers to.',
    )
  }
  return problems
}

/** Returns the effect of removing a key that the standard does not have, or undefined for a key that nothing reads. */
function costOf(key: string): string | undefined {
  const field = fieldOf(key)
  return field?.standard === true ? `other programs read it as \`${field.name}\`` : field?.without
}

type Report = (
  severity: FieldProblem['severity'],
  code: FieldCode,
  field: string,
  message: string,
  hint: string,
) => void

function checkName(written: string, folderName: string, report: Report): void {
  const name = written.normalize('NFKC')
  if (name === '')
    return report('error', 'standard-name-missing', 'name', 'There is no `name`.', `Write \`name: ${folderName}\`.`)
  checkLength('name', name, report)
  if (name !== name.toLowerCase())
    report(
      'error',
      'standard-name-case',
      'name',
      `\`${written}\` has upper-case letters.`,
      `Write \`${name.toLowerCase()}\`.`,
    )
  if (!/^[\p{L}\p{Nd}-]+$/u.test(name)) {
    report(
      'error',
      'standard-name-characters',
      'name',
      `\`${written}\` has characters other than letters, digits and hyphens.`,
      'Replace those characters by hyphens.',
    )
  }
  if (/^-|--|-$/.test(name)) {
    report(
      'error',
      'standard-name-hyphens',
      'name',
      `\`${written}\` begins or ends with a hyphen, or has two in a row.`,
      'Keep single hyphens between words.',
    )
  }
  if (name !== folderName.normalize('NFKC')) {
    report(
      'error',
      'standard-name-folder',
      'name',
      `\`${written}\` is not the name of its folder, \`${folderName}\`.`,
      'Give the skill and its folder the same name.',
    )
  }
}

function checkLength(field: 'name' | 'description' | 'compatibility', text: string, report: Report): void {
  const length = lengthOf(text, 'characters')
  if (length <= longest[field]) return
  report(
    'error',
    `standard-${field}-long`,
    field,
    `\`${field}\` has ${length} characters; at most ${longest[field]} are allowed.`,
    'Shorten it.',
  )
}
