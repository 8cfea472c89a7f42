import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  statSync,
} from 'node:fs'
import { systemCode } from '../state-error.js'
import { notWritten, withoutRoom } from './write-error.js'

/** Folder that stays open while something in it is changed. */
export interface OpenFolder {
  /** Absolute path, as a person knows it. */
  readonly path: string
  /** Returns the path of the entry with this name that system calls are given. */
  at(name: string): string
  /** Closes the folder. Where folders cannot be held open, throws `E_WRITE` if another one has taken its path. */
  close(): void
  /** Returns the same folder, whose `close` leaves it open. Missing where folders cannot be held open. */
  lent?(): OpenFolder
}

export interface Descent {
  /** Absolute path; links on the way to it are followed. */
  readonly top: string
  /** Names of the folders below `top`, one for each step; none may be a link. */
  readonly names: readonly string[]
  /** Mode for missing folders, which are made. Undefined: none is made. */
  readonly mode: number | undefined
  /** Identity of the top when it was first looked at. */
  readonly identity: string | undefined
  /** Called with each folder that is made. */
  readonly onMade?: ((path: string) => void) | undefined
  /** Throws for a folder that must not be written to. */
  readonly check?: ((folder: OpenFolder) => void) | undefined
}

/**
 * True if folders can be held open by a descriptor and entered through it, which Linux with /proc allows. Then a folder
 * that is swapped for a link on the way leads nowhere else.
 */
let canHold: boolean | undefined
const holdsFolders = (): boolean => (canHold ??= process.platform === 'linux' && existsSync('/proc/self/fd'))
/** `O_PATH` of Linux, which Node does not name. It also opens a folder that may be entered but not listed. */
const pathOnly = 0o10000000

/**
 * Opens one folder after the other, from the top down to the last name. Follows no link below the top. Throws `E_WRITE`
 * for a link, and system errors.
 * @returns undefined if a folder is missing and is not to be made
 */
export function descend(descent: Descent): OpenFolder | undefined {
  const { top, names, mode, identity, onMade, check } = descent
  let at: OpenFolder | undefined = openTop(top, identity)
  try {
    check?.(at)
    for (const name of names) {
      const outer: OpenFolder = at
      let next = enter(outer, name)
      if (next === undefined && mode !== undefined) {
        const isMade = makeIn(outer, name, mode)
        if (isMade) onMade?.(`${outer.path}/${name}`)
        next = enter(outer, name)
      }
      at = next
      outer.close()
      if (at === undefined) return undefined
      check?.(at)
    }
    return at
  } catch (error) {
    at?.close()
    throw error
  }
}

/** Returns a folder that does not have to be held open, because only this user can put anything into it. */
export function ownFolder(path: string): OpenFolder {
  return new NamedFolder(path, [])
}

/**
 * Returns a text that distinguishes a folder from another folder at the same path. Undefined if nothing is at the path,
 * or if a parent is a file.
 */
export function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path)
    return `${dev} ${ino}`
  } catch (error) {
    const code = systemCode(error)
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
    return undefined
  }
}

function openTop(top: string, identity: string | undefined): OpenFolder {
  if (holdsFolders()) {
    const descriptor = openSync(top, pathOnly | constants.O_DIRECTORY)
    const { dev, ino } = fstatSync(descriptor)
    if (identity === undefined || identity === `${dev} ${ino}`) return new HeldFolder(top, descriptor)
    closeSync(descriptor)
    throw swapped(top)
  }
  if (identity !== undefined && identityOf(top) !== identity) throw swapped(top)
  return new NamedFolder(top, [[top, identityOf(top)]])
}

/** Opens a folder inside another one. Returns undefined if nothing has this name. Throws `E_WRITE` for a link. */
export function enter(outer: OpenFolder, name: string): OpenFolder | undefined {
  const path = `${outer.path}/${name}`
  try {
    if (outer instanceof HeldFolder) {
      const flags = pathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW
      return new HeldFolder(path, openSync(outer.at(name), flags))
    }
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT') return undefined
    if (code !== 'ENOTDIR' && code !== 'ELOOP') throw asKnown(error, outer)
  }
  const stats = lstatSync(outer.at(name), { throwIfNoEntry: false })
  if (stats === undefined) return undefined
  if (stats.isSymbolicLink()) throw linked(outer, name)
  if (!stats.isDirectory())
    throw Object.assign(new Error(`ENOTDIR: not a directory, open '${path}'`), { code: 'ENOTDIR', path })
  if (outer instanceof NamedFolder) return outer.below(name, `${stats.dev} ${stats.ino}`)
  // The entry was a link or missing when it was opened, and is a folder now.
  throw swapped(path)
}

function makeIn(outer: OpenFolder, name: string, mode: number): boolean {
  try {
    mkdirSync(outer.at(name), { mode })
    return true
  } catch (error) {
    // Another process may make the same folder at this moment.
    if (systemCode(error) === 'EEXIST') return false
    throw asKnown(error, outer)
  }
}

/**
 * Changes the path in an error: replaces the path of the system call by the path that a person knows. The error of a
 * full disk becomes `E_WRITE`.
 */
export function asKnown(error: unknown, folder: OpenFolder): unknown {
  if (systemCode(error) === undefined || !(error instanceof Error)) return error
  const told = folder.at('').slice(0, -1)
  for (const key of ['path', 'dest', 'message'] as const) {
    const value: unknown = Reflect.get(error, key)
    if (typeof value === 'string') Reflect.set(error, key, value.replaceAll(told, folder.path))
  }
  return withoutRoom('path' in error && typeof error.path === 'string' ? error.path : folder.path, error)
}

/** Returns the error for a link, with the target of the link. */
export function linked(folder: OpenFolder, name: string): Error {
  return notWritten(
    `${folder.path}/${name} is a link to ${readlinkSync(folder.at(name))}, and this program does not write through links.`,
    'Remove the link, or name its target.',
  )
}

function swapped(path: string): Error {
  return notWritten(
    `${path} was replaced while this program was writing, so nothing is written there.`,
    'Find out which program changes that path, and try again.',
  )
}

class HeldFolder implements OpenFolder {
  constructor(
    readonly path: string,
    private readonly descriptor: number,
  ) {}

  at(name: string): string {
    return `/proc/self/fd/${this.descriptor}/${name}`
  }

  close(): void {
    closeSync(this.descriptor)
  }

  lent(): OpenFolder {
    return new LentFolder(this.path, this.descriptor)
  }
}

/** Folder that its owner closes. */
class LentFolder extends HeldFolder {
  override close(): void {
    // The folder stays open.
  }
}

/** Folders from the top down to one, each with its identity when it was entered. */
type Way = readonly (readonly [path: string, identity: string | undefined])[]

/** Folder where none can be held open: the folders on the way are compared before and after. */
class NamedFolder implements OpenFolder {
  constructor(
    readonly path: string,
    private readonly way: Way,
  ) {}

  at(name: string): string {
    return `${this.path}/${name}`
  }

  below(name: string, identity: string): NamedFolder {
    const path = this.at(name)
    return new NamedFolder(path, [...this.way, [path, identity]])
  }

  close(): void {
    for (const [at, [path, identity]] of this.way.entries()) {
      const stats = at === 0 ? statSync(path, { throwIfNoEntry: false }) : lstatSync(path, { throwIfNoEntry: false })
      if (stats !== undefined && `${stats.dev} ${stats.ino}` !== identity) throw swapped(path)
    }
  }
}
