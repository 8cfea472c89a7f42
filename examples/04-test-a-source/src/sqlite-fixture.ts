import sqlite, { type Database } from 'node-sqlite3-wasm'
import { tempTree, type Lack, type SourceFixture } from '@skills/testing'
import { sqliteSource } from './sqlite-source.js'

const table = `CREATE TABLE rows (name TEXT PRIMARY KEY, description TEXT, bytes INTEGER AS (octet_length(body)) STORED, body TEXT NOT NULL)`
// The source reads a view that records each read of a row or a body.
const view = 'CREATE VIEW skills AS SELECT asked(name) AS name, description, bytes, read(body) AS body FROM rows'

/** Makes the fixture of the contract: the source over a new database in a file. */
export function sqliteFixture(): SourceFixture {
  const tree = tempTree()
  const database = new sqlite.Database(`${tree.path}/skills.db`)
  const count = { reads: 0, bytes: 0 }
  database.function('asked', name => (count.reads++, name))
  database.function('read', body => ((count.bytes += Buffer.byteLength(String(body))), body))
  database.exec(`${table}; ${view}`)
  return {
    provider: sqliteSource(database),
    store: {
      put: skills =>
        inOneGo(database, () => {
          for (const { name, description, body } of skills)
            database.run('REPLACE INTO rows (name, description, body) VALUES (?, ?, ?)', [name, description, body])
        }),
      remove: name => void database.run('DELETE FROM rows WHERE name = ?', name),
      putBroken(name) {
        database.run('REPLACE INTO rows (name, description, body) VALUES (?, NULL, ?)', [name, ''])
        return {}
      },
      shut() {
        database.exec('DROP VIEW skills')
        return () => database.exec(view)
      },
      countReads() {
        Object.assign(count, { reads: 0, bytes: 0 })
        return Object.assign(count, { stop() {} })
      },
    },
    dispose() {
      database.close()
      tree.dispose()
    },
  }
}

/** Abilities that a table of rows does not have or need, with the reasons. */
export const without: Partial<Record<Lack, string>> = {
  deny: 'A row has no permissions of its own.',
  putEndless: 'Reading a row always ends.',
  stall: 'The database is read synchronously: nothing could end a wait for it.',
  pathOf: 'A row has no path.',
  refresh: 'The database is asked anew each time.',
  turns: 'One query gives everything, in milliseconds.',
}

function inOneGo(database: Database, work: () => void): void {
  database.exec('BEGIN')
  work()
  database.exec('COMMIT')
}
