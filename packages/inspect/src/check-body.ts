import type { Diagnostic } from '@skills/core'
import type { ParsedFrontmatter } from '@skills/skill-md/internal'
import type { SkillFields } from '@skills/skill-md'

/** Returns warnings for a body that reads without errors, but is too long or too short to be of use. */
export function checkBody(
  body: string,
  { bodyLine }: ParsedFrontmatter,
  fields: SkillFields,
  { bodyChars = 15_000 }: { readonly bodyChars?: number | undefined },
): readonly Diagnostic[] {
  const found: Diagnostic[] = []
  const warn = (code: string, line: number, message: string, hint: string): void => {
    found.push({ severity: 'warning', type: 'validation', code, message, hint, line, column: 1 })
  }
  const isForModel = fields.disableModelInvocation !== true
  if (isForModel && fields.description === undefined && fields.whenToUse === undefined) {
    const message = 'The skill has no description of its own, so most agents never tell a model of this skill.'
    warn('no-description', 1, message, 'Write description: what it does and when to use it.')
  }
  if (body.trim() === '') {
    const message = 'The skill has no text below the frontmatter, so invoking it tells the model nothing.'
    warn('empty-body', bodyLine, message, 'Write the prompt below the frontmatter.')
  } else if (body.length > bodyChars) {
    const message = `The body has ${body.length} characters; the recommended limit is ${bodyChars}.`
    warn('body-too-long', bodyLine, message, 'Move details into files that the skill refers to.')
  }
  return found
}
