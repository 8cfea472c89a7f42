import type { SourceName } from '@skills/core'

/**
 * The names that core has for sources. Those that distributions add are text of any kind, which says nothing of a list.
 */
export type StandardSource<Name = SourceName> = Name extends string ? (string extends Name ? never : Name) : never

/** The sources that every host knows, the highest first: words that nothing else may pass for. */
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
