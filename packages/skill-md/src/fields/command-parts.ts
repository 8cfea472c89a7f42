import { ownFields, type OwnField } from './field.js'
import type { PromptCommandParts } from '@skills/core'
import type { SkillFields } from './field-table.js'

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
    ...(own && { ...Object.fromEntries(askingFields(own, known)), [ownFields]: own }),
  }
}

/** The fields of a host that permission looks at, by property: a command has them by name. */
export function askingFields(
  own: Readonly<Record<string, unknown>>,
  known: readonly OwnField[] = [],
): readonly (readonly [string, unknown])[] {
  return known.flatMap(({ asks, name, property }) =>
    asks && Object.hasOwn(own, name) ? [[property, own[name]] as const] : [],
  )
}
