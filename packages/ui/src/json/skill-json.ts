import { fieldTable, ownValues, type Field } from '@skills/core/fields'
import type { Command } from '@skills/core'
import type { Listed } from '@skills/inspect/internal'
import type { SkillJson } from '../api.js'

const fields = fieldTable.filter(({ name }) => name !== 'name')

/**
 * Order of the fields in JSON: these come after the path, those below before it. A new field comes last, so that the
 * output only grows.
 */
const behindPath = ['userInvocable', 'disableModelInvocation', 'allowedTools', 'paths', 'requires']
const beforePath = ['description', 'whenToUse', 'argumentHint', 'aliases', 'version']
const placeOf = ({ property }: Field): number => [...beforePath, ...behindPath, property].indexOf(property)
const listed = fields.filter(({ list }) => list === true).toSorted((one, other) => placeOf(one) - placeOf(other))
const [first, last] = [listed.slice(0, beforePath.length), listed.slice(beforePath.length)]
const shown = fields.filter(({ list }) => list !== true)

/**
 * Returns one skill as JSON. Every key is present; null means no value.
 * See docs/reference/output.md, "List output".
 */
export function skillJson({ state, name, source, path, command, shadowedBy, reason }: Listed): SkillJson {
  const json: Record<string, unknown> = {
    name,
    displayName: command?.displayName ?? name,
    state,
    source: source ?? null,
  }
  addFields(json, command, first)
  json['path'] = path ?? null
  addFields(json, command, last)
  json['shadowedBy'] = shadowedBy ?? null
  json['reason'] = reason ?? null
  const own = command === undefined ? undefined : ownValues(command)
  if (own !== undefined && Object.keys(own).length > 0) json['fields'] = own
  return json as unknown as SkillJson
}

/** Returns the fields that only `skills show` prints. */
export function shownFields(command: Command): Record<string, unknown> {
  return addFields({}, command, shown)
}

function addFields(
  json: Record<string, unknown>,
  command: Command | undefined,
  some: readonly Field[],
): Record<string, unknown> {
  for (const { property, every, otherwise } of some) {
    const value: unknown =
      command?.type === 'prompt' || every === true ? command?.[property as keyof Command] : undefined
    json[property] = value ?? (Array.isArray(otherwise) ? none : null)
  }
  return json
}

const none: readonly never[] = Object.freeze([])

/**
 * Skills that are serialized at once. The text of more would outgrow the young generation, which is collected quickly.
 */
const batch = 64

/** Writes skills as a JSON array, one skill on each line, in few large pieces. */
export function writeSkillsJson(
  items: readonly Listed[],
  write: (text: string) => void,
  jsonOf: (item: Listed) => object = skillJson,
): void {
  let lead = '[\n'
  for (let from = 0; from < items.length; from += batch) {
    const json = JSON.stringify(items.slice(from, from + batch).map(jsonOf))
    // Serializing many at once is faster than one by one. Quotes within a text are escaped, so the separator occurs
    // only between elements.
    write(lead + json.slice(1, -1).replaceAll('},{"name":', '},\n{"name":'))
    lead = ',\n'
  }
  write(items.length === 0 ? '[]\n' : '\n]\n')
}
