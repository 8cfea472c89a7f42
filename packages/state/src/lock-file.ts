import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { parseHolder, type LockHolder } from './lock-holder.js'
import { systemCode } from './state-error.js'
import { writeAll } from './writer/write-error.js'
import type { Root } from './writer/root.js'

/** Most bytes that a lock's file can have; a holder always takes fewer. */
const mostBytes = 4096

export interface FoundLock {
  readonly text: string
  readonly holder: LockHolder | undefined
  /** Identity and time of the last write of the file; tells two locks with the same text apart. */
  readonly version: string
}

export function isSame(one: FoundLock, other: FoundLock): boolean {
  return one.text === other.text && one.version === other.version
}

export function look(path: string): FoundLock | undefined {
  let descriptor: number
  try {
    // A project's lock may lie beside its settings, and the project may have put a named pipe here, or a link to a
    // device that never ends.
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

/** Returns the name under which a holder writes its lock before it is linked into place. */
export function scratchOf(name: string, { token }: LockHolder): string {
  return `${name}.${token}`
}

/**
 * Creates a lock. Returns false if there already is one. The file is written under another name and linked into place,
 * so that it names its holder from the first moment, even if this process is killed.
 */
export function create(root: Root, name: string, holder: LockHolder): boolean {
  const beside = scratchOf(name, holder)
  const text = JSON.stringify(holder)
  try {
    // The disk may have no room even for a lock.
    writeNew(root, beside, text)
    return link(root, beside, name) ?? writeNew(root, name, text)
  } finally {
    root.remove(beside)
  }
}

/**
 * Links a file to a second name. Returns false if that name is taken, and undefined if the file system has no links.
 */
function link(root: Root, from: string, to: string): boolean | undefined {
  try {
    root.hardLink(from, to)
    return true
  } catch (error) {
    const code = systemCode(error) ?? ''
    // `ENOENT`: the holder of the lock removes what it takes for left behind, and that was the file to be linked.
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
    writeAll(descriptor, Buffer.from(text), `${root.path}/${name}`)
    return true
  } catch (error) {
    // A partial lock would keep every process out.
    root.remove(name)
    throw error
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Removes the files that killed processes left beside the lock. A process that loses its file while taking the lock
 * retries.
 */
export function removeLeftovers(root: Root, name: string): void {
  for (const one of readdirSync(root.path)) {
    if (one.startsWith(`${name}.`) && /^(?:\.takeover)*\.[0-9a-f-]{36}$/.test(one.slice(name.length))) root.remove(one)
  }
}
