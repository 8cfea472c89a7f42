import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  lutimesSync,
  openSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  type Stats,
} from 'node:fs'
import { systemCode } from '../state-error.js'
import { isAbandoned, temporaryName } from '../temporary.js'
import { asKnown, descend, enter, identityOf, linked, ownFolder, type OpenFolder } from './open-folder.js'
import { folderLink } from './folder-link.js'
import { KeptFolders } from './kept-folders.js'
import { makeFolders } from './make-folders.js'
import { namesOf, refuseProgramsFolder, refuseRepository } from './names.js'
import { notWritten, withoutRoom, writeAll } from './write-error.js'

/**
 * Owner of a folder, which decides what may be written to it:
 * - `project`: a folder of a repository, whose content may have come from anyone. The writer changes only the places
 *   that are named when it is opened, follows no link from `top` on, and writes nothing into a folder of version
 *   control or a package manager.
 * - `person`: a folder that a person arranged or named. Links on the way to it are followed, links below it are not.
 * - `private`: a folder of this project for this user alone, such as the state folder and the cache folder.
 * - `temporary`: a folder that this process made, or a folder whose content can be made again. It is for this user
 *   alone, and writes are not flushed to the disk.
 */
export type RootKind = 'project' | 'person' | 'private' | 'temporary'

export interface RootOptions {
  readonly kind: RootKind
  /** For a project: the folder below which no link is followed, at or above the root. Default: the root. */
  readonly top?: string | undefined
  /**
   * For a project: the files and folders below the root that may be written, with everything in them; forward slashes.
   * An empty text stands for the whole root.
   */
  readonly places?: readonly string[] | undefined
}

/** State of the place that a write accepts; otherwise it throws `E_WRITE`. */
export type Replaces =
  /** No file: the place must be free. */
  | 'nothing'
  /** Any file of this name, because the name is ours. */
  | 'ours'
  /** File that a person named, unless it is read-only. */
  | 'named'
  /** File that was read before and has not changed since. */
  | { readonly ino: number; readonly size: number; readonly mtimeMs: number }
  /** File with these bytes; undefined: no file. */
  | { readonly bytes: Uint8Array | undefined }

export interface WriteOptions {
  readonly replaces: Replaces
  /**
   * Default: the mode of the replaced file; without one 0600 in a private folder, and 0666 less the umask elsewhere.
   */
  readonly mode?: number | undefined
  /** Called when the file is written but not yet in its place. If it throws, nothing changes. */
  readonly ready?: (() => void) | undefined
}

const begun = '.skills-write.'

/**
 * Writes files, folders and links below one folder. All packages of this project write with this class. All paths are
 * relative to the folder, with forward slashes. Nothing outside of the folder changes, no link below it is followed,
 * and a file is replaced only as {@link Replaces} says.
 *
 * On Linux each folder on the way is held open, so that swapping a folder for a link has no effect. On other systems
 * the folders are compared before and after the write: a swap is reported, but a write through the link is not undone.
 *
 * Every function throws `E_WRITE` if it refuses a write or the disk is full, and the errors of the system.
 */
export class Root {
  readonly kind: RootKind
  readonly #top: string
  readonly #below: readonly string[]
  readonly #places: readonly string[] | undefined
  #identity: string | undefined
  #kept: KeptFolders | undefined

  constructor(
    readonly path: string,
    { kind, top = path, places }: RootOptions,
  ) {
    this.kind = kind
    this.#top = kind === 'project' || kind === 'private' ? top : (found(realPathOf, path) ?? path)
    this.#below =
      kind === 'project' && path !== top ? namesOf(top, path.slice(top.length + (top.endsWith('/') ? 0 : 1))) : []
    this.#places = kind === 'project' ? (places ?? []) : undefined
    this.#identity = kind === 'private' ? undefined : found(identityOf, this.#top)
  }

