import { statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { migrations, type Ask, type Database, type Value, type Words, type Writing } from './database.js'
import { databaseError, registryError, type RegistryErrorCode } from './registry-error.js'
import { within } from './search.js'
import { sqliteLibrary, type SqliteDatabase } from './sqlite-library.js'
import type { IndexEntry } from './index-entry.js'

/** Marks a file as a registry. */
const applicationId = 0x736b_6c52
/**
 * Milliseconds between two attempts to begin a transaction while another process writes. SQLite's own waiting would block
 * this process.
 */
const retryMs = 20

export interface SqliteOptions {
  /** Path of the file. */
  readonly path: string
  /** True to make the file if it is missing. */
  readonly create: boolean
  /** Milliseconds that a process waits for another one that writes. */
  readonly patienceMs: number
}

/**
 * Opens the SQLite file of a registry. The words of skills are in two tables of FTS5, without content, because our own
 * splitter makes the words and our own ranking ranks.
 */
export async function openSqlite(options: SqliteOptions): Promise<Database> {
  const { path, create } = options
  const there = statSync(path, { throwIfNoEntry: false })
  if (!create && there === undefined)
    throw registryError('E_REGISTRY_NOT_FOUND', `There is no registry ${path}.`, 'Make one: skills registry init')
  const { DatabaseSync } = await sqliteLibrary()
  const opened: Connection[] = []
  const open = (): Connection => {
    const connection = new Connection(new DatabaseSync(path, { timeout: 0 }), options)
    opened.push(connection)
    connection.exec('pragma synchronous = normal; pragma cache_size = -32768')
    return connection
  }
  try {
    const writing = said(options, open)
    await migrate(writing, options, there === undefined || there.size === 0)
    return new SqliteRegistry(writing, said(options, open), options)
  } catch (error) {
    for (const connection of opened) connection.close()
    throw error
  }
}

/** One connection with its prepared statements. */
class Connection {
  readonly #statements = new Map<string, ReturnType<SqliteDatabase['prepare']>>()

  constructor(
    private readonly database: SqliteDatabase,
    private readonly options: SqliteOptions,
  ) {}

  exec(statements: string): void {
    said(this.options, () => this.database.exec(statements))
  }

  readonly ask: Ask = async <Row>(statement: string, values: readonly Value[] = []) => {
    let prepared = this.#statements.get(statement)
    const rows = said(this.options, () => {
      prepared ??= this.database.prepare(statement)
      return prepared.all(...values)
    })
    if (prepared !== undefined) this.#statements.set(statement, prepared)
    return rows as Row[]
  }

  close(): void {
    this.#statements.clear()
    this.database.close()
  }
}

async function migrate(connection: Connection, options: SqliteOptions, isNew: boolean): Promise<void> {
  const { path } = options
  const number = async (name: string): Promise<number> => {
    const [row] = await connection.ask<Record<string, number>>(`pragma ${name}`)
    return row?.[name] ?? 0
  }
  const [id, found] = [await number('application_id'), await number('user_version')]
  if (!isNew && id !== applicationId) {
    const [row] = await connection.ask<{ many: number }>('select count(*) as many from sqlite_master')
    if (!options.create || id !== 0 || row?.many !== 0)
      throw registryError('E_REGISTRY_DAMAGED', `${path} is not a registry.`, 'Name another file.')
  }
  const all = [
    ...migrations({ bytes: 'blob', id: 'integer primary key', name: 'text' }),
    `create virtual table every using fts5(words, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '_'");
     create virtual table heads using fts5(words, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '_'");
     create virtual table every_words using fts5vocab(every, row);
     create virtual table heads_words using fts5vocab(heads, row)`,
  ]
  if (found > all.length)
    throw registryError('E_REGISTRY_VERSION', `A later version of the program made ${path}.`, 'Update this program.')
  if (found === all.length) return
  connection.exec('pragma journal_mode = wal')
  await begin(connection, options)
  try {
    const since = await number('user_version')
    for (const statements of all.slice(since)) connection.exec(statements)
    connection.exec(`pragma application_id = ${applicationId}; pragma user_version = ${all.length}; commit`)
  } catch (error) {
    rollback(connection)
    throw error
  }
}

async function begin(connection: Connection, { patienceMs }: SqliteOptions): Promise<void> {
  const end = performance.now() + patienceMs
  for (;;)
    try {
      return connection.exec('begin immediate')
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error
      await pause(retryMs)
    }
}

function rollback(connection: Connection): void {
  try {
    connection.exec('rollback')
  } catch {
    // SQLite has rolled back by itself, as when the disk is full.
  }
}

class SqliteRegistry implements Database {
  readonly ask: Ask
  /** Ends with the last transaction of this process. */
  #last: Promise<unknown> = Promise.resolve()
  readonly #writing: Writing

  constructor(
    private readonly writer: Connection,
    private readonly reader: Connection,
    private readonly options: SqliteOptions,
  ) {
    this.ask = async (statement, values) => {
      const end = performance.now() + options.patienceMs
      for (;;)
        try {
          return await reader.ask(statement, values)
        } catch (error) {
          // Only while another process makes the file, or repairs it after its writer was killed.
          if (!isBusy(error) || performance.now() > end) throw error
          await pause(retryMs)
        }
    }
    const { ask } = writer
    this.#writing = {
      ask,
      forUpdate: '',
      async putWords(skill, entry) {
        for (const words of ['every', 'heads'] as const)
          if (entry === undefined) await ask(`delete from ${words} where rowid = ?1`, [skill])
          else
            await ask(`insert or replace into ${words} (rowid, words) values (?1, ?2)`, [skill, wordsOf(entry, words)])
      },
      async countCommon(least) {
        await ask('delete from common')
        const heads = await ask<{ term: string; doc: number }>('select term, doc from heads_words')
        const known = new Map(heads.map(({ term, doc }) => [term, doc]))
        const every = await ask<{ term: string; doc: number }>('select term, doc from every_words where doc >= ?1', [
          least,
        ])
        for (const { term, doc } of every)
          await ask('insert into common values (?1, ?2, ?3)', [stemOf(term), doc, known.get(term) ?? 0])
      },
    }
  }

  async transaction<T>(work: (writing: Writing) => Promise<T>): Promise<T> {
    const next = this.#last.then(async () => {
      await begin(this.writer, this.options)
      try {
        const result = await work(this.#writing)
        this.writer.exec('commit')
        return result
      } catch (error) {
        rollback(this.writer)
        throw error
      }
    })
    this.#last = next.catch(() => undefined)
    return next
  }

  listed(parameter: string): string {
    return `(select value from json_each(${parameter}))`
  }

  async skillsWith(...[words, groups, most, prefix]: Parameters<Database['skillsWith']>): Promise<readonly number[][]> {
    if (groups.length === 0) return []
    const inNames = prefix === '' ? '' : `and rowid in (select id from skill where 1 = 1 ${within('?2')})`
    const rows = await this.ask<{ ids: string }>(
      `select (select json_group_array(rowid) from
         (select rowid from ${words} where ${words} match asked.value ${inNames} limit ${most})) as ids
       from json_each(?1) as asked order by asked.key`,
      [JSON.stringify(groups.map(matching)), ...(prefix === '' ? [] : [prefix])],
    )
    return rows.map(({ ids }) => JSON.parse(ids))
  }

  async close(): Promise<void> {
    await this.#last
    this.reader.close()
    // The library closes the file only when the prepared statements are collected.
    try {
      this.writer.exec('pragma wal_checkpoint(truncate)')
    } catch {
      // The log keeps what does not fit into the file, as when the disk is full.
    }
    this.writer.close()
  }
}

