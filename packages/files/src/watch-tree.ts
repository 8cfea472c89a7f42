import { readdirSync, watch, type Dirent, type FSWatcher } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { lstatOf } from './real-path.js'
import { slashes } from './slashes.js'
import { folderIdentity } from './watch-folders.js'

export interface WatchedTreeOptions {
  /** Returns true for a name that is not watched, nor anything below it. */
  readonly ignores: (name: string) => boolean
  /** Called with the real path of something that may have changed. */
  readonly onChange: (path: string) => void
  readonly onLink: (path: string) => void
  /** Called for each event of the system, even if nothing relevant has changed. */
  readonly onEvent: () => void
  /** Handles an error. Returns true if the tree is polled from now on, so that it need not be watched further. */
  readonly onError: (error: unknown) => boolean
}

interface WatchedFolder {
  readonly watcher: FSWatcher
  /** Undefined if the parent's list said that it is a folder, and it was not looked at itself. */
  readonly identity: string | undefined
  /** Paths of the folders found in it; undefined before the first one, because most folders hold none. */
  folders: Set<string> | undefined
}

/** Folders that are opened before the rest of the process gets a turn. */
const atOnce = 200

/**
 * Watches a folder and everything below it except links. Each folder has a watch of the system, which is opened before
 * the folder is listed, so that nothing is missed in between. If a name appeared, disappeared or was moved, the folder
 * with that name is examined again even if it was watched. The reason is that a watch moves with its folder, and
 * another folder may have the name by then.
 */
export class WatchedTree {
  readonly realPath: string
  readonly #identity: string | undefined
  readonly #folders = new Map<string, WatchedFolder>()
  /** Paths where the watched folder may have been replaced or removed; true if it certainly was replaced. */
  #unsettled = new Map<string, boolean>()
  readonly #options: WatchedTreeOptions
  #isClosed = false

  constructor(realPath: string, options: WatchedTreeOptions) {
    this.realPath = realPath
    this.#options = options
    this.#identity = identityAt(realPath)
    this.#unsettled.set(realPath, true)
  }

  /** True if the folder at its path was replaced or removed. */
  get isReplaced(): boolean {
    return identityAt(this.realPath) !== this.#identity
  }

  /** Watches the folders that exist now, as far as something had happened to them before the call. */
  async settle(): Promise<void> {
    const unsettled = [...this.#unsettled].sort(([a], [b]) => a.length - b.length)
    this.#unsettled = new Map()
    let opened = 0
    for (const [path, isOther] of unsettled) {
      // A folder that is not watched is looked at with its parent.
      if (path !== this.realPath && !this.#folders.has(parentOf(path))) continue
      const waiting = this.#look(path, isOther) ? [path] : []
      for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
        for (const found of this.#list(folder)) {
          const at = childOf(folder, found.name)
          // Each further look at a folder is a noticeable part of the work. From now on the watch of its parent reports
          // what takes its place.
          if (found.isDirectory() && !this.#folders.has(at) ? this.#open(at, undefined) : this.#look(at, true))
            waiting.push(at)
        }
        if (++opened % atOnce === 0) await turn()
        if (this.#isClosed) return
      }
    }
  }

  close(): void {
    this.#isClosed = true
    this.#drop(this.realPath)
  }

  /** Brings the watch of one path up to date. Returns true if it is a folder whose entries are not known. */
  #look(path: string, isOther: boolean): boolean {
    const known = this.#folders.get(path)
    const stats = lstatOf(path)
    if (stats?.isSymbolicLink() === true) this.#options.onLink(path)
    const identity = stats?.isDirectory() === true ? folderIdentity(stats) : undefined
    if (known !== undefined && identity !== undefined && known.identity === identity && !isOther) return false
    this.#drop(path)
    return identity !== undefined && this.#open(path, identity)
  }

  #open(path: string, identity: string | undefined): boolean {
    try {
      const watcher = watch(path, (event, name) => this.#note(path, event, name))
      watcher.on('error', error => {
        this.#drop(path)
        this.#fail(error)
      })
      this.#folders.set(path, { watcher, identity, folders: undefined })
      const parent = this.#folders.get(parentOf(path))
      if (parent !== undefined) (parent.folders ??= new Set()).add(path)
      return true
    } catch (error) {
      this.#fail(error)
      return false
    }
  }

  /** Returns the entries that may be folders or links. */
  #list(path: string): readonly Dirent[] {
    try {
      return readdirSync(path, { withFileTypes: true }).filter(
        entry => !entry.isFile() && !this.#options.ignores(entry.name),
      )
    } catch (error) {
      // It is tried again once it can be read.
      this.#drop(path)
      this.#fail(error)
      return []
    }
  }

  #note(folder: string, event: string, name: string | null): void {
    const { ignores, onEvent } = this.#options
    onEvent()
    // The system gives the folder's own name for an event of the folder itself, and for an entry of the same name.
    if (!name || folder.endsWith(`/${name}`)) this.#unsettle(folder, false)
    if (name && !ignores(name)) this.#unsettle(childOf(folder, slashes(name)), event === 'rename')
  }

  #unsettle(path: string, isOther: boolean): void {
    this.#unsettled.set(path, isOther || this.#unsettled.get(path) === true)
    this.#options.onChange(path)
  }

  /** Ends the watch of a folder and of everything below it. */
  #drop(path: string): void {
    this.#folders.get(parentOf(path))?.folders?.delete(path)
    for (const waiting = [path]; waiting.length > 0;) {
      const one = waiting.pop() ?? ''
      const known = this.#folders.get(one)
      if (known === undefined) continue
      known.watcher.close()
      this.#folders.delete(one)
      for (const folder of known.folders ?? []) waiting.push(folder)
    }
  }

  #fail(error: unknown): void {
    if (this.#options.onError(error)) this.close()
  }
}

function identityAt(path: string): string | undefined {
  const stats = lstatOf(path)
  return stats === undefined ? undefined : folderIdentity(stats)
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/'
}

function childOf(folder: string, name: string): string {
  return folder === '/' ? `/${name}` : `${folder}/${name}`
}

export function isUsuallyIgnored(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules'
}
