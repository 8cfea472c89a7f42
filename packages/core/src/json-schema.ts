import { formOf, Schema, type Presence, type Shape, type StandardSchema } from './schema.js'

/** JSON Schema (draft 2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>

/**
 * Returns the JSON Schema of the input of a schema, without values that JSON does not have, such as functions.
 * Undefined means that no JSON is accepted. For a schema of another library, returns the JSON Schema that the library
 * gives; if it gives none, the result accepts anything.
 */
export function jsonSchema(schema: StandardSchema): JsonSchema | undefined {
  const form = formOf(schema)
  switch (form?.type) {
    case undefined:
      return foreignSchema(schema)
    case 'leaf':
      return form.json && { ...form.json }
    case 'list': {
      const items = jsonSchema(form.item)
      return items && { type: 'array', items }
    }
    case 'record': {
      const additionalProperties = jsonSchema(form.value)
      return additionalProperties && { type: 'object', additionalProperties }
    }
    case 'object':
      return objectSchema(form.shape)
    case 'either':
      return anyOf(form.some.map(jsonSchema))
    case 'variants':
      return anyOf(form.shapes.map(objectSchema))
  }
}

/**
 * Keeps the options that a configuration file may set, and makes each optional. The result checks files and adds no
 * defaults. If the options have several shapes, a file may have any of these shapes.
 */
export function fileOptions(schema: StandardSchema): Schema<Readonly<Record<string, unknown>>> {
  const form = formOf(schema)
  const shapes = form?.type === 'object' ? [form.shape] : form?.type === 'variants' ? form.shapes : []
  const settable = new Map<string, StandardSchema[]>()
  for (const [name, option] of shapes.flatMap(shape => Object.entries(shape)))
    if (isOurs(option) && option.isInFiles)
      settable.set(name, [...(settable.get(name) ?? []), new Schema(option.form, 'optional')])
  const shape: Shape = Object.fromEntries(
    Array.from(settable, ([name, some]) => [name, new Schema({ type: 'either', some }, 'optional')]),
  )
  return new Schema({ type: 'object', shape }, 'optional')
}

const isOurs = (schema: StandardSchema): schema is Schema<unknown> => formOf(schema) !== undefined

function objectSchema(shape: Shape): JsonSchema {
  const options = Object.entries(shape).flatMap(([name, option]) => {
    const json = jsonSchema(option)
    if (json === undefined) return []
    const { presence = 'required', fallback } = option as Partial<Schema<unknown, Presence>>
    return [{ name, json: fallback === undefined ? json : { ...json, default: fallback }, presence }]
  })
  const required = options.filter(({ presence }) => presence === 'required').map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(options.map(({ name, json }) => [name, json])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

function anyOf(schemas: readonly (JsonSchema | undefined)[]): JsonSchema | undefined {
  const some = schemas.filter(schema => schema !== undefined)
  const [first] = some
  const isAlike = some.every(schema => JSON.stringify(schema) === JSON.stringify(first))
  return isAlike ? first : { anyOf: some }
}

interface DescribesItself {
  readonly jsonSchema?: { input(options: { readonly target: string }): JsonSchema }
}

/**
 * Returns the JSON Schema of another library, such as Zod, from this property. It throws for values that JSON does not
 * have; anything is accepted then.
 */
function foreignSchema(schema: StandardSchema): JsonSchema {
  const { jsonSchema: own }: DescribesItself & { readonly version: 1 } = schema['~standard']
  try {
    const { $schema: _, ...json } = own?.input({ target: 'draft-2020-12' }) ?? {}
    return json
  } catch {
    return {}
  }
}
