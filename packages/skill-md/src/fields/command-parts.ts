import { ownFields, ownParts, type OwnField } from '@skills/core/fields'
import type { PromptCommandParts } from '@skills/core'
import type { SkillFields } from './field-types.js'

/**
 * Converts fields from {@link readFields} for a source that makes its commands by `promptCommand`. Set the command's
 * `name` after them, because theirs is the display name.
 * @param known fields of a host that they were read with
 */
export function commandParts(
  { own, name, ...fields }: SkillFields,
  known: readonly OwnField[] = [],
): Partial<PromptCommandParts> {
  return {
    ...fields,
    ...(name !== undefined && { displayName: name }),
    ...(own && { ...ownParts(own, known), [ownFields]: own }),
  }
}