  /** Path of the root with the links on the way to it resolved; for a project the same as `path`. */
  get realPath(): string {
    return [this.#top, ...this.#below].join('/')
  }

  /**
   * Returns a folder below as a root of its own. It stays tied to the folder that is there now, even if another takes
   * its path.
   */
  folder(path: string): Root {
    const root = new Root(`${this.path}/${path}`, { kind: 'person' })
    root.#identity = this.#in(this.#namesOf(path), {}, folder => identityOf(folder.at('.')))
    return root
  }

  /**
   * Keeps folders open until {@link release}, which the caller must call. The next change in such a folder needs no
   * walk to it, as long as it still stands at its path.
   */
  keep(): void {
    this.#kept ??= new KeptFolders()
  }

  release(): void {
    this.#kept?.close()
    this.#kept = undefined
  }

  /** Throws `E_WRITE` if the entry must not be written: it is not in a place, or a link is on the way to it. */
  check(path: string): void {
    this.#entry(path, missing, () => undefined)
  }

  /** Makes a folder and missing ones above it. Returns the absolute paths of those that were made, outermost first. */
  makeFolder(path: string, mode = this.#folderMode): readonly string[] {
    const made: string[] = []
    this.#in(path === '' ? [] : this.#namesOf(path), { mode, onMade: folder => made.push(folder) }, () => undefined)
    return made
  }

  /**
   * Writes a file under another name, flushes it to the disk and renames it, so that readers see the old file or the
   * whole new one. Makes missing folders above it.
   */
  write(path: string, content: string | Uint8Array, options: WriteOptions): void {
    this.#entry(path, { mode: this.#folderMode }, (folder, name) => this.#write(folder, name, content, options))
  }

  /**
   * Writes a new file directly in its place, for a folder that no one else knows yet. Makes missing folders above it.
   */
  create(path: string, content: string | Uint8Array, mode = this.#fileMode): void {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL
    const descriptor = this.#open(path, flags, mode, this.#folderMode)
    try {
      writeAll(descriptor, bytesOf(content), `${this.path}/${path}`)
      if (this.kind !== 'temporary') fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  }

  /**
   * Opens a file in an existing folder, to be written piece by piece. Returns its descriptor, which the caller closes.
   * Throws for a link.
   */
  open(path: string, flags: number, mode = this.#fileMode): number {
    return this.#open(path, flags, mode, undefined)
  }

  /**
   * Makes a link to a folder at a free path; on Windows a junction. Throws `E_WRITE` if the disk has no links.
   * @param target relative to the folder of the link, or absolute
   */
  link(path: string, target: string): void {
    this.#entry(path, { mode: this.#folderMode }, (folder, name) => {
      const { text, type } = folderLink(`${folder.path}/${name}`, target)
      try {
        symlinkSync(text, folder.at(name), type)
      } catch (error) {
        const code = systemCode(error)
        // Disks without links, such as FAT, and people without the right to make them.
        if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error
        throw notWritten(
          `${folder.path}/${name} cannot become a link, because this disk has no links (${code}).`,
          'Use a copy, or another disk.',
        )
      }
    })
  }

