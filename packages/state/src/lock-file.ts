import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname } from 'node:path'
import { parseHolder, type LockHolder } from './lock-holder.js'
import { systemCode } from './state-error.js'

/** Bytes that are more than a holder ever takes. */
const mostBytes = 4096

export interface FoundLock {
  readonly text: string
  readonly holder: LockHolder | undefined
  /**
   * Which file it is, and when it was last written, in the words of the file system; tells two apart that say nothing.
   */
  readonly version: string
}

export function isSame(one: FoundLock, other: FoundLock): boolean {
  return one.text === other.text && one.version === other.version
}

export function look(path: string): FoundLock | undefined {
  let descriptor: number
  try {
    // Beside a project's settings the project may have put a named pipe here, or a link to a device that never ends.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
  try {
    const bytes = Buffer.alloc(mostBytes)
    const text = bytes.toString('utf8', 0, readSync(descriptor, bytes))
    const { ino, mtimeMs } = fstatSync(descriptor)
    return { text, holder: parseHolder(text), version: `${ino} ${mtimeMs}` }
  } finally {
    closeSync(descriptor)
  }
}

/** Where its holder writes what takes the place of something else. */
export function scratchOf(path: string, { token }: LockHolder): string {
  return `${path}.${token}`
}

/**
 * False when there is one already. It is written beside and linked into its place, so that it says who holds it from
 * the moment it is there, whenever this process is ended.
 */
export function create(path: string, holder: LockHolder): boolean {
  const beside = scratchOf(path, holder)
  const text = JSON.stringify(holder)
  try {
    // There may be no room for as much as this.
    writeFileSync(beside, text, { flag: 'wx', mode: 0o600 })
    return link(beside, path) ?? writeNew(path, text)
  } finally {
    rmSync(beside, { force: true })
  }
}

/** False when there is something in that place already; undefined where the file system knows no links. */
function link(from: string, to: string): boolean | undefined {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    const code = systemCode(error) ?? ''
    // Who has the lock removes what it takes for left behind, and that is what was to be linked.
    if (code === 'EEXIST' || code === 'ENOENT') return false
    if (['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'].includes(code)) return undefined
    throw error
  }
}

function writeNew(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    // A partial lock would keep every process out.
    rmSync(path, { force: true })
    throw error
  }
}

/** Removes what killed processes left beside the lock. A process that loses its file while taking the lock retries. */
export function removeLeftovers(path: string): void {
  const name = basename(path)
  for (const one of readdirSync(dirname(path))) {
    if (one.startsWith(`${name}.`) && /^(?:\.takeover)*\.[0-9a-f-]{36}$/.test(one.slice(name.length)))
      rmSync(`${dirname(path)}/${one}`, { force: true })
  }
}
