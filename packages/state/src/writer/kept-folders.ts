import { identityOf, type OpenFolder } from './open-folder.js'

/** Folders at a time: an installation goes to and fro between those of a few agents. */
const most = 16

interface Kept {
  readonly folder: OpenFolder
  readonly identity: string | undefined
}

/** Folders that were walked to and are held on, so that the next change in one of them needs no walk. */
export class KeptFolders {
  /** By path, the one that was used last at the end. */
  readonly #folders = new Map<string, Kept>()

  /** The folder at a path, lent; undefined where it was not kept, or another one stands there by now. */
  find(path: string): OpenFolder | undefined {
    const kept = this.#folders.get(path)
    if (kept === undefined) return undefined
    this.#folders.delete(path)
    if (identityOf(path) === kept.identity) {
      this.#folders.set(path, kept)
      return kept.folder.lent?.()
    }
    kept.folder.close()
    return undefined
  }

  /** Keeps a folder, and lends it; where the system holds none, it is given back as it is. */
  keep(folder: OpenFolder): OpenFolder {
    const lent = folder.lent?.()
    if (lent === undefined) return folder
    for (const [path, { folder: first }] of this.#folders) {
      if (this.#folders.size < most) break
      this.#folders.delete(path)
      first.close()
    }
    this.#folders.set(folder.path, { folder, identity: identityOf(folder.at('.')) })
    return lent
  }

  close(): void {
    for (const { folder } of this.#folders.values()) folder.close()
    this.#folders.clear()
  }
}
