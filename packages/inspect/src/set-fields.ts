import { fieldTable, ownValues } from '@skills/core/fields'
import type { KnownField } from '@skills/core/internal'
import type { Command } from '@skills/core'

export interface SetField {
  /** As the frontmatter has it. */
  readonly name: string
  readonly value: unknown
}

/**
 * The fields of a command that say something else than their absence would, in the order of the table in
 * docs/reference/fields.md, "Frontmatter", and behind them those of the host. They are those in effect: what a file beside the skill or its source decided
 * is in them.
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

/** Whether the engine made a name or a description of what is there. */
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
