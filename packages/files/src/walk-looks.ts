import { abortError, type FileIdentity } from '@skills/core'
import { after, type Answer, type Store, type StoreFile, type StoreFolder } from '@skills/store'
import { isSettled, isUnchanged } from './file-identity.js'
import type { Node } from './node.js'
import type { FoundFile, TreeOptions } from './tree-options.js'

/** Bytes of a file that are read first: nearly every block of frontmatter ends within them. */
const headBytes = 4096

/** What stands at a node. */
export type Found<T> =
  | { readonly is: 'kept' | 'gone' | 'unwanted' }
  | { readonly is: 'skill'; readonly item: T | undefined; readonly file: FileIdentity }
  | { readonly is: 'folder'; readonly folder: StoreFolder }
  | { readonly is: 'error'; readonly error: unknown; readonly isFolder: boolean }
  | { readonly is: 'not-read'; readonly file: Exclude<StoreFile, { readonly found: 'file' | 'unwanted' }> }

/**
 * Asks the store what stands at the nodes of one walk. All of it answers at once where the store does, without a
 * function for each file, which would be a good part of the work; it rejects, or throws, for an abort alone.
 */
export class WalkLooks<T> {
  /** Files of which anything was read. */
  filesRead = 0
  /** Folders of which the names were read. */
  foldersListed = 0
  readonly #options: TreeOptions<T>
  readonly #store: Store
  readonly #root: Node<T>
  readonly #call: { readonly signal: AbortSignal }

  constructor(options: TreeOptions<T>, root: Node<T>, call: { readonly signal: AbortSignal }) {
    this.#options = options
    this.#store = options.store
    this.#root = root
    this.#call = call
  }

