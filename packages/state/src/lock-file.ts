import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, writeSync } from 'node:fs'
import { parseHolder, type LockHolder } from './lock-holder.js'
import { systemCode } from './state-error.js'
import type { Root } from './writer/root.js'

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

/** Where its holder writes it before it is linked into its place. */
export function scratchOf(name: string, { token }: LockHolder): string {
  return `${name}.${token}`
}

/**
 * False when there is one already. It is written beside and linked into its place, so that it says who holds it from
 * the moment it is there, whenever this process is ended.
 */
export function create(root: Root, name: string, holder: LockHolder): boolean {
  const beside = scratchOf(name, holder)
  const text = JSON.stringify(holder)
  try {
    // There may be no room for as much as this.
    writeNew(root, beside, text)
    return link(root, beside, name) ?? writeNew(root, name, text)
  } finally {
    root.remove(beside)
  }
}

/** False when there is something in that place already; undefined where the file system knows no links. */
function link(root: Root, from: string, to: string): boolean | undefined {
  try {
    root.hardLink(from, to)
    return true
  } catch (error) {
    const code = systemCode(error) ?? ''
    // Who has the lock removes what it takes for left behind, and that is what was to be linked.
    if (code === 'EEXIST' || code === 'ENOENT') return false
    if (['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'].includes(code)) return undefined
    throw error
  }
}

function writeNew(root: Root, name: string, text: string): boolean {
  let descriptor: number
  try {
    descriptor = root.open(name, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  }
  try {
    const bytes = Buffer.from(text)
    for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done)
    return true
  } catch (error) {
    // A partial lock would keep every process out.
    root.remove(name)
    throw error
  } finally {
    closeSync(descriptor)
  }
}

/** Removes what killed processes left beside the lock. A process that loses its file while taking the lock retries. */
export function removeLeftovers(root: Root, name: string): void {
  for (const one of readdirSync(root.path)) {
    if (one.startsWith(`${name}.`) && /^(?:\.takeover)*\.[0-9a-f-]{36}$/.test(one.slice(name.length))) root.remove(one)
  }
}
