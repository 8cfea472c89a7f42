import { ownFields, ownParts, type OwnField } from '@skills/core/fields'
import type { PromptCommandParts } from '@skills/core'
import type { SkillFields } from './field-types.js'

/**
 * What a command has of fields that {@link readFields} gave, for a source that makes its commands by `promptCommand`.
 * Put its `name` after them: theirs is the display name.
 * @param known the fields of a host that they were read with
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
