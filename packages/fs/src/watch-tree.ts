import { watch as watchFolder, type FSWatcher as FolderWatcher } from 'node:fs'
import { isInside, lstatOf } from './real-path.js'
import { folderIdentity } from './watch-folders.js'
import { slashes } from './slashes.js'
import type { FSWatcher } from 'chokidar'

export interface WatchedTreeOptions {
  /** Whether nothing of this name is watched, nor what lies below it. */
  readonly ignores: (name: string) => boolean
  /** Told of what may have changed: a real path. */
  readonly onChange: (path: string) => void
  readonly onLink: (path: string) => void
  /** Tells whether the tree is looked at again and again from now on, so that nobody has to wait until all of it is watched. */
  readonly onError: (error: unknown) => boolean
}

/** Looks at a folder that is not known as it is before the tree is taken for lost: chokidar needs its time for many new ones. */
const patience = 3

/**
 * A folder and everything below it, links excepted. Chokidar follows the folders that come and go; what happens in each is
 * taken as the system tells it. Its events about files come from a watch of each, which would double their number, and of
 * two changes within 50 ms it drops the second: a file that is written in two steps would stay half.
 */
export class WatchedTree {
  readonly realPath: string
  /** Settles when every folder is watched, or when it was closed. */
  readonly ready: Promise<void>
  readonly #watcher: FSWatcher
  readonly #identity: string | undefined
  /** Which folder is watched at each path. */
  readonly #known = new Map<string, string>()
  /** How often a folder was looked at that is not the one that is watched. */
  readonly #unknown = new Map<string, number>()
  /** Our own watches of new folders: chokidar lists a folder before it watches it, and what comes in between nobody would tell. */
  readonly #bridges = new Map<string, FolderWatcher>()
  readonly #options: WatchedTreeOptions
  #end: () => void = () => {}

  constructor(realPath: string, { watch }: Pick<typeof import('chokidar'), 'watch'>, options: WatchedTreeOptions) {
    const { ignores, onChange, onLink, onError } = options
    this.realPath = realPath
    this.#options = options
    this.#identity = identityAt(realPath)
    this.#watcher = watch(realPath, {
      followSymlinks: false, atomic: false, usePolling: false, persistent: true,
      ignored: (given, stats) => {
        const path = slashes(given)
        if (path === realPath) return false
        if (ignores(path.slice(path.lastIndexOf('/') + 1))) return true
        // Chokidar says nothing of a link that leads to nothing yet, and goes round in one that leads back.
        if (stats?.isSymbolicLink() === true) onLink(path)
        return stats !== undefined && !stats.isDirectory()
      },
    })
    this.ready = new Promise(resolve => {
      this.#end = resolve
      this.#watcher.once('ready', resolve)
    })
    let isReady = false
    void this.ready.then(() => {
      isReady = true
    })
    this.#watcher.on('addDir', (given, stats) => {
      const path = slashes(given)
      if (stats !== undefined) this.#known.set(path, folderIdentity(stats))
      if (!isReady) return
      this.#bridge(path)
      // What was put into it before that is seen by whoever looks at it now.
      onChange(path)
    })
    this.#watcher.on('unlinkDir', given => {
      this.#known.delete(slashes(given))
      this.#unbridge(slashes(given))
    })
    this.#watcher.on('raw', (_event, name, details) => {
      if (typeof details !== 'object' || details === null || !('watchedPath' in details) || typeof details.watchedPath !== 'string') return
      const folder = slashes(details.watchedPath)
      this.#unbridge(folder)
      if (isInside(folder, realPath)) this.#tell(folder, name)
    })
    this.#watcher.on('error', error => {
      const path = error instanceof Error && 'path' in error ? error.path : undefined
      if (typeof path === 'string') this.#known.delete(slashes(path))
      // A folder that cannot be listed never ends being listed.
      if (onError(error)) this.#end()
    })
  }

  /** Whether chokidar asks again and again instead of being told, which shows no changes of files here: a variable of the environment says so. */
  get isPolling(): boolean {
    return this.#watcher.options.usePolling
  }

  /** Whether another folder is at its path by now, or none. */
  get isReplaced(): boolean {
    return identityAt(this.realPath) !== this.#identity
  }

  /**
   * Whether a folder is not watched although it is there, as one that took another's place before anybody noticed: what
   * happens in it would never be told. Undefined while that may still come right: ask again.
   * @param paths what may have changed
   */
  isLost(paths: Iterable<string>): boolean | undefined {
    let isLost: boolean | undefined = false
    for (const path of new Set([...paths, ...this.#unknown.keys()])) {
      if (!isInside(path, this.realPath)) continue
      const stats = lstatOf(path)
      if (stats?.isDirectory() !== true || this.#known.get(path) === folderIdentity(stats)) {
        this.#unknown.delete(path)
        continue
      }
      const times = (this.#unknown.get(path) ?? 0) + 1
      this.#unknown.set(path, times)
      if (times >= patience) return true
      isLost = undefined
    }
    return isLost
  }

  async close(): Promise<void> {
    this.#end()
    for (const folder of this.#bridges.keys()) this.#unbridge(folder)
    await this.#watcher.close()
  }

  #tell(folder: string, name: string | null): void {
    const { ignores, onChange } = this.#options
    // The folder's own name is given when something happens to itself, and for an entry of the same name.
    if (!name || folder.endsWith(`/${name}`)) onChange(folder)
    if (name && !ignores(name)) onChange(`${folder}/${slashes(name)}`)
  }

  #bridge(folder: string): void {
    this.#unbridge(folder)
    try {
      const bridge = watchFolder(folder, (_event, name) => this.#tell(folder, name))
      bridge.on('error', error => {
        this.#unbridge(folder)
        this.#options.onError(error)
      })
      this.#bridges.set(folder, bridge)
    } catch (error) {
      this.#options.onError(error)
    }
  }

  /** Once chokidar tells of a folder it watches it. */
  #unbridge(folder: string): void {
    this.#bridges.get(folder)?.close()
    this.#bridges.delete(folder)
  }
}

function identityAt(path: string): string | undefined {
  const stats = lstatOf(path)
  return stats === undefined ? undefined : folderIdentity(stats)
}

export function isUsuallyIgnored(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules'
}
