import { watch, type FSWatcher, type Stats } from 'node:fs'
import { statOf } from './real-path.js'

/** Tells a folder from another one that took its place: a number of a deleted one is soon given to another. */
export function folderIdentity({ dev, ino, birthtimeMs }: Stats): string {
  return `${dev}:${ino}:${birthtimeMs}`
}

interface Watched {
  readonly watcher: FSWatcher
  readonly identity: string
}

/** Folders that are watched for their own entries alone, not for what lies below those. */
export class WatchedFolders {
  readonly #watched = new Map<string, Watched>()

  /** @param onEvent `name` is what happened to; undefined when the system does not say */
  constructor(
    private readonly onEvent: (folder: string, name: string | undefined) => void,
    private readonly onError: (error: unknown) => unknown,
  ) {}

  /** Watches these and no others; one that is not the same folder any more is watched anew. */
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
