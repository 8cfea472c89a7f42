import { TextPlaces } from './text-places.js'
import type { Diagnostic } from '@skills/core'
import type { SkillFields } from '@skills/skill-md'

/** Beginnings of the texts that `skills new` writes for an author to replace. */
export const placeholders = {
  description: 'Describe here what ',
  body: 'Write here what the model is to do, step by step,',
}

/** True if a description is still the placeholder of `skills new` or `skills plugin init`. */
export function isPlaceholder(description: unknown): boolean {
  return typeof description === 'string' && description.startsWith(placeholders.description)
}

/** Returns a warning for a skill whose description or text is still the placeholder. */
export function checkPlaceholder(text: string, body: string, { description }: SkillFields): readonly Diagnostic[] {
  const what = isPlaceholder(description) ? 'description' : body.includes(placeholders.body) ? 'body' : undefined
  if (what === undefined) return []
  return [
    {
      severity: 'warning',
      type: 'validation',
      code: 'untouched-text',
      ...new TextPlaces(text).at(Math.max(0, text.indexOf(placeholders[what].trim()))),
      message: what === 'body' ? 'The text is still the placeholder.' : 'The description is still the placeholder.',
      hint: what === 'body' ? 'Write what the model is to do.' : 'Say what the skill does and when to use it.',
    },
  ]
}