  /** What stands at a node of which nothing is known. */
  at(node: Node<T>): Answer<Found<T>> {
    node.readAt = this.#options.now()
    if (this.isOnlyListed(node)) return this.#list(node)
    const path = node.filePath
    const found = this.file(node, path, node.isPlain ? path : node.realFilePath)
    if (found instanceof Promise) return found.then(one => this.#orList(node, one))
    return found.is === 'gone' || found.is === 'not-read' ? this.#orList(node, found) : found
  }

  /**
   * Whether a folder is not asked for a skill file of its own: the root's, and all of them where such files are entries
   * like any other.
   */
  isOnlyListed(node: Node<T>): boolean {
    return (node === this.#root && this.#options.mayBeSkill !== true) || (this.#options.nested === true && !node.isFile)
  }

  /** Whether a folder called SKILL.md is one like others: where Markdown files of any name may be skills. */
  get entersAll(): boolean {
    return typeof this.#options.loose === 'string'
  }

  /** Whether a node that is known is as it was. */
  isKept(node: Node<T>): Answer<boolean> {
    const { file, readAt, listed } = node
    if (node.state === 'skill' && file !== undefined && node.via === undefined)
      return this.isSame(node.item, file, readAt)
    // Where the limit left folders out there may be room for them by now.
    if (node.state !== 'listed' || listed === undefined || listed.hasLinks || listed.tooMany > 0) return false
    return after(
      this.identityOf(node),
      now =>
        node.isListedAs(now) && (listed.identity.version !== undefined || isSettled(listed.identity.ctimeMs, readAt)),
    )
  }

  /** Whether a file is as it was when it was read, and what was made of it still stands. */
  isSame(item: T | undefined, file: FileIdentity, readAt: number): Answer<boolean> {
    const now = this.identityAt(file.realPath)
    return now instanceof Promise
      ? now.then(one => this.#stands(item, file, readAt, one))
      : this.#stands(item, file, readAt, now)
  }

  #stands(item: T | undefined, file: FileIdentity, readAt: number, now: FileIdentity | undefined): Answer<boolean> {
    if (now === undefined || !isUnchanged(file, now, readAt)) return false
    return item === undefined || (this.#options.isCurrent?.(item) ?? true)
  }

  /** Of the folder or file that a node stands for. */
  identityOf(node: Node<T>): Answer<FileIdentity | undefined> {
    return this.identityAt(node.isPlain ? node.path : node.realPath)
  }

  /** Undefined also where it cannot be told: looking closer says why. */
  identityAt(path: string): Answer<FileIdentity | undefined> {
    try {
      const stats = this.#store.stat(path, this.#call)
      return stats instanceof Promise
        ? stats.then(
            one => one?.identity,
            () => this.#unlessAborted(undefined),
          )
        : stats?.identity
    } catch {
      // The look that follows meets the same failure, and reports it.
      return undefined
    }
  }

  /**
   * What stands at a file's path.
   * @param from where it is read, if the path is a link to it
   */
  file(node: Node<T>, path: string, realPath: string, from = path, head = headBytes): Answer<Found<T>> {
    const call = {
      head,
      maxBytes: this.#options.fileBytes,
      signal: this.#call.signal,
      realPath,
      via: from === path ? undefined : path,
    }
    try {
      const answer = this.#store.read(from, call)
      if (!(answer instanceof Promise)) return this.#take(node, path, realPath, from, head, answer)
      // Nothing is made of what comes after an abort.
      return answer
        .then(file => this.#take(node, path, realPath, from, head, this.#unlessAborted(file)))
        .catch((error: unknown) => this.#failed(error, false))
    } catch (error) {
      return this.#failed(error, false)
    }
  }

  /** Makes an item of what was read, or reads more of it. */
  #take(
    node: Node<T>,
    path: string,
    realPath: string,
    from: string,
    head: number,
    file: StoreFile | undefined,
  ): Answer<Found<T>> {
    if (file === undefined) return gone
    if (head === headBytes && (file.found === 'file' || file.found === 'unwanted')) this.filesRead++
    if (file.found === 'unwanted') return { is: 'unwanted' }
    if (file.found !== 'file') return { is: 'not-read', file }
    const { identity } = file.stats
    const item = this.#options.read(new Reading(node.name, path, identity), file)
    if (item === undefined && !file.isWhole)
      return this.file(node, path, realPath, from, Math.max(head * 4, Math.min(identity.size + 1, head * 16)))
    return { is: 'skill', item, file: identity }
  }

  /** A folder without a skill file is listed, and one in which something else may stand in its place. */
  #orList(node: Node<T>, found: Found<T>): Answer<Found<T>> {
    const isListed = found.is === 'gone' || (found.is === 'not-read' && found.file.found === 'other' && this.entersAll)
    return isListed && !node.isFile ? this.#list(node) : found
  }

  #list(node: Node<T>): Answer<Found<T>> {
    this.foldersListed++
    const found = (folder: StoreFolder | undefined): Found<T> =>
      folder === undefined ? gone : { is: 'folder', folder }
    try {
      const answer = this.#store.list(node.path, this.#call)
      return answer instanceof Promise
        ? answer.then(folder => found(this.#unlessAborted(folder))).catch((error: unknown) => this.#failed(error, true))
        : found(answer)
    } catch (error) {
      return this.#failed(error, true)
    }
  }

  #failed(error: unknown, isFolder: boolean): Found<T> {
    return this.#unlessAborted({ is: 'error', error, isFolder })
  }

  #unlessAborted<R>(value: R): R {
    const { signal } = this.#call
    if (signal.aborted) throw abortError(signal)
    return value
  }
}

/** The file that is being read, lent to the reader. */
class Reading implements FoundFile {
  readonly name: string
  readonly path: string
  readonly identity: FileIdentity

  constructor(name: string, path: string, identity: FileIdentity) {
    this.name = name
    this.path = path
    this.identity = identity
  }

  get folder(): string {
    return this.path.slice(0, this.path.lastIndexOf('/'))
  }
}

const gone = Object.freeze({ is: 'gone' } as const)
