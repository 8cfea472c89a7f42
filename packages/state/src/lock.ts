import { basename, dirname } from 'node:path'
import { abortError, type Clock, type SkillsError } from '@skills/core'
import { create, isSame, look, removeLeftovers, scratchOf, type FoundLock } from './lock-file.js'
import { isRunning, thisHolder } from './lock-holder.js'
import { refused, stateError } from './state-error.js'
import { Root } from './writer/root.js'

export interface LockOptions {
  readonly clock: Pick<Clock, 'after'>
  /** Milliseconds to wait for other holders. */
  readonly limitMs: number
  readonly signal?: AbortSignal | undefined
  /** Writer for the folder of the lock. Default: one for a folder that only its user can write to. */
  readonly root?: Root | undefined
}

/** Lock that this process holds. */
export interface Hold {
  /**
   * Returns false once another process has taken the lock over, which happens to a process that was stopped for long.
   */
  isHeld(): boolean
}

/**
 * Milliseconds after which an unchanged lock counts as left behind, if it cannot be told whether its holder still runs.
 */
const abandonedMs = 4000
const longestPauseMs = 50

/**
 * Runs `work` while no other caller, in any process, holds the lock at this path. `work` is synchronous, so nothing
 * else of this process runs in between. If the process is killed meanwhile, the next process that wants the lock
 * notices this and takes it. Throws `E_STATE` if others hold the lock for longer than the limit or if the system
 * refuses, the signal's `AbortError`, and the errors of `work`.
 * @param path the lock's file, in a folder that only the user, or someone the user trusts, can write to
 */
export async function withLock<T>(
  path: string,
  { clock, limitMs, signal, root = new Root(dirname(path), { kind: 'private' }) }: LockOptions,
  work: (hold: Hold) => T,
): Promise<T> {
  const waiting = new Waiting()
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    if (signal?.aborted === true) throw abortError(signal)
    const held = orRefused(path, () => takeLock(root, path, waiting))
    if (held !== undefined) {
      try {
        return work(held)
      } finally {
        orRefused(path, held.release)
      }
    }
    if (waiting.ms >= limitMs) throw orRefused(path, () => stillInUse(path, limitMs))
    await pause(pauseMs, clock, signal)
    waiting.ms += pauseMs
  }
}

/** Counts how long this process has waited by adding its own pauses. The time of day can be set and would mislead. */
class Waiting {
  ms = 0
  readonly #seen = new Map<string, { readonly lock: FoundLock; readonly sinceMs: number }>()

  /**
   * Returns true if a lock has not changed for so long that its holder, which only has to write a file, must be gone.
   */
  hasStood(path: string, lock: FoundLock): boolean {
    const before = this.#seen.get(path)
    if (before !== undefined && isSame(before.lock, lock)) return this.ms - before.sinceMs >= abandonedMs
    this.#seen.set(path, { lock, sinceMs: this.ms })
    return false
  }
}

function orRefused<T>(path: string, step: () => T): T {
  try {
    return step()
  } catch (error) {
    throw refused(`The lock ${path} could not be used`, error)
  }
}

/** Tries once to take the lock. Returns undefined if another caller holds it. */
function takeLock(root: Root, path: string, waiting: Waiting): (Hold & { readonly release: () => void }) | undefined {
  if (!removeAbandoned(root, path, waiting)) return undefined
  const name = basename(path)
  const holder = thisHolder()
  if (!create(root, name, holder)) return undefined
  removeLeftovers(root, name)
  const isHeld = (): boolean => look(path)?.holder?.token === holder.token
  return {
    isHeld,
    release: () => {
      if (isHeld()) root.remove(name)
    },
  }
}

/**
 * Removes a lock whose holder has ended. Returns false if the holder still runs. Two processes that find the same lock
 * must not both remove it: the second would remove the lock that the first took in between. So a process takes a second
 * lock for the removal, and looks again under it.
 */
function removeAbandoned(root: Root, path: string, waiting: Waiting): boolean {
  const found = look(path)
  if (found === undefined) return true
  if (!isAbandoned(path, found, waiting)) return false
  const guard = takeLock(root, `${path}.takeover`, waiting)
  if (guard === undefined) return false
  try {
    const still = look(path)
    if (still === undefined) return true
    if (!isSame(still, found)) return false
    const name = basename(path)
    if (still.holder !== undefined) root.remove(scratchOf(name, still.holder))
    root.remove(name)
    return true
  } finally {
    guard.release()
  }
}

function isAbandoned(path: string, found: FoundLock, waiting: Waiting): boolean {
  const runs = found.holder === undefined ? undefined : isRunning(found.holder)
  return runs === undefined ? waiting.hasStood(path, found) : !runs
}

function stillInUse(path: string, limitMs: number): SkillsError {
  const pid = look(path)?.holder?.pid
  const who = pid === undefined ? 'another process' : `the process ${pid}`
  return stateError(
    `${path} has been held by ${who} for ${limitMs} ms.`,
    `Try again. If ${pid === undefined ? 'no process' : 'that process no longer'} uses the lock, remove the file.`,
  )
}

function pause(ms: number, clock: LockOptions['clock'], signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      cancel()
      if (signal !== undefined) reject(abortError(signal))
    }
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', stop)
      resolve()
    })
    signal?.addEventListener('abort', stop, { once: true })
  })
}
