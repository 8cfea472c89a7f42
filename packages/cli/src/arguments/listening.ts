import { isIP } from 'node:net'
import { printableLine } from '../output/printable.js'
import { UsageError } from './usage-error.js'

/** Returns the value of `--port`. Throws a UsageError if it is not valid. */
export function portOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  const port = Number(given)
  if (/^\d+$/.test(given) && port <= 65_535) return port
  throw new UsageError(`The option --port needs a number up to 65535, but was given "${printableLine(given)}".`)
}

/** Returns true if only this machine reaches an address. */
export function isLoopback(host: string | undefined): boolean {
  return host === undefined || host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** Resolves when the person interrupts the run. */
export async function interrupted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>(resolve => void signal.addEventListener('abort', () => resolve(), { once: true }))
}
