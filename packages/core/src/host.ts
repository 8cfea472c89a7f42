import { homedir } from 'node:os'

/** Time source of a host. A test can replace it by one that stands still. All values are in milliseconds. */
export interface Clock {
  /** Returns milliseconds since the epoch. */
  now(): number
  /**
   * Calls `callback` once after `ms`; returns a function that cancels it. Must keep the process alive while it waits.
   */
  after(ms: number, callback: () => void): () => void
}

/**
 * Machine as the engine sees it. The engine never reads the process's own folder, home or environment, so every
 * provider can be tested alone. See docs/reference/engine.md, "The host".
 */
export interface Host {
  /** Absolute path of the working folder. */
  readonly cwd: string
  /** Absolute path of the user's home folder. It need not exist. */
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** Numeric user id; undefined on platforms without one. */
  readonly uid?: number | undefined
  readonly sessionId: string
  readonly clock: Clock
}

/**
 * Clock of this machine. It waits at most about 25 days, the longest delay of a timer. See docs/reference/engine.md,
 * "The host".
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    // With a longer delay, a timer would fire at once.
    const timer = setTimeout(callback, Math.min(ms, 2 ** 31 - 1))
    return () => clearTimeout(timer)
  },
}

/**
 * Makes the host that describes this process.
 * @param overrides properties that replace those of the process, such as `cwd`
 */
export function processHost(overrides: Partial<Host> = {}): Host {
  let sessionId: string | undefined
  return {
    // `process.cwd()` throws if the folder was deleted, so it is called only when needed.
    cwd: overrides.cwd ?? process.cwd(),
    home: homedir(),
    env: process.env,
    platform: process.platform,
    uid: process.getuid?.(),
    clock: systemClock,
    // Made on first use: loading the random source costs milliseconds that a listing does not need.
    get sessionId() {
      return (sessionId ??= crypto.randomUUID())
    },
    ...overrides,
  }
}
