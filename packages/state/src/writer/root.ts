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
  writeFileSync,
  type Stats,
} from 'node:fs'
import { systemCode } from '../state-error.js'
import { isAbandoned, temporaryName } from '../temporary.js'
import { asKnown, descend, enter, identityOf, linked, ownFolder, type OpenFolder } from './open-folder.js'
import { KeptFolders } from './kept-folders.js'
import { makeFolders } from './make-folders.js'
import { namesOf, refuseProgramsFolder, refuseRepository } from './names.js'
import { notWritten } from './write-error.js'

/**
 * Whose a folder is, and with that what may be written to it:
 * - `project`: a repository's, which may have come from anyone. Only the places that are named when it is opened, no link
 *   on the way from `top`, and nothing in a folder of a program that keeps versions or installs packages.
 * - `person`: a folder that a person arranged or named. Links on the way to it are theirs; below it none is followed.
 * - `private`: a folder of ours for this user alone, as of the state and the cache.
 * - `temporary`: a folder that this process made, or one for what is made anew at any time: for this user alone, and
 *   not flushed to the disk.
 */
export type RootKind = 'project' | 'person' | 'private' | 'temporary'

export interface RootOptions {
  readonly kind: RootKind
  /** Of a project: the folder from which on no link is followed, at or above the root. Default: the root. */
  readonly top?: string | undefined
  /**
   * Of a project: files and folders below the root that are written to, with all that is in them; forward slashes. An
   * empty one stands for all of the root.
   */
  readonly places?: readonly string[] | undefined
}

/** What a file may take the place of. */
export type Replaces =
  /** Of nothing: it must be new. */
  | 'nothing'
  /** Of a file of this name, which is ours by its name. */
  | 'ours'
  /** Of a file that a person named, unless it is read-only. */
  | 'named'
  /** Of the file that was read, of which nothing has changed. */
  | { readonly ino: number; readonly size: number; readonly mtimeMs: number }
  /** Of a file with these bytes; undefined: of none. */
  | { readonly bytes: Uint8Array | undefined }

export interface WriteOptions {
  readonly replaces: Replaces
  /** Default: that of the file in whose place it comes, else 0600 in a private folder and 0666 less the umask elsewhere. */
  readonly mode?: number | undefined
  /** Called when it is written beside and not in its place yet; what it throws leaves everything as it was. */
  readonly ready?: (() => void) | undefined
}

const begun = '.skills-write.'

