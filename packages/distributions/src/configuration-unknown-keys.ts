import * as z from 'zod/mini'
import { isJsonObject, type KeyPath } from '@skills/files'

export interface UnknownKey {
  readonly path: KeyPath
  /** The keys that stand in its place. */
  readonly known: readonly string[]
}

/** Every schema says what it is made of; its type says so only of schemas that are known. */
interface Made {
  readonly def: z.core.$ZodTypes['_zod']['def']
}

/**
 * The keys that objects have and their schema does not name, however deep, in the order in which they stand. Records
 * have no names of their own.
 * @param value what the schema accepts
 */
export function unknownKeys(schema: z.core.$ZodType, value: unknown, path: KeyPath = []): readonly UnknownKey[] {
  const { def } = schema as z.core.$ZodType & Made
  switch (def.type) {
    case 'optional':
      return unknownKeys(def.innerType, value, path)
    case 'array':
      return Array.isArray(value) ? value.flatMap((one, at) => unknownKeys(def.element, one, [...path, at])) : []
    case 'record':
      return entriesOf(value).flatMap(([key, one]) => unknownKeys(def.valueType, one, [...path, key]))
    case 'union': {
      const accepting = def.options.find(option => z.safeParse(option, value).success)
      return accepting === undefined ? [] : unknownKeys(accepting, value, path)
    }
    case 'object':
      return entriesOf(value).flatMap(([key, one]) => {
        const inner = Object.hasOwn(def.shape, key) ? def.shape[key] : undefined
        return inner === undefined
          ? [{ path: [...path, key], known: Object.keys(def.shape) }]
          : unknownKeys(inner, one, [...path, key])
      })
    default:
      return []
  }
}

function entriesOf(value: unknown): readonly (readonly [key: string, value: unknown])[] {
  return isJsonObject(value) ? Object.entries(value) : []
}
