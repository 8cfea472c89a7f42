import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { abortError, messageOf, SkillsError, type Clock } from '@skills/core'
import { systemCode } from '@skills/fs'

export interface LockOptions {
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
}

const waitMs = 20
const mostWaits = 250

/**
 * Runs `work` while no other process of ours does for the same file. A process that died holding the lock holds up nobody.
 * Throws `E_STATE` when it is not to be had within five seconds.
 */
export async function withLock(target: string, { clock, signal }: LockOptions, work: () => void): Promise<void> {
  const lock = `${target}.lock`
  const mine = `${target}.${crypto.randomUUID()}.lock`
  try {
    writeLock(mine, target)
    for (let waits = 0; !take(mine, lock, target); waits++) {
      if (waits === mostWaits) throw new SkillsError('E_STATE', `Another process has been writing ${target} for too long.`, { hint: `End it, or remove ${lock} when there is none, and save again.` })
      await pause(clock, signal)
    }
    try {
      work()
    } finally {
      rmSync(lock, { force: true })
    }
  } finally {
    rmSync(mine, { force: true })
  }
}

function writeLock(mine: string, target: string): void {
  try {
    writeFileSync(mine, String(process.pid), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    throw unlockable(target, error)
  }
}

/** A link is made at once and with its content, so that nobody ever sees a lock without a process. */
function take(mine: string, lock: string, target: string): boolean {
  try {
    linkSync(mine, lock)
    return true
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw unlockable(target, error)
    if (!isHeld(lock)) rmSync(lock, { force: true })
    return false
  }
}

function isHeld(lock: string): boolean {
  try {
    const pid = Number(readFileSync(lock, 'utf8'))
    // What another program put there is not ours to remove.
    if (!Number.isSafeInteger(pid) || pid <= 0) return true
    process.kill(pid, 0)
    return true
  } catch (error) {
    const code = systemCode(error)
    // Nobody has that number; or the lock is gone already, and what is not there can be removed. A process of somebody else lives.
    return code !== 'ESRCH' && code !== 'ENOENT'
  }
}

function unlockable(target: string, error: unknown): SkillsError {
  const isDenied = ['EACCES', 'EPERM', 'EROFS'].includes(systemCode(error) ?? '')
  return new SkillsError('E_STATE', `The settings file ${target} cannot be written: ${isDenied ? 'its folder is read-only' : messageOf(error)}.`, {
    hint: 'Change the permissions of the folder, and save again; until then the rules hold for this session.', cause: error,
  })
}

function pause(clock: Clock, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      cancel()
      if (signal !== undefined) reject(abortError(signal))
    }
    const cancel = clock.after(waitMs, () => {
      signal?.removeEventListener('abort', stop)
      resolve()
    })
    if (signal?.aborted === true) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
