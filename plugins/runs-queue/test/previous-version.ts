import pg from 'pg'
import { Redis } from 'ioredis'
import { postgresMigrations } from '../src/postgres-migrations.js'

/** Writes journals as a worker of the version before the index did. */
export interface PreviousWorker {
  /** Makes what that version needs on a server that has none of it. */
  open(): Promise<void>
  /** Appends lines, of which the last says whether the run is open to work. */
  append(id: string, count: number, lines: readonly string[], isOpen: boolean): Promise<void>
  close(): Promise<void>
}

/** Number of migrations of that version. */
const migrations = 4

export function previousOnPostgres(url: string, name: string): PreviousWorker {
  const client = new pg.Client({ connectionString: url })
  const schema = `"${name}"`
  return {
    async open() {
      await client.connect()
      await client.query(`create schema ${schema}`)
      await client.query(`create table ${schema}.run_version (version int not null)`)
      await client.query(`create table ${schema}.run_migration (number int primary key)`)
      for (const [at, migration] of postgresMigrations(schema).slice(0, migrations).entries()) {
        await client.query(migration)
        await client.query(`insert into ${schema}.run_migration values ($1)`, [at + 1])
      }
      await client.query(`insert into ${schema}.run_version values (1)`)
    },
    async append(id, count, lines, isOpen) {
      const moved =
        count === 0
          ? `insert into ${schema}.run (id, entries, is_open, has_job, deadline_at)
             select $1, cardinality($3::text[]), $4, false, null from mode where $2 = 0 on conflict do nothing returning id`
          : `update ${schema}.run set entries = $2 + cardinality($3::text[]), is_open = $4, deadline_at = null
             from mode where id = $1 and entries = $2 returning id`
      const text = `with mode as materialized (select set_config('synchronous_commit', 'on', true)), moved as (${moved}),
        written as (
          insert into ${schema}.run_entry (run, n, line)
          select id, $2::int + at - 1, line from moved, unnest($3::text[]) with ordinality as lines (line, at))
        select pg_notify('${name}_runs', '12345678.' || id) from moved`
      const { rowCount } = await client.query(text, [id, count, lines, isOpen])
      if (rowCount !== 1) throw new Error(`${id} does not have ${count} entries.`)
    },
    close: () => client.end(),
  }
}

const append = `
if redis.call('llen', KEYS[1]) ~= tonumber(ARGV[1]) then return 0 end
redis.call('rpush', KEYS[1], unpack(ARGV, 8))
local open = redis.call('zscore', KEYS[3], ARGV[2])
if ARGV[3] == '0' then redis.call('zrem', KEYS[3], ARGV[2])
elseif not open or ARGV[4] == '1' then
  local now = redis.call('time')
  redis.call('zadd', KEYS[3], now[1] * 1000 + math.floor(now[2] / 1000), ARGV[2])
end
local time = redis.call('time')
time = time[1] * 1000 + math.floor(time[2] / 1000)
if ARGV[6] == '1' then redis.call('zadd', KEYS[5], time, ARGV[2])
elseif ARGV[3] == '0' or ARGV[4] == '1' then redis.call('zrem', KEYS[5], ARGV[2]) end
if ARGV[7] == 'end' then redis.call('zrem', KEYS[6], ARGV[2])
elseif ARGV[7] ~= '' then redis.call('zadd', KEYS[6], time + ARGV[7], ARGV[2]) end
redis.call('sadd', KEYS[2], ARGV[2])
redis.call('publish', KEYS[4], ARGV[5] .. ARGV[2])
return 1`

export function previousOnRedis(url: string, name: string): PreviousWorker {
  const redis = new Redis(url)
  return {
    async open() {
      await redis.set(`{${name}}:version`, 1)
    },
    async append(id, count, lines, isOpen) {
      const names = [`journal:${id}`, 'ids', 'open', 'changes', 'unqueued', 'deadlines']
      const keys = names.map(key => `{${name}}:${key}`)
      const given = [count, id, isOpen ? '1' : '0', isOpen ? '1' : '0', '12345678.', '0', isOpen ? '' : 'end', ...lines]
      if ((await redis.call('eval', append, keys.length, ...keys, ...given)) !== 1)
        throw new Error(`${id} does not have ${count} entries.`)
    },
    async close() {
      await redis.quit()
    },
  }
}