/** Returns a stem as FTS5's tokenizer leaves it: other characters than letters and digits as their code points. */
function termOf(stem: string): string {
  return /^[a-z\d]+$/.test(stem)
    ? stem
    : stem.replace(/[^a-z\d]/gu, character => `_${character.codePointAt(0)?.toString(36) ?? ''}_`)
}

function stemOf(term: string): string {
  return term.replace(/_([a-z\d]+)_/g, (_all, code: string) => String.fromCodePoint(parseInt(code, 36)))
}

const wordsOf = (entry: IndexEntry, words: Words): string =>
  (words === 'every' ? entry.stems : entry.heads).map(termOf).join(' ')

/** Returns the query of FTS5 for one of some stems. Quoted, a word of its syntax is a word. */
const matching = (stems: readonly string[]): string =>
  stems.length === 0 ? '""' : stems.map(stem => `"${termOf(stem)}"`).join(' OR ')

/** Result codes of SQLite: https://sqlite.org/rescode.html */
const codes: Readonly<Record<number, readonly [RegistryErrorCode, what: string, hint: string]>> = {
  5: ['E_REGISTRY_BUSY', 'Another process writes to', 'Try again when it has ended.'],
  6: ['E_REGISTRY_BUSY', 'Another process writes to', 'Try again when it has ended.'],
  8: ['E_REGISTRY_READ_ONLY', 'This process may not write to', 'Check the permissions of the file and its folder.'],
  11: ['E_REGISTRY_DAMAGED', 'The file is damaged:', 'Restore it from a backup, or make a new one.'],
  13: ['E_REGISTRY_FULL', 'There is no room for', 'Free some room. Nothing of the last skill was written.'],
  14: ['E_REGISTRY_READ_ONLY', 'This process cannot open', 'Check that the folder exists and may be written to.'],
  26: ['E_REGISTRY_DAMAGED', 'The file is not a registry:', 'Name another file.'],
}

/** Runs a request, and throws what SQLite throws as an error of ours. */
function said<T>({ path }: SqliteOptions, run: () => T): T {
  try {
    return run()
  } catch (error) {
    const [code, what, hint] = codes[codeOf(error) & 0xff] ?? [
      'E_REGISTRY',
      'SQLite refused a request to',
      'Try again.',
    ]
    throw databaseError(code, `${what} ${path}`, hint, error)
  }
}

/** SQLite's own sentences, by result code: the package has the number only for errors of some calls. */
const sentences: Readonly<Record<string, number>> = {
  'database is locked': 5,
  'database table is locked': 6,
  'attempt to write a readonly database': 8,
  'database disk image is malformed': 11,
  'database or disk is full': 13,
  'unable to open database file': 14,
  'file is not a database': 26,
}

function codeOf(error: unknown): number {
  if (!(error instanceof Error)) return 0
  return 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : (sentences[error.message] ?? 0)
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'E_REGISTRY_BUSY'
