import type { Diagnostic, FileIdentity } from '@skills/core'

/**
 * A value, or the promise of it: a store that has the answer at hand gives it at once, and the walk goes on without
 * waiting.
 */
export type StoreAnswer<T> = T | Promise<T>

/** Goes on with an answer: at once where it is there. */
export function after<T, R>(answer: StoreAnswer<T>, goOn: (value: T) => StoreAnswer<R>): StoreAnswer<R> {
  return answer instanceof Promise ? answer.then(goOn) : goOn(answer)
}

/** What stands at a path. */
export interface StoreStats {
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  /** Of `other`, what it is, as it stands in a sentence: `a named pipe`. */
  readonly what?: string | undefined
  /** Changes whenever the file, or the entries of the folder, do. */
  readonly identity: FileIdentity
  /** Numeric user id of its owner, where the store has owners. */
  readonly uid?: number | undefined
  readonly gid?: number | undefined
  /** Permission bits, where the store has them. */
  readonly mode?: number | undefined
}

/** The entries of a folder, by what they are, in any order. */
export interface StoreFolder {
  readonly folders: readonly string[]
  /** Regular files alone. */
  readonly files: readonly string[]
  /** Links, to files and to folders. */
  readonly links: readonly string[]
  /** What is none of these and stands where a skill might, as a submodule of git, which is told of and not read. */
  readonly others?: readonly { readonly name: string; readonly what: string }[]
  /** Of the folder as it was before its entries were read. */
  readonly identity: FileIdentity
}

/** A file, or what stands in its place. */
export type StoreFile =
  | StoreContent
  | { readonly found: 'link' }
  | { readonly found: 'other'; readonly what: string }
  /** Bytes of a file that is larger than was allowed. */
  | { readonly found: 'too-large'; readonly size: number }
  /** A file that must not be read, and why: it lies outside of `within`, or was replaced while it was opened. */
  | { readonly found: 'refused'; readonly problem: Diagnostic }
  /** A file that a store in front of this one passes over, without a look at what it holds. */
  | { readonly found: 'unwanted' }

export interface StoreContent {
  readonly found: 'file'
  /** From the first byte on. Lent until the next call where the answer was given at once: copy what must outlive it. */
  readonly bytes: Buffer
  /** Bytes that count; the buffer may be longer. */
  readonly length: number
  /** Whether these are all of the file. */
  readonly isWhole: boolean
  readonly stats: StoreStats
}

export interface StoreCall {
  readonly signal: AbortSignal
}

export interface ReadCall extends StoreCall {
  /** Bytes that are wanted from the beginning; more may be given. Undefined: all of the file. */
  readonly head?: number | undefined
  /**
   * Bytes: all of a file that is no larger is wanted at once, where the store can tell before it reads. Default: `head`
   * alone counts.
   */
  readonly wholeUpTo?: number | undefined
  /** Bytes; a larger file is answered by `too-large`. */
  readonly maxBytes: number
  /** The path without the links that the caller knows of, where it differs: files of one real path are one file. */
  readonly realPath?: string | undefined
  /** The link that led here, where one did. */
  readonly via?: string | undefined
  /**
   * `on-use`: the store may leave out whose the file is, and ask for the rest of its stats but its size when somebody
   * reads them. For who looks once, and has no later state to compare with. Default `now`: all are of the moment of
   * reading.
   */
  readonly stats?: 'now' | 'on-use' | undefined
  /**
   * Real paths of folders. A store whose folders may be swapped while a file is opened follows links itself where this
   * is given, and refuses what really lies outside of these.
   */
  readonly within?: readonly string[] | 'anywhere' | undefined
}

/**
 * A place that has folders and files: a disk, an archive, a commit, a server, a table of a database.
 *
 * Paths are text with `/` between their parts and begin with the path of the root that a source names, such as
 * `/home/ann/skills` or `/home/ann/skills.zip!`. A store is asked only for paths that it has given itself, joined to a
 * root; `..` never stands in one. What is not there is `undefined`. Anything else that fails is thrown (or rejects): an
 * error with a `code` of the system, such as `EACCES`, gets the sentence of that code, any other its own message.
 */
export interface Store {
  /** The kind of place, for messages: `disk`, `zip`, `git`. */
  readonly id: string
  /**
   * Whether an answer takes so long that several should be asked for at one time. It may change while the store is
   * used.
   */
  readonly isSlow?: boolean | undefined
  /** A link to a folder is followed. */
  list(folder: string, call: StoreCall): StoreAnswer<StoreFolder | undefined>
  /** Reads a regular file. A link is not followed: it answers `link`, and the caller decides where it may lead. */
  read(file: string, call: ReadCall): StoreAnswer<StoreFile | undefined>
  /** Of the entry itself, also where it is a link. */
  stat(path: string, call: StoreCall): StoreAnswer<StoreStats | undefined>
  /**
   * The path with every link on the way resolved; undefined where it leads to nothing. A store without links has none
   * of it. Throws an error with the code `ELOOP` for links that lead in a cycle.
   */
  realPath?(path: string, call: StoreCall): StoreAnswer<string | undefined>
  /** Tells of paths at or under which something may have changed, until the returned function is called. */
  watch?(onChange: (paths: readonly string[]) => void): () => void
  /**
   * A cheap answer to whether anything changed: the store's version now, and the paths that differ from `since`,
   * undefined where anything may. Without it the entries and stats are compared.
   */
  changes?(
    since: string | undefined,
    call: StoreCall,
  ): StoreAnswer<{ readonly version: string; readonly paths?: readonly string[] | undefined }>
  /** Releases what the store holds open, such as a process. Called when the engine closes. */
  close?(): StoreAnswer<void>
}

/** The same store with another way to read files, such as one that remembers them. */
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
