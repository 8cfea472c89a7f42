import { closeSync, constants, fstatSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs'
import { abortError, type Clock, type SkillsError } from '@skills/core'
import { isRunning, parseHolder, thisHolder, type LockHolder } from './lock-holder.js'
import { refused, stateError, systemCode } from './state-error.js'

export interface LockOptions {
  readonly clock: Clock
  /** Milliseconds that others are waited for. */
  readonly limitMs: number
  readonly signal: AbortSignal
}

/** A lock that is held. */
export interface Hold {
  /** A path that nobody else uses; what is left there is removed with the lock, whoever removes it. */
  readonly scratch: string
  /** Whether nobody has taken the lock over: a process that was stopped for long may find that. */
  isHeld(): boolean
}

/** Milliseconds after which a lock counts as left behind when nobody can tell whether its holder still runs. */
const abandonedMs = 60_000
const longestPauseMs = 50
/** Bytes that are more than a holder ever takes. */
const mostBytes = 4096

/**
 * Runs `work` while nobody else, in any process, runs with the lock of this path. It has to be done when it returns: nothing
 * of this process comes between, and a process that ends meanwhile was ended by force, which the next one notices.
 * Throws `E_STATE` when others hold the lock for longer than the limit or the system refuses it, the `AbortError` of the
 * signal, and what `work` throws.
 * @param path of the lock's file, in a folder that nobody writes to whom the user does not trust
 */
export async function withLock<T>(path: string, { clock, limitMs, signal }: LockOptions, work: (hold: Hold) => T): Promise<T> {
  const start = clock.now()
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    if (signal.aborted) throw abortError(signal)
    const held = orRefused(path, () => takeLock(path, clock.now()))
    if (held !== undefined) {
      try {
        return work(held)
      } finally {
        orRefused(path, held.release)
      }
    }
    if (clock.now() - start >= limitMs) throw orRefused(path, () => stillInUse(path, limitMs))
    await pause(pauseMs, clock, signal)
  }
}

function orRefused<T>(path: string, step: () => T): T {
  try {
    return step()
  } catch (error) {
    throw refused(`The lock ${path} could not be used`, error)
  }
}

/** One attempt; undefined when somebody else has it. */
function takeLock(path: string, now: number): Hold & { readonly release: () => void } | undefined {
  const holder = thisHolder()
  if (!create(path, holder) && !(removeAbandoned(path, now) && create(path, holder))) return undefined
  const scratch = scratchOf(path, holder)
  const isHeld = (): boolean => look(path)?.holder?.token === holder.token
  return {
    scratch, isHeld,
    release: () => {
      rmSync(scratch, { force: true })
      if (isHeld()) rmSync(path, { force: true })
    },
  }
}

/** False when there is one already. */
function create(path: string, holder: LockHolder): boolean {
  let descriptor: number
  try {
    descriptor = openSync(path, 'wx', 0o600)
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  }
  try {
    writeFileSync(descriptor, JSON.stringify(holder))
    return true
  } catch (error) {
    // There is no room for as much as this. Left behind it would keep everybody out.
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Removes a lock whose holder is no more; false when it has one. Two that find the same one at a time must not both remove
 * it, for the second would remove the lock that the first took in between. So whoever removes holds a lock for that, and
 * looks again under it.
 */
function removeAbandoned(path: string, now: number): boolean {
  const found = look(path)
  if (found === undefined) return true
  if (!isAbandoned(found, now)) return false
  const guard = takeLock(`${path}.takeover`, now)
  if (guard === undefined) return false
  try {
    const still = look(path)
    if (still === undefined) return true
    if (still.text !== found.text || still.changedMs !== found.changedMs) return false
    if (still.holder !== undefined) rmSync(scratchOf(path, still.holder), { force: true })
    rmSync(path, { force: true })
    return true
  } finally {
    guard.release()
  }
}

interface FoundLock {
  readonly text: string
  readonly holder: LockHolder | undefined
  /** Milliseconds since the epoch. */
  readonly changedMs: number
}

function look(path: string): FoundLock | undefined {
  let descriptor: number
  try {
    // Beside a project's settings it is whatever the project put there: a link to a device that never ends, perhaps, or a named pipe.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
  try {
    const bytes = Buffer.alloc(mostBytes)
    const text = bytes.toString('utf8', 0, readSync(descriptor, bytes))
    return { text, holder: parseHolder(text), changedMs: fstatSync(descriptor).mtimeMs }
  } finally {
    closeSync(descriptor)
  }
}

function isAbandoned({ holder, changedMs }: FoundLock, now: number): boolean {
  const runs = holder === undefined ? undefined : isRunning(holder)
  return runs === undefined ? now - changedMs > abandonedMs : !runs
}

function scratchOf(path: string, { token }: LockHolder): string {
  return `${path}.${token}`
}

function stillInUse(path: string, limitMs: number): SkillsError {
  const pid = look(path)?.holder?.pid
  const who = pid === undefined ? 'another process' : `the process ${pid}`
  return stateError(`${path} has been held by ${who} for ${limitMs} ms.`, `Try again; if ${pid === undefined ? 'no process' : 'that process no longer'} uses it, remove the file.`)
}

function pause(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      cancel()
      reject(abortError(signal))
    }
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', stop)
      resolve()
    })
    signal.addEventListener('abort', stop, { once: true })
  })
}
