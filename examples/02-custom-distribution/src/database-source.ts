import { defineProvider, loadResult, promptCommand, SkillsError, type Provider } from '@skills/core'
import type { Database } from 'node-sqlite3-wasm'

/**
 * Makes a source of the skills in a table with `name`, `team`, `description`, `body` and `bytes`. A body is read when
 * its skill is invoked.
 */
export function databaseSource(database: Database): Provider<'source'> {
  return defineProvider({
    kind: 'source',
    id: 'database',
    setup: ({ invalidate }) => ({
      source: 'database',
      list({ signal }) {
        signal.throwIfAborted()
        return loadResult({
          commands: database
            .all('SELECT name, team, description, bytes FROM skills ORDER BY name')
            .map(({ name, team, description, bytes }) =>
              promptCommand({
                name: String(name),
                source: 'database',
                description: String(description),
                contentLength: Number(bytes),
                metadata: team === null ? {} : { team },
                load(_args, call) {
                  call.signal.throwIfAborted()
                  const body = database.get('SELECT body FROM skills WHERE name = ?', String(name))?.['body']
                  if (typeof body === 'string') return { template: body }
                  invalidate()
                  throw new SkillsError('E_FILE_CHANGED', `The skill "${String(name)}" is no longer in the database.`, {
                    hint: 'List the skills again.',
                  })
                },
              }),
            ),
        })
      },
    }),
  })
}