/**
 * The one way by which our packages write: files, folders and links below one folder. All paths are relative to it, with
 * forward slashes. Nothing outside of it changes, no link below it is followed, and nothing is replaced but what
 * {@link Replaces} says.
 *
 * On Linux each folder on the way is held while it is passed, so that one that is swapped for a link meanwhile leads
 * nowhere. Elsewhere the folders are compared before and after: a swap is told of then, and what was written through it
 * is not taken back.
 *
 * Every function throws `E_WRITE` for what it refuses, and the errors of the system.
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

  /** Where it is, links on the way to it resolved; of a project `path`. */
  get realPath(): string {
    return [this.#top, ...this.#below].join('/')
  }

  /** A folder below as a root of its own: the very folder that is there now, also when another takes its path. */
  folder(path: string): Root {
    const root = new Root(`${this.path}/${path}`, { kind: 'person' })
    root.#identity = this.#in(this.#namesOf(path), {}, folder => identityOf(folder.at('.')))
    return root
  }

  /**
   * Holds on to the folders in which something is done until {@link release}, which the caller sees to: while one stands
   * at its path, the next change in it is done in that very folder, without the walk to it.
   */
  keep(): void {
    this.#kept ??= new KeptFolders()
  }

  release(): void {
    this.#kept?.close()
    this.#kept = undefined
  }

  /** Throws for an entry that could not be written to: it is no place, or a link is on the way to it. */
  check(path: string): void {
    this.#entry(path, missing, () => undefined)
  }

  /** Makes a folder and those missing above it. Gives those that were made, absolute, the outermost first. */
  makeFolder(path: string, mode = this.#folderMode): readonly string[] {
    const made: string[] = []
    this.#in(path === '' ? [] : this.#namesOf(path), { mode, onMade: folder => made.push(folder) }, () => undefined)
    return made
  }

  /**
   * Writes a file beside its place, to the disk, and renames it: a reader finds what was there or all of it. Folders
   * above it are made.
   */
  write(path: string, content: string | Uint8Array, options: WriteOptions): void {
    this.#entry(path, { mode: this.#folderMode }, (folder, name) => this.#write(folder, name, content, options))
  }

  /** Writes a new file in its place, as in a folder of which no one knows yet. Folders above it are made. */
  create(path: string, content: string | Uint8Array, mode = this.#fileMode): void {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL
    const descriptor = this.#open(path, flags, mode, this.#folderMode)
    try {
      writeFileSync(descriptor, content)
      if (this.kind !== 'temporary') fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  }

  /**
   * Opens a file in a folder that is there, for what is written piece by piece, and gives its descriptor, which the
   * caller closes. No link is opened.
   */
  open(path: string, flags: number, mode = this.#fileMode): number {
    return this.#open(path, flags, mode, undefined)
  }

  /** Makes a link where nothing is. @param target its text, as the system keeps it */
  link(path: string, target: string): void {
    this.#entry(path, { mode: this.#folderMode }, (folder, name) => symlinkSync(target, folder.at(name), 'dir'))
  }

  /** Gives a file a second name, where nothing is. */
  hardLink(from: string, to: string): void {
    this.#entry(from, {}, (source, old) =>
      this.#entry(to, {}, (target, name) => linkSync(source.at(old), target.at(name))),
    )
  }

  /**
   * Renames a file, a link or a whole folder in one step; false where something stands in the new place. Folders above
   * that are made.
   * @param into the root of the new place
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

  /** Removes a file, a link, or a folder with everything in it. What is not there needs no removing. */
  remove(path: string): void {
    this.#entry(path, missing, removeAll)
  }

  /** Removes a folder that is empty; false for one that is not. */
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

  /** Sets when an entry was last changed, of a link that of the link. @param time milliseconds since the epoch */
  touch(path: string, time: number): void {
    this.#entry(path, {}, (folder, name) => lutimesSync(folder.at(name), time / 1000, time / 1000))
  }

  /** Has the names in a folder on the disk too. */
  flush(path = ''): void {
    this.#in(path === '' ? [] : this.#namesOf(path), {}, flush)
  }

  /** Removes what writers that were killed left in a folder, by names that begin with `before` and end with `after`. */
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
    // Renaming asks for the folder's permission alone; opening asks what this process may really do to the file.
    if (before !== undefined && replaces !== 'ours')
      closeSync(openSync(folder.at(name), constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK))
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
    const descriptor = openSync(folder.at(beside), flags, mode ?? (before === undefined ? this.#fileMode : 0o600))
    try {
      try {
        writeFileSync(descriptor, content)
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
      // After a success there is nothing any more under that name.
      unlinkIfThere(folder, beside)
    }
    flush(folder)
  }

  #open(path: string, flags: number, mode: number, folderMode: number | undefined): number {
    return this.#entry(path, { mode: folderMode }, (folder, name) =>
      // Windows knows neither flag, and there they count for nothing.
      openSync(folder.at(name), flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, mode),
    )
  }

  #namesOf(path: string): readonly string[] {
    const names = namesOf(this.path, path)
    if (this.#places === undefined) return names
    refuseProgramsFolder(`${this.path}/${path}`, names)
    if (!this.#places.some(place => place === '' || path === place || path.startsWith(`${place}/`)))
      throw notWritten(
        `${this.path}/${path} is no place for what is written here${this.#places.length === 0 ? '' : `: that is ${this.#places.join(', ')}`}.`,
        'Name another place.',
      )
    return names
  }

  #entry<T>(path: string, how: Way, act: (folder: OpenFolder, name: string) => T): T {
    const names = this.#namesOf(path)
    return this.#in(names.slice(0, -1), how, folder => act(folder, names.at(-1) ?? ''))
  }

  /** Holds a folder while something in it is done. Gives `undefined` for one that is not there and need not be. */
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
      if (mode !== undefined) makeFolders(this.#top, mode, onMade)
      this.#identity = identityOf(this.#top)
      if (this.#identity === undefined) return undefined
    }
    const kept = this.#kept?.find([this.#top, ...names].join('/'))
    if (kept !== undefined) return kept
    const check = this.kind === 'project' ? refuseRepository : undefined
    const folder = descend({ top: this.#top, names, mode, identity: this.#identity, onMade, check })
    return folder === undefined ? undefined : (this.#kept?.keep(folder) ?? folder)
  }

  /** Only this user can put anything in the way there, so that nothing has to be held. */
  #ownFolder(names: readonly string[], mode: number | undefined, onMade: Way['onMade']): OpenFolder {
    const path = [this.path, ...names].join('/')
    if (mode !== undefined) makeFolders(path, mode, onMade)
    return ownFolder(path)
  }
}

interface Way {
  /** Of folders that are made; undefined: none is. */
  readonly mode?: number | undefined
  /** What comes of a folder that is not there; undefined: an error. */
  readonly absent?: { readonly gives: unknown }
  onMade?(folder: string): void
}

const missing = { absent: { gives: undefined } } as const

/** What stands where a file is to be written. Throws `E_WRITE` where that may not be replaced. */
function replaceable(folder: OpenFolder, name: string, replaces: Replaces): Stats | undefined {
  const path = `${folder.path}/${name}`
  const stats = lstatSync(folder.at(name), { throwIfNoEntry: false })
  if (stats?.isSymbolicLink() === true) throw linked(folder, name)
  if (stats !== undefined && !stats.isFile())
    throw notWritten(`${path} is no regular file, and nothing else is replaced by one.`, 'Move what is there.')
  if (replaces === 'nothing') {
    if (stats !== undefined)
      throw notWritten(
        `${path} is there already, and nothing is overwritten.`,
        'Name another place, or remove it first.',
      )
  } else if (replaces === 'named') {
    // A rename would get past it, and root's rights do too.
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
    `${path} was changed meanwhile, so it was not written.`,
    'Look at what is there now, and do it again.',
  )
}

/** Gives what is written the mode and the owner of the file in whose place it comes. */
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
        `${path} belongs to another user or group, which writing it would change.`,
        'Have its owner do it.',
      )
    }
  }
  fchmodSync(descriptor, mode ?? before & 0o7777)
}

/** A rename would replace what another process puts there at this moment; a second name does not. */
function placeNew(folder: OpenFolder, beside: string, name: string): void {
  try {
    linkSync(folder.at(beside), folder.at(name))
  } catch (error) {
    const code = systemCode(error) ?? ''
    if (code === 'EEXIST') throw changed(`${folder.path}/${name}`)
    // Some file systems know one name for a file.
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

/** Also what other processes remove at the same time. */
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
      // What cannot be removed stays and does no harm.
      if (systemCode(error) === undefined) throw error
    }
}

/** Windows does that by itself and cannot open a folder. */
function flush(folder: OpenFolder): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder.at('.'), constants.O_RDONLY)
  try {
    fsyncSync(descriptor)
  } catch (error) {
    // Some file systems, of networks above all, cannot do it for folders; what was written is in its place all the same.
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

/** What a look at a folder gives; undefined where it cannot be looked at. */
function found(look: (path: string) => string | undefined, path: string): string | undefined {
  try {
    return look(path)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    // It is made later, or said to be what it is when it is written to.
    return undefined
  }
}
