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
import { notWritten } from './write-error.js'

/** A folder that is held while something in it is changed. */
export interface OpenFolder {
  /** Absolute, as a person knows it. */
  readonly path: string
  /** The entry of this name, as the system is told of it. */
  at(name: string): string
  /**
   * Ends holding it. Throws `E_WRITE` where the system holds no folders and another one stands at its path by now.
   */
  close(): void
  /** The same folder, which closing does not end to hold; undefined where the system holds none. */
  lent?(): OpenFolder
}

export interface Descent {
  /** Absolute; links on the way to it are followed. */
  readonly top: string
  /** Names of folders below it, none of which may be a link. */
  readonly names: readonly string[]
  /** Mode of folders that are made where they are missing; undefined: none is made. */
  readonly mode: number | undefined
  /** Which folder the top was when it was first looked at. */
  readonly identity: string | undefined
  /** Told of each folder that is made. */
  readonly onMade?: ((path: string) => void) | undefined
  /** Throws for a folder that is not to be written to. */
  readonly check?: ((folder: OpenFolder) => void) | undefined
}

/**
 * Whether folders can be held by a descriptor and entered through it: then one that is swapped for a link on the way
 * leads nowhere else. So it is on Linux where /proc is there.
 */
let canHold: boolean | undefined
const holdsFolders = (): boolean => (canHold ??= process.platform === 'linux' && existsSync('/proc/self/fd'))
/** O_PATH of Linux, which Node does not name: a folder that may be entered and not be listed is opened too. */
const pathOnly = 0o10000000

/**
 * Opens a folder by folder, and follows no link below the top. Throws `E_WRITE` for a link, and system errors.
 * @returns undefined where a folder is missing and none is made
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

/** A folder in which only this user can put anything, so that it needs no holding. */
export function ownFolder(path: string): OpenFolder {
  return new NamedFolder(path, [])
}

/** Tells a folder from another one that takes its path. Undefined where nothing is, also below a file. */
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

/** Holds a folder in another one; undefined when there is nothing of this name. Throws `E_WRITE` for a link. */
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
  // It was a link, or not there, when it was opened.
  throw swapped(path)
}

function makeIn(outer: OpenFolder, name: string, mode: number): boolean {
  try {
    mkdirSync(outer.at(name), { mode })
    return true
  } catch (error) {
    // Another process may make the same one at this moment.
    if (systemCode(error) === 'EEXIST') return false
    throw asKnown(error, outer)
  }
}

/** The error of a system call with the path that a person knows in place of the one that the system was told. */
export function asKnown(error: unknown, folder: OpenFolder): unknown {
  if (systemCode(error) === undefined || !(error instanceof Error)) return error
  const told = folder.at('').slice(0, -1)
  for (const key of ['path', 'dest', 'message'] as const) {
    const value: unknown = Reflect.get(error, key)
    if (typeof value === 'string') Reflect.set(error, key, value.replaceAll(told, folder.path))
  }
  return error
}

/** The refusal of a link, with where it leads. */
export function linked(folder: OpenFolder, name: string): Error {
  return notWritten(
    `${folder.path}/${name} is a link to ${readlinkSync(folder.at(name))}, and nothing is written through a link.`,
    'Remove the link, or name the place that it leads to.',
  )
}

function swapped(path: string): Error {
  return notWritten(
    `${path} was replaced by something else meanwhile, so nothing is written there.`,
    'Look at who changes it, and try again.',
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

/** One whose holder ends it. */
class LentFolder extends HeldFolder {
  override close(): void {
    // It stays open.
  }
}

/** The folders that lead to one, the outermost first, and which each was. */
type Way = readonly (readonly [path: string, identity: string | undefined])[]

/** Where no folder can be held: what is on the way is compared before and after. */
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
