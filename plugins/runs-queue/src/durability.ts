import type { Diagnostic } from '@skills/core'

/** Settings of a Redis server, as `INFO` and `CONFIG GET` give them. Undefined if the server does not tell. */
export interface RedisSettings {
  /** `aof_enabled` */
  readonly appends?: string | undefined
  /** `appendfsync` */
  readonly flushes?: string | undefined
  /** `maxmemory_policy` */
  readonly evicts?: string | undefined
}

/** Returns how a Redis server may lose entries of runs that it has confirmed. */
export function redisProblems({ appends, flushes, evicts = 'noeviction' }: RedisSettings): readonly Diagnostic[] {
  const found: Diagnostic[] = []
  if (appends === '0')
    found.push(
      problem(
        'Redis does not record runs on its disk (appendonly is off): after a crash of Redis, runs begin again, and their calls are made twice.',
        'Set "appendonly yes" in redis.conf.',
      ),
    )
  else if (appends === undefined)
    found.push(
      problem(
        'Redis does not tell whether it records runs on its disk: if it does not, runs begin again after a crash of Redis, and their calls are made twice.',
        'Let this user send INFO, and set "appendonly yes" in redis.conf.',
      ),
    )
  else if (flushes === 'no')
    found.push(
      problem(
        'Redis leaves flushing to the system (appendfsync is no): after a crash of the machine, runs lose their last entries, and calls may be made twice.',
        'Set "appendfsync everysec" or "appendfsync always" in redis.conf.',
      ),
    )
  if (evicts !== 'noeviction')
    found.push(
      problem(
        `Redis removes keys when its memory is full (maxmemory-policy is ${evicts}), also those of runs and of their locks.`,
        'Set "maxmemory-policy noeviction" in redis.conf.',
      ),
    )
  return found
}

/** Returns how a PostgreSQL server may lose entries of runs that it has confirmed. */
export function postgresProblems({ fsync }: { readonly fsync: string }): readonly Diagnostic[] {
  if (fsync !== 'off') return []
  return [
    problem(
      'PostgreSQL does not flush to its disk (fsync is off): after a crash of the machine, runs may be lost or damaged, and calls may be made twice.',
      'Set "fsync = on" in postgresql.conf.',
    ),
  ]
}

const problem = (message: string, hint: string): Diagnostic => ({
  severity: 'warning',
  type: 'source',
  code: 'queue-not-durable',
  message,
  hint,
})
