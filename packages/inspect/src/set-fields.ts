import { fieldTable, ownValues } from '@skills/core/fields'
import type { KnownField } from '@skills/core/internal'
import type { Command } from '@skills/core'

export interface SetField {
  /** Name in the frontmatter. */
  readonly name: string
  readonly value: unknown
}

/**
 * Returns the fields of a command that change something, in the order of the table in docs/reference/fields.md,
 * "Frontmatter", followed by those of the host. The values are the ones in effect: a file beside the skill, or the
 * source, may have changed the values in the file.
 */
export function setFields(command: Command): readonly SetField[] {
  const own = Object.entries(ownValues(command)).flatMap(([name, value]) => (isEmpty(value) ? [] : [{ name, value }]))
  const known = fieldTable.flatMap(({ name, property, otherwise }) => {
    const value = isDerived(command, property) ? undefined : (Reflect.get(command, property) as unknown)
    return isEmpty(value) || value === otherwise
      ? []
      : [{ name, value: property === 'name' ? command.displayName : value }]
  })
  return [...known, ...own]
}

/** Returns true if the engine derived a name or a description itself. */
function isDerived(
  { name, displayName, hasUserSpecifiedDescription }: Command,
  property: KnownField['property'],
): boolean {
  return (property === 'name' && displayName === name) || (property === 'description' && !hasUserSpecifiedDescription)
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
