import { homedir } from 'node:os'

/** Time as a host gives it, so that a test can stand still. All figures in milliseconds. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls `callback` once after `ms`; returns what cancels it. Must keep the process alive while it waits. */
  after(ms: number, callback: () => void): () => void
}

/**
 * What the engine knows of the machine. Nothing in the engine reads the process's own folder, home or environment,
 * so every provider can be tested alone. See docs/reference/engine.md, "The host".
 */
export interface Host {
  /** Working folder, absolute. */
  readonly cwd: string
  /** Home folder of the user, absolute. It need not exist. */
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** Numeric user id; undefined where the platform has none. */
  readonly uid?: number | undefined
  readonly sessionId: string
  readonly clock: Clock
}

/**
 * The time of this machine; one that is asked to wait for longer than a timer can, about 25 days, waits that long. See
 * docs/reference/engine.md, "The host".
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    // More than a timer can wait for it would not wait at all.
    const timer = setTimeout(callback, Math.min(ms, 2 ** 31 - 1))
    return () => clearTimeout(timer)
  },
}

/**
 * The host that describes this process.
 * @param overrides properties that replace those of the process, such as `cwd`
 */
export function processHost(overrides: Partial<Host> = {}): Host {
  let sessionId: string | undefined
  return {
    // Fails in a folder that was deleted meanwhile; not where the caller knows better.
    cwd: overrides.cwd ?? process.cwd(),
    home: homedir(),
    env: process.env,
    platform: process.platform,
    uid: process.getuid?.(),
    clock: systemClock,
    // Made when first asked for: loading the random source costs milliseconds that a listing does not need.
    get sessionId() {
      return (sessionId ??= crypto.randomUUID())
    },
    ...overrides,
  }
}
