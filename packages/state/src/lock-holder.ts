import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { systemCode } from './state-error.js'

/** Holder of a lock, as written in the lock's file. */
export interface LockHolder {
  readonly pid: number
  /** Start of the process, as Linux counts it; tells it from a later process with the same id. Undefined elsewhere. */
  readonly start?: string | undefined
  /** Machine since its last start, and container: the place where `pid` means something. */
  readonly machine: string
  /** Random id, different for each lock. */
  readonly token: string
}

let machine: string | undefined
let ownStart: string | undefined

export function thisHolder(): LockHolder {
  ownStart ??= startOf(process.pid)
  return { pid: process.pid, start: ownStart, machine: thisMachine(), token: crypto.randomUUID() }
}

/** Returns true if the holder's process still runs, and undefined if this process cannot find out. */
export function isRunning({ pid, start, machine: where }: LockHolder): boolean | undefined {
  if (where !== thisMachine()) return undefined
  if (!exists(pid)) return false
  const running = startOf(pid)
  return start === undefined || running === undefined ? undefined : running === start
}

/** Returns the holder that a lock's text names, or undefined if the text is incomplete or invalid. */
export function parseHolder(text: string): LockHolder | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed !== 'object' || parsed === null || !('pid' in parsed && 'machine' in parsed && 'token' in parsed))
      return undefined
    const { pid, machine: where, token } = parsed
    const start = 'start' in parsed ? parsed.start : undefined
    if (
      typeof pid !== 'number' ||
      !Number.isInteger(pid) ||
      pid <= 0 ||
      typeof where !== 'string' ||
      typeof token !== 'string'
    )
      return undefined
    // The token becomes part of a path.
    if (!/^[0-9a-f-]{36}$/.test(token)) return undefined
    return { pid, machine: where, token, start: typeof start === 'string' ? start : undefined }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Any other error, such as EPERM, means that the process runs as another user.
    return systemCode(error) !== 'ESRCH'
  }
}

/**
 * Returns the start of a process, as Linux counts it, or `ended` for a zombie that its parent has not yet collected.
 */
function startOf(pid: number): string | undefined {
  const text = readOrEmpty(`/proc/${pid}/stat`)
  // Field 2 is the program's name in parentheses and can be any text; field 3 is the state, field 22 the start.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  if (fields.length < 20) return undefined
  return fields[0] === 'Z' || fields[0] === 'X' ? 'ended' : fields[19]
}

export function thisMachine(): string {
  return (machine ??= [hostname(), readOrEmpty('/proc/sys/kernel/random/boot_id').trim(), processNamespace()].join(' '))
}

function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return ''
  }
}

/** Reads a file that only Linux has; returns an empty text elsewhere. */
function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return ''
  }
}
