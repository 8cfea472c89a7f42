/** Smallest number that BullMQ passes as a time, in milliseconds. Its other numbers are durations and counts. */
const smallestTime = 1e12

/**
 * Makes a factory whose backends use the clock of the server. BullMQ passes the time of each process to PostgreSQL, so
 * that a worker whose clock is ahead would take jobs from workers that renew their locks.
 * @param aheadMs returns the milliseconds by which the server's clock is ahead of this host's
 */
export function byServerClock<Given extends readonly unknown[], Backend extends object>(
  create: (...given: Given) => Backend,
  aheadMs: () => number,
): (...given: Given) => Backend {
  return (...given) => {
    const backend = create(...given)
    const run: unknown = Reflect.get(backend, 'run')
    // A later version may pass its requests in another way; it then uses its own clock.
    if (typeof run !== 'function') return backend
    Reflect.set(backend, 'run', async (command: string, values: readonly unknown[]): Promise<unknown> => {
      const ahead = aheadMs()
      const shifted = values.map(value => (typeof value === 'number' && value > smallestTime ? value + ahead : value))
      const found: unknown = await Reflect.apply(run, backend, [command, shifted])
      for (const row of rowsOf(found)) {
        const next: unknown = Reflect.get(row, 'next_delay')
        // The worker compares it with its own clock, to wait until then.
        if (typeof next === 'string' || typeof next === 'number')
          Reflect.set(row, 'next_delay', String(Number(next) - ahead))
      }
      return found
    })
    return backend
  }
}

function rowsOf(found: unknown): readonly object[] {
  const rows: unknown = found instanceof Object ? Reflect.get(found, 'rows') : undefined
  return Array.isArray(rows) ? rows.filter((row): row is object => row instanceof Object) : []
}
