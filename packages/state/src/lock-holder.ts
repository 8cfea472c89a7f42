import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { systemCode } from './state-error.js'

/** Who holds a lock, as it stands in the lock's file. */
export interface LockHolder {
  readonly pid: number
  /** When the process began, as the machine counts; tells it from a later one with its id. Undefined outside Linux. */
  readonly start?: string | undefined
  /** Where `pid` means something: the machine since it was started, and the container. */
  readonly machine: string
  /** Unlike that of any other lock. */
  readonly token: string
}

let machine: string | undefined

export function thisHolder(): LockHolder {
  return { pid: process.pid, start: startOf(process.pid), machine: thisMachine(), token: crypto.randomUUID() }
}

/** Whether the process of a holder still runs; undefined when it cannot be told from here. */
export function isRunning({ pid, start, machine: where }: LockHolder): boolean | undefined {
  if (where !== thisMachine()) return undefined
  if (!exists(pid)) return false
  const running = startOf(pid)
  return start === undefined || running === undefined ? undefined : running === start
}

/** Whose file this is, or undefined when it does not say: it is still being written, or never will be. */
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
    // It becomes part of a path.
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
    // Any other error says that the process runs, as another user.
    return systemCode(error) !== 'ESRCH'
  }
}

/** When a process began, as Linux counts; `ended` for a zombie, which its parent has not waited for yet. */
function startOf(pid: number): string | undefined {
  const text = readOrEmpty(`/proc/${pid}/stat`)
  // The second field is the name of the program in parentheses, any text; the third is the state, the 22nd the start.
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

/** Where there is no such file the platform is another. */
function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return ''
  }
}
