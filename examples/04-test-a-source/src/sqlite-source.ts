import { createHash } from 'node:crypto'
import {
  defineProvider,
  loadResult,
  promptCommand,
  SkillsError,
  type Command,
  type Diagnostic,
  type Provider,
} from '@skills/core'
import type { Database } from 'node-sqlite3-wasm'

/**
 * Makes a source of the skills in a database. Its table `skills` has `name`, `description`, `body` and `bytes`, so that
 * a listing reads no bodies.
 */
export function sqliteSource(database: Database): Provider<'source'> {
  return defineProvider({
    kind: 'source',
    id: 'sqlite',
    setup({ invalidate }) {
      const bodyOf = (name: string, signal: AbortSignal): string => {
        signal.throwIfAborted()
        const body = database.get('SELECT body FROM skills WHERE name = ?', name)?.['body']
        if (typeof body === 'string') return body
        invalidate()
        throw new SkillsError('E_FILE_CHANGED', `The skill "${name}" is no longer in the database.`, {
          hint: 'List the skills again.',
        })
      }
      const commandOf = (name: string, description: string, contentLength: number): Command =>
        promptCommand({
          name,
          source: 'database',
          description,
          contentLength,
          load: (_args, { signal }) => ({ template: bodyOf(name, signal) }),
          // It covers everything that can differ between two skills of one name. Otherwise both would count as the same
          // skill, and one would be lost.
          digest: ({ signal }) =>
            createHash('sha256')
              .update(JSON.stringify([description, bodyOf(name, signal)]))
              .digest('hex'),
        })
      const problemOf = (name: string): Diagnostic => ({
        severity: 'error',
        type: 'validation',
        code: 'no-description',
        name,
        message: `The skill "${name}" of the database has no description.`,
      })
      return {
        source: 'database',
        list({ signal }) {
          signal.throwIfAborted()
          const rows = database.all('SELECT name, description, bytes FROM skills ORDER BY name')
          return loadResult({
            commands: rows.flatMap(({ name, description, bytes }) =>
              typeof description === 'string' ? commandOf(String(name), description, Number(bytes)) : [],
            ),
            errors: rows.flatMap(({ name, description }) =>
              typeof description === 'string' ? [] : problemOf(String(name)),
            ),
          })
        },
      }
    },
  })
}
