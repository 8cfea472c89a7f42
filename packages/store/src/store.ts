import type { Diagnostic, FileIdentity } from '@skills/core'

/**
 * Value, or a promise of the value. A store that already has the answer returns the value itself, so that the walk
 * continues without waiting.
 */
export type StoreAnswer<T> = T | Promise<T>

/** Continues with an answer, at once if it is not a promise. */
export function after<T, R>(answer: StoreAnswer<T>, goOn: (value: T) => StoreAnswer<R>): StoreAnswer<R> {
  return answer instanceof Promise ? answer.then(goOn) : goOn(answer)
}

/** Stats of the entry at a path. */
export interface StoreStats {
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  /** For `other`: a noun for a sentence, such as `a named pipe`. */
  readonly what?: string | undefined
  /** Changes whenever the file, or the entries of the folder, change. */
  readonly identity: FileIdentity
  /** Numeric user id of the owner, if the store has owners. */
  readonly uid?: number | undefined
  readonly gid?: number | undefined
  /** Permission bits, if the store has them. */
  readonly mode?: number | undefined
}

/** Entries of a folder by kind, in any order. */
export interface StoreFolder {
  readonly folders: readonly string[]
  /** Regular files only. */
  readonly files: readonly string[]
  /** Links, to files and to folders. */
  readonly links: readonly string[]
  /** Entries of any other kind where a skill could be, such as a submodule of git. They are reported and not read. */
  readonly others?: readonly { readonly name: string; readonly what: string }[]
  /** Identity of the folder before its entries were read. */
  readonly identity: FileIdentity
}

/** File, or the reason why it cannot be read. */
export type StoreFile =
  | StoreContent
  | { readonly found: 'link' }
  | { readonly found: 'other'; readonly what: string }
  /** Size of a file that is larger than allowed, in bytes. */
  | { readonly found: 'too-large'; readonly size: number }
  /** Reason why a file must not be read: it lies outside of `within`, or was replaced while it was opened. */
  | { readonly found: 'refused'; readonly problem: Diagnostic }
  /** File that a store in front of this one skips without looking at its content. */
  | { readonly found: 'unwanted' }

export interface StoreContent {
  readonly found: 'file'
  /**
   * Bytes from the first one on. If the answer was not a promise, they are lent until the next call: copy what you
   * keep.
   */
  readonly bytes: Buffer
  /** Number of valid bytes; the buffer may be longer. */
  readonly length: number
  /** True if these are all bytes of the file. */
  readonly isWhole: boolean
  readonly stats: StoreStats
}

export interface StoreCall {
  readonly signal: AbortSignal
}

export interface ReadCall extends StoreCall {
  /** Number of bytes wanted from the beginning; more may be given. Undefined: the whole file. */
  readonly head?: number | undefined
  /**
   * Size in bytes up to which the whole file is wanted at once, if the store knows the size before it reads. Default:
   * only `head` applies.
   */
  readonly wholeUpTo?: number | undefined
  /** Largest file in bytes; a larger one gives `too-large`. */
  readonly maxBytes: number
  /** Path without the links that the caller knows of, if it differs. Files with the same real path are one file. */
  readonly realPath?: string | undefined
  /** Link that led here, if any. */
  readonly via?: string | undefined
  /**
   * `on-use`: the store may leave out the owner, and read the other stats except the size only when they are used.
   * Meant for a caller that looks once and compares nothing later. Default: `now`, all stats are of the moment of
   * reading.
   */
  readonly stats?: 'now' | 'on-use' | undefined
  /**
   * Real paths of folders. If given, a store whose folders may be swapped while a file is opened follows links itself,
   * and refuses a file that really lies outside of these.
   */
  readonly within?: readonly string[] | 'anywhere' | undefined
}

/**
 * Place with folders and files: a disk, an archive, a commit, a server, a table of a database.
 *
 * Paths are texts with `/` between their parts. They begin with the path of the root that a source names, such as
 * `/home/ann/skills` or `/home/ann/skills.zip!`. A store is asked only for paths that it has returned itself, joined to
 * a root; they never contain `..`. A missing entry is `undefined`. Any other failure is thrown, or rejects: an error
 * with a `code` of the system, such as `EACCES`, is reported with the sentence for that code, and any other error with
 * its own message.
 */
export interface Store {
  /** Kind of place for messages: `disk`, `zip`, `git`. */
  readonly id: string
  /**
   * True if answers take so long that several should be requested at the same time. May change while the store is used.
   */
  readonly isSlow?: boolean | undefined
  /** Returns the entries of a folder. Follows a link to a folder. */
  list(folder: string, call: StoreCall): StoreAnswer<StoreFolder | undefined>
  /** Reads a regular file. Does not follow a link: returns `link`, and the caller decides where it may lead. */
  read(file: string, call: ReadCall): StoreAnswer<StoreFile | undefined>
  /** Returns the stats of the entry itself, even if it is a link. */
  stat(path: string, call: StoreCall): StoreAnswer<StoreStats | undefined>
  /**
   * Returns the path with every link on the way resolved, or undefined if it leads to nothing. A store without links
   * does not have this function. Throws an error with the code `ELOOP` for links that lead in a cycle.
   */
  realPath?(path: string, call: StoreCall): StoreAnswer<string | undefined>
  /** Reports paths at or under which something may have changed, until the returned function is called. */
  watch?(onChange: (paths: readonly string[]) => void): () => void
  /**
   * Tells cheaply if anything has changed: returns the store's current version and the paths that differ from `since`,
   * or undefined paths if any may. Without this function, entries and stats are compared.
   */
  changes?(
    since: string | undefined,
    call: StoreCall,
  ): StoreAnswer<{ readonly version: string; readonly paths?: readonly string[] | undefined }>
  /** Releases what the store holds open, such as a process. Called when the engine closes. */
  close?(): StoreAnswer<void>
}

/** Returns the same store with another way to read files, such as one that remembers them. */
export function withRead(store: Store, read: Store['read']): Store {
  const { realPath, watch, changes, close } = store
  return {
    id: store.id,
    get isSlow() {
      return store.isSlow
    },
    list: (folder, call) => store.list(folder, call),
    stat: (path, call) => store.stat(path, call),
    read,
    ...(realPath && { realPath: realPath.bind(store) }),
    ...(watch && { watch: watch.bind(store) }),
    ...(changes && { changes: changes.bind(store) }),
    ...(close && { close: close.bind(store) }),
  }
}
