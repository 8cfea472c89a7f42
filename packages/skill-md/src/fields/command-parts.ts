import { ownFields, ownParts, type OwnField } from '@skills/core/fields'
import type { PromptCommandParts } from '@skills/core'
import type { SkillFields } from './field-types.js'

/**
 * Converts fields from {@link readFields} into parts of a command, for a source that makes its commands by
 * `promptCommand`. Set the command's `name` after you spread these parts, because the `name` among the fields is the
 * display name.
 * @param known the host's fields that were given to `readFields`
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
