import { watch, type FSWatcher, type Stats } from 'node:fs'
import { statOf } from './real-path.js'

/**
 * Returns a text that distinguishes a folder from another folder that took its place. The inode number alone is not
 * enough, because the number of a deleted folder is soon used again.
 */
export function folderIdentity({ dev, ino, birthtimeMs }: Stats): string {
  return `${dev}:${ino}:${birthtimeMs}`
}

interface Watched {
  readonly watcher: FSWatcher
  readonly identity: string
}

/** Watches folders for changes of their own entries, but not of anything inside these entries. */
export class WatchedFolders {
  readonly #watched = new Map<string, Watched>()

  /** @param onEvent called with the changed name; undefined if the system does not tell it */
  constructor(
    private readonly onEvent: (folder: string, name: string | undefined) => void,
    private readonly onError: (error: unknown) => unknown,
  ) {}

  /** Watches these folders and no others. Watches a replaced folder again. */
  watch(folders: ReadonlySet<string>): void {
    for (const [folder, { watcher, identity }] of this.#watched) {
      const stats = statOf(folder)
      if (folders.has(folder) && stats !== undefined && folderIdentity(stats) === identity) continue
      watcher.close()
      this.#watched.delete(folder)
    }
    for (const folder of folders) if (!this.#watched.has(folder)) this.#open(folder)
  }

  close(): void {
    this.watch(new Set())
  }

  #open(folder: string): void {
    const stats = statOf(folder)
    if (stats === undefined) return
    try {
      const watcher = watch(folder, (_event, name) => this.onEvent(folder, name ?? undefined))
      watcher.on('error', error => {
        watcher.close()
        this.#watched.delete(folder)
        this.onError(error)
      })
      this.#watched.set(folder, { watcher, identity: folderIdentity(stats) })
    } catch (error) {
      this.onError(error)
    }
  }
}