  /** Gives a file a second name at a free path. */
  hardLink(from: string, to: string): void {
    this.#entry(from, {}, (source, old) =>
      this.#entry(to, {}, (target, name) => linkSync(source.at(old), target.at(name))),
    )
  }

  /**
   * Renames a file, a link or a whole folder in one step. Returns false if the new place is taken. Makes missing
   * folders above the new place.
   * @param into root of the new place
   */
  move(from: string, to: string, into: Root = this): boolean {
    return this.#entry(from, {}, (source, old) => into.#receive(source.at(old), to))
  }

  #receive(from: string, to: string): boolean {
    return this.#entry(to, { mode: this.#folderMode }, (folder, name) => {
      if (lstatSync(folder.at(name), { throwIfNoEntry: false }) !== undefined) return false
      try {
        renameSync(from, folder.at(name))
        return true
      } catch (error) {
        // Another process may have put something there at this moment.
        if (lstatSync(folder.at(name), { throwIfNoEntry: false }) !== undefined) return false
        throw error
      }
    })
  }

  /** Removes a file, a link, or a folder with everything in it. Does nothing if the path is free. */
  remove(path: string): void {
    this.#entry(path, missing, removeAll)
  }

  /** Removes a folder if it is empty. Returns false if it is not. */
  removeEmpty(path: string): boolean {
    return this.#entry(path, { absent: { gives: true } }, (folder, name) => {
      try {
        rmdirSync(folder.at(name))
        return true
      } catch (error) {
        const code = systemCode(error)
        if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOENT') return code === 'ENOENT'
        throw error
      }
    })
  }

  /**
   * Sets the time of the last change of an entry; for a link, of the link itself.
   * @param time milliseconds since the epoch
   */
  touch(path: string, time: number): void {
    this.#entry(path, {}, (folder, name) => lutimesSync(folder.at(name), time / 1000, time / 1000))
  }

  /** Flushes the names in a folder to the disk. */
  flush(path = ''): void {
    this.#in(path === '' ? [] : this.#namesOf(path), {}, flush)
  }

  /** Removes the files that killed writers left in a folder: their names begin with `before` and end with `after`. */
  removeAbandoned(path: string, before = begun, after = '.tmp'): void {
    this.#in(path === '' ? [] : this.#namesOf(path), missing, folder => removeAbandonedIn(folder, before, after))
  }

  get #folderMode(): number {
    return this.kind === 'private' || this.kind === 'temporary' ? 0o700 : 0o777
  }

  get #fileMode(): number {
    return this.kind === 'private' || this.kind === 'temporary' ? 0o600 : 0o666
  }

  #write(
    folder: OpenFolder,
    name: string,
    content: string | Uint8Array,
    { replaces, mode, ready }: WriteOptions,
  ): void {
    const before = replaceable(folder, name, replaces)
    removeAbandonedIn(folder, begun, '.tmp')
    const beside = temporaryName(begun)
    // Renaming checks only the folder's permissions. Opening checks whether this process may write the file.
    if (before !== undefined && replaces !== 'ours')
      closeSync(openSync(folder.at(name), constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK))
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
    const descriptor = openSync(folder.at(beside), flags, mode ?? (before === undefined ? this.#fileMode : 0o600))
    try {
      try {
        writeAll(descriptor, bytesOf(content), `${folder.path}/${name}`)
        if (before !== undefined) takeAfter(descriptor, before, mode, `${folder.path}/${name}`)
        fsyncSync(descriptor)
      } finally {
        closeSync(descriptor)
      }
      ready?.()
      const now = replaceable(folder, name, replaces)
      if (now?.ino !== before?.ino || now?.mtimeMs !== before?.mtimeMs || now?.size !== before?.size)
        throw changed(`${folder.path}/${name}`)
      if (before === undefined && replaces !== 'ours') placeNew(folder, beside, name)
      else renameSync(folder.at(beside), folder.at(name))
    } finally {
      // After a success nothing has this name any more.
      unlinkIfThere(folder, beside)
    }
    flush(folder)
  }

  #open(path: string, flags: number, mode: number, folderMode: number | undefined): number {
    return this.#entry(path, { mode: folderMode }, (folder, name) =>
      // Windows knows neither flag; there they have no effect.
      openSync(folder.at(name), flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, mode),
    )
  }

  #namesOf(path: string): readonly string[] {
    const names = namesOf(this.path, path)
    if (this.#places === undefined) return names
    refuseProgramsFolder(`${this.path}/${path}`, names)
    if (!this.#places.some(place => place === '' || path === place || path.startsWith(`${place}/`)))
      throw notWritten(
        `Nothing may be written to ${this.path}/${path}${this.#places.length === 0 ? '' : `, only to ${this.#places.join(', ')}`}.`,
        'Name another place.',
      )
    return names
  }

  #entry<T>(path: string, how: Way, act: (folder: OpenFolder, name: string) => T): T {
    const names = this.#namesOf(path)
    return this.#in(names.slice(0, -1), how, folder => act(folder, names.at(-1) ?? ''))
  }

  /** Opens a folder for the time of `act`. Returns `absent.gives` if the folder is missing, and throws without it. */
  #in<T>(names: readonly string[], { mode, absent, onMade }: Way, act: (folder: OpenFolder) => T): T {
    const way = [...this.#below, ...names]
    const folder = this.kind === 'private' ? this.#ownFolder(names, mode, onMade) : this.#descend(way, mode, onMade)
    if (folder === undefined) {
      if (absent !== undefined) return absent.gives as T
      const path = [this.#top, ...way].join('/')
      throw Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), { code: 'ENOENT', path })
    }
    try {
      return act(folder)
    } catch (error) {
      throw asKnown(error, folder)
    } finally {
      folder.close()
    }
  }

  #descend(names: readonly string[], mode: number | undefined, onMade: Way['onMade']): OpenFolder | undefined {
    if (this.#identity === undefined) {
      if (mode !== undefined) makeAll(this.#top, mode, onMade)
      this.#identity = identityOf(this.#top)
      if (this.#identity === undefined) return undefined
    }
    const kept = this.#kept?.find([this.#top, ...names].join('/'))
    if (kept !== undefined) return kept
    const check = this.kind === 'project' ? refuseRepository : undefined
    const folder = descend({ top: this.#top, names, mode, identity: this.#identity, onMade, check })
    return folder === undefined ? undefined : (this.#kept?.keep(folder) ?? folder)
  }

  /** Returns a folder without holding it open: in a private root only this user can swap a folder. */
  #ownFolder(names: readonly string[], mode: number | undefined, onMade: Way['onMade']): OpenFolder {
    const path = [this.path, ...names].join('/')
    if (mode !== undefined) makeAll(path, mode, onMade)
    return ownFolder(path)
  }
}

interface Way {
  /** Mode of folders that are made. Undefined: none is made. */
  readonly mode?: number | undefined
  /** Result for a missing folder. Undefined: throws. */
  readonly absent?: { readonly gives: unknown }
  onMade?(folder: string): void
}

function makeAll(path: string, mode: number, onMade: Way['onMade']): void {
  try {
    makeFolders(path, mode, onMade)
  } catch (error) {
    throw withoutRoom(path, error)
  }
}

const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content) : content

const missing = { absent: { gives: undefined } } as const

/** Returns the file that a write would replace. Throws `E_WRITE` if it must not be replaced. */
function replaceable(folder: OpenFolder, name: string, replaces: Replaces): Stats | undefined {
  const path = `${folder.path}/${name}`
  const stats = lstatSync(folder.at(name), { throwIfNoEntry: false })
  if (stats?.isSymbolicLink() === true) throw linked(folder, name)
  if (stats !== undefined && !stats.isFile())
    throw notWritten(`${path} is not a regular file, so it is not replaced.`, 'Move the existing entry away.')
  if (replaces === 'nothing') {
    if (stats !== undefined)
      throw notWritten(
        `${path} already exists, and nothing is overwritten.`,
        'Name another place, or remove the existing file first.',
      )
  } else if (replaces === 'named') {
    // A rename ignores the file's mode, and so does root.
    if (stats !== undefined && (stats.mode & 0o222) === 0)
      throw notWritten(`${path} is read-only, so it is not replaced.`, 'Change its permissions, or name another place.')
  } else if (typeof replaces === 'object') {
    const isSame =
      'bytes' in replaces
        ? replaces.bytes === undefined || stats === undefined
          ? replaces.bytes === stats
          : Buffer.compare(replaces.bytes, readFileSync(folder.at(name))) === 0
        : stats?.ino === replaces.ino && stats.size === replaces.size && stats.mtimeMs === replaces.mtimeMs
    if (!isSame) throw changed(path)
  }
  return stats
}

function changed(path: string): Error {
  return notWritten(
    `${path} was changed by another program, so it was not written.`,
    'Look at the current content, and try again.',
  )
}

/** Gives a new file the mode and the owner of the file that it replaces. */
function takeAfter(
  descriptor: number,
  { uid, gid, mode: before }: Stats,
  mode: number | undefined,
  path: string,
): void {
  const mine = fstatSync(descriptor)
  if (mine.uid !== uid || mine.gid !== gid) {
    try {
      fchownSync(descriptor, uid, gid)
    } catch (error) {
      if (systemCode(error) !== 'EPERM' && systemCode(error) !== 'EACCES') throw error
      throw notWritten(
        `${path} belongs to another user or group, and writing the file would change that.`,
        'Ask its owner to write the file.',
      )
    }
  }
  fchmodSync(descriptor, mode ?? before & 0o7777)
}

/** Links a new file into its place. A rename would replace a file that another process puts there at this moment. */
function placeNew(folder: OpenFolder, beside: string, name: string): void {
  try {
    linkSync(folder.at(beside), folder.at(name))
  } catch (error) {
    const code = systemCode(error) ?? ''
    if (code === 'EEXIST') throw changed(`${folder.path}/${name}`)
    // Some file systems allow only one name for a file.
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'].includes(code)) throw error
    renameSync(folder.at(beside), folder.at(name))
  }
}

function unlinkIfThere(folder: OpenFolder, name: string): void {
  try {
    unlinkSync(folder.at(name))
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
}

/** Also copes with entries that other processes remove at the same time. */
function removeAll(folder: OpenFolder, name: string): void {
  const stats = lstatSync(folder.at(name), { throwIfNoEntry: false })
  if (stats === undefined) return
  if (!stats.isDirectory()) return unlinkIfThere(folder, name)
  const inner = enter(folder, name)
  if (inner === undefined) return
  try {
    for (const one of readdirSync(inner.at(''))) removeAll(inner, one)
  } finally {
    inner.close()
  }
  try {
    rmdirSync(folder.at(name))
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
}

function removeAbandonedIn(folder: OpenFolder, before: string, after: string): void {
  for (const name of readdirSync(folder.at('')))
    try {
      if (isAbandoned(name, before, after, () => lstatSync(folder.at(name)))) removeAll(folder, name)
    } catch (error) {
      // A file that cannot be removed stays, and does no harm.
      if (systemCode(error) === undefined) throw error
    }
}

/** Does nothing on Windows, which flushes folders by itself and cannot open them. */
function flush(folder: OpenFolder): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder.at('.'), constants.O_RDONLY)
  try {
    fsyncSync(descriptor)
  } catch (error) {
    // Some file systems, mostly of networks, cannot flush folders. The file is in its place all the same.
    const code = systemCode(error)
    if (code !== 'EINVAL' && code !== 'ENOTSUP') throw error
  } finally {
    closeSync(descriptor)
  }
}

function realPathOf(path: string): string {
  const real = realpathSync(path)
  return process.platform === 'win32' ? real.replaceAll('\\', '/') : real
}

/** Returns the result of looking at a folder, or undefined if it cannot be looked at. */
function found(look: (path: string) => string | undefined, path: string): string | undefined {
  try {
    return look(path)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    // The folder is made later, or the first write reports what is wrong with it.
    return undefined
  }
}
