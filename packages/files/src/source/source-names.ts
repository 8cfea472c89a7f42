import type { SourceName } from '@skills/core'

/** Core's names for sources. Distributions can add names that are arbitrary text, which a list cannot contain. */
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
