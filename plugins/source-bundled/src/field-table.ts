import { fieldTable, ownFields, ownParts, shapeOf, type OwnField } from '@skills/core/fields'
import type { PromptCommand } from '@skills/core'
import type { BundledSkill } from './bundled-skill.js'

/** Fields by property. `name` is the name of invocation; the field `name` of a file is the property `displayName`. */
const entries = fieldTable.map(field => [field.name === 'name' ? 'displayName' : field.property, field] as const)

/** Returns the fields that a skill sets. As in frontmatter, null counts as missing, and the model `inherit` as none. */
export function fieldsOf(skill: BundledSkill, known: readonly OwnField[]): Partial<PromptCommand> {
  const { own } = skill
  const fields: Partial<PromptCommand> = Object.fromEntries(
    entries.flatMap(([property, { type, none }]) => {
      const value: unknown = Reflect.get(skill, property)
      return value === undefined || value === null || (type === 'text' && value === none) ? [] : [[property, value]]
    }),
  )
  if (own !== undefined) Object.assign(fields, ownParts(own, known), { [ownFields]: own })
  return fields
}

/** Returns the first field with a value of the wrong type, as the end of a sentence about the skill. */
export function wrongField(skill: object, known: readonly OwnField[]): string | undefined {
  const own: unknown = Reflect.get(skill, 'own') ?? {}
  if (typeof own !== 'object' || own === null) return 'has something other than fields of the host as its own'
  const all = [...entries.map(entry => [skill, ...entry] as const), ...known.map(one => [own, one.name, one] as const)]
  for (const [of, property, field] of all) {
    const value: unknown = Reflect.get(of, property)
    const [expected, fits] = shapeOf(field, undefined)
    if (value !== undefined && value !== null && !fits(value))
      return `has something other than ${expected} as its ${property}`
  }
  return undefined
}
