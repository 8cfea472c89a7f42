import { migrations, type Ask, type Database, type Value, type Writing } from './database.js'
import { databaseError, installed, registryError } from './registry-error.js'
import { within } from './search.js'
import type { Pool, PoolClient, PoolConfig } from 'pg'

export interface PostgresOptions {
  readonly url: string
  /** True to make the tables if they are missing. */
  readonly create: boolean
  /** Milliseconds that a call waits for a connection, and for another process that writes. */
  readonly patienceMs: number
  /** Milliseconds after which a request without an answer fails, because the server may be frozen. */
  readonly answerMs: number
}

/** Number of the lock that a process holds while it makes the tables. */
const migrating = 0x736b6c52
/** Most connections of one process. */
const mostConnections = 8
/** Attempts for a transaction that the server ended because another one needed the same rows. */
const mostAttempts = 5

/**
 * Opens the registry in a PostgreSQL database. The words of skills are in two `tsvector` columns with GIN indexes; our
 * own splitter makes the words.
 */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { default: pg } = await installed('pg', () => import('pg'))
  const { url, patienceMs, answerMs } = options
  const config: PoolConfig = {
    connectionString: url,
    query_timeout: answerMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    max: mostConnections,
    connectionTimeoutMillis: patienceMs,
    options: `-c search_path=skills_registry -c lock_timeout=${patienceMs}`,
  }
  const pool = new pg.Pool(config)
  // A connection that the server ends while it is idle is opened again.
  pool.on('error', () => {})
  // One that is in use rejects its requests. Without a listener its event would end the process.
  pool.on('connect', client => void client.on('error', () => {}))
  try {
    await migrate(pool, options)
    return new PostgresRegistry(pool)
  } catch (error) {
    await pool.end()
    throw error
  }
}

const all = [
  ...migrations({ bytes: 'bytea', id: 'int generated always as identity primary key', name: 'text collate "C"' }),
  `alter table profile add every tsvector not null default '', add heads tsvector not null default '';
   create index profile_every on profile using gin (every);
   create index profile_heads on profile using gin (heads)`,
]

async function migrate(pool: Pool, { create }: PostgresOptions): Promise<void> {
  const client = await asked(() => pool.connect())
  try {
    await asked(async () => {
      await client.query('begin')
      await client.query('select pg_advisory_xact_lock($1)', [migrating])
      const { rows } = await client.query<{ there: boolean }>(
        `select to_regclass('skills_registry.migration') is not null as there`,
      )
      const isThere = rows[0]?.there === true
      if (!isThere && !create)
        throw registryError('E_REGISTRY_NOT_FOUND', 'The database has no registry.', 'Make one: skills registry init')
      if (!isThere)
        await client.query('create schema if not exists skills_registry; create table migration (done int not null)')
      const done = await client.query<{ done: number }>('select coalesce(max(done), 0) as done from migration')
      const since = done.rows[0]?.done ?? 0
      if (since > all.length)
        throw registryError(
          'E_REGISTRY_VERSION',
          'A later version of the program made the registry.',
          'Update this program.',
        )
      for (const statements of all.slice(since)) await client.query(statements)
      if (since < all.length) await client.query('insert into migration values ($1)', [all.length])
      await client.query('commit')
    })
  } finally {
    // The server rolls back what is open.
    client.release(true)
  }
}

class PostgresRegistry implements Database {
  readonly ask: Ask

  constructor(private readonly pool: Pool) {
    this.ask = (statement, values) => asked(() => rowsOf(pool, statement, values))
  }

  async transaction<T>(work: (writing: Writing) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const client = await asked(() => this.pool.connect())
      let isWhole = false
      try {
        await asked(() => client.query('begin'))
        const result = await work(writingOn(client))
        await asked(() => client.query('commit'))
        isWhole = true
        return result
      } catch (error) {
        if (attempt === mostAttempts || !isCollision(error)) throw error
      } finally {
        client.release(!isWhole)
      }
    }
  }

  listed(parameter: string, type: 'int' | 'text'): string {
    return `(select value::${type} from json_array_elements_text(${parameter}::json) as each (value))`
  }

  async skillsWith(...[words, groups, most, prefix]: Parameters<Database['skillsWith']>): Promise<readonly number[][]> {
    if (groups.length === 0) return []
    const inNames = prefix === '' ? '' : `and skill in (select id from skill where true ${within('?2')})`
    const rows = await this.ask<{ ids: number[] }>(
      `select array(select skill from profile where ${words} @@ asked.value::tsquery ${inNames} limit ${most}) as ids
       from json_array_elements_text(?1::json) with ordinality as asked (value, at) order by asked.at`,
      [JSON.stringify(groups.map(matching)), ...(prefix === '' ? [] : [prefix])],
    )
    return rows.map(({ ids }) => ids)
  }

  async close(): Promise<void> {
    await this.pool.end()
  }
}

function writingOn(client: PoolClient): Writing {
  const ask: Ask = (statement, values) => asked(() => rowsOf(client, statement, values))
  return {
    ask,
    forUpdate: ' for update',
    async putWords(skill, entry) {
      if (entry === undefined) return
      const texts = [entry.stems, entry.heads].map(stems => JSON.stringify(stems.map(clean)))
      const vector = (parameter: string): string =>
        `array_to_tsvector(array(select json_array_elements_text(${parameter}::json)))`
      await ask(`update profile set every = ${vector('?2')}, heads = ${vector('?3')} where skill = ?1`, [
        skill,
        ...texts,
      ])
    },
    async countCommon(least) {
      await ask('delete from common')
      const counted = (words: string): string => `ts_stat('select ${words} from profile')`
      await ask(
        `insert into common select every.word, every.ndoc, coalesce(heads.ndoc, 0) from ${counted('every')} as every
         left join ${counted('heads')} as heads on heads.word = every.word where every.ndoc >= ?1`,
        [least],
      )
    },
  }
}

async function rowsOf<Row>(
  client: Pool | PoolClient,
  statement: string,
  values: readonly Value[] = [],
): Promise<readonly Row[]> {
  const { rows } = await client.query(
    statement.replaceAll(/\?(\d+)/g, '$$$1'),
    values.map(value => (typeof value === 'string' ? clean(value) : value)),
  )
  return rows
}

/** Returns a text that PostgreSQL can store: without the character NUL and without halves of characters. */
const clean = (text: string): string => text.replaceAll(/\0|\p{Cs}/gu, '\ufffd')

/** Returns the query for one of some stems. Quoted, a sign of its syntax is a part of a word. */
const matching = (stems: readonly string[]): string =>
  stems.map(stem => `'${clean(stem).replaceAll('\\', '\\\\').replaceAll("'", "''")}'`).join(' | ')

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** True if the server ended a transaction because another one needed the same rows. */
const isCollision = (error: unknown): boolean => error instanceof Error && codeOf(error.cause).startsWith('40')

/** Sends a request, and throws what the server or the library throws as an error of ours. */
async function asked<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    const code = codeOf(error)
    // https://www.postgresql.org/docs/current/errcodes-appendix.html
    if (code === '55P03')
      throw databaseError('E_REGISTRY_BUSY', 'Another process writes to the registry', 'Try again later.', error)
    if (code === '53100')
      throw databaseError('E_REGISTRY_FULL', 'The server has no room', 'Free some room on its disk.', error)
    if (code === '25006' || code === '42501')
      throw databaseError('E_REGISTRY_READ_ONLY', 'This user may not write', 'Check the permissions.', error)
    throw databaseError(
      'E_REGISTRY',
      'The database refused a request',
      'Check the URL, and whether the server runs.',
      error,
    )
  }
}
