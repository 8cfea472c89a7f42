import { identityOf, type OpenFolder } from './open-folder.js'

/** Most folders that are kept open: an installation alternates between those of a few agents. */
const most = 16

interface Kept {
  readonly folder: OpenFolder
  readonly identity: string | undefined
}

/**
 * Keeps folders open after their path was walked, so that the next change in such a folder does not walk the path
 * again.
 */
export class KeptFolders {
  /** Open folders by path, the last used one at the end. */
  readonly #folders = new Map<string, Kept>()

  /** Lends the open folder at a path. Returns undefined if it is not open, or another one has taken its path. */
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

  /** Keeps a folder open and lends it. Returns the folder unchanged where folders cannot be held open. */
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
