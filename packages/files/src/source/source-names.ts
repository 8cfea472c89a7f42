import type { SourceName } from '@skills/core'

/**
 * Names of sources that core defines. Distributions can add any other text as a name, so that no list can contain all
 * names.
 */
export type StandardSource<Name = SourceName> = Name extends string ? (string extends Name ? never : Name) : never

/** Sources that every host knows, highest precedence first. No plugin may have one of these names. */
export const sourceNames: readonly string[] = [
  'managed',
  'user',
  'project',
  'additional',
  'plugin',
  'bundled',
  'mcp',
  'builtin',
] satisfies readonly StandardSource[]
