import { installed } from './registry-error.js'
import type { Value } from './database.js'

/** Part of `node:sqlite` that is used; `@photostructure/sqlite` has the same. */
export interface SqliteDatabase {
  exec(statements: string): void
  prepare(statement: string): { all(...values: readonly Value[]): unknown[] }
  close(): void
}

export interface SqliteLibrary {
  readonly DatabaseSync: new (
    path: string,
    options?: { readonly readOnly?: boolean; readonly timeout?: number },
  ) => SqliteDatabase
}

/** Loads Node's own SQLite, or a package with the same interface for a Node without it. */
export async function sqliteLibrary(): Promise<SqliteLibrary> {
  const builtin: string = 'node:sqlite'
  try {
    return (await import(builtin)) as SqliteLibrary
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_UNKNOWN_BUILTIN_MODULE')) throw error
    return installed('@photostructure/sqlite', () => import('@photostructure/sqlite'))
  }
}
