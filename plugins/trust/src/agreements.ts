import { isInside, realPathOf, plainFolder, unlessRefused } from '@skills/files/internal'
import { keyOf, type AgreedItem, type ConsentItem, type ItemState } from './consent.js'
import type { SkillRecord } from './skill-changes.js'
import { folderAround, trustedFolders, type FolderHost, type TrustedFolder } from './trusted-folders.js'
import type { RememberCall } from './remembered.js'
import type { State } from '@skills/state'

/** Agreements of the user that are recorded at one moment. */
export class Agreements {
  readonly #folders: readonly TrustedFolder[]
  /** Items by key; made for a folder once an item in it is asked about. */
  readonly #agreed = new Map<TrustedFolder, ReadonlyMap<string, AgreedItem>>()

  /** @param folders trusted folders */
  constructor(folders: readonly TrustedFolder[], host: FolderHost) {
    this.#folders = folders.filter(one => folderAround(one.path, [one], host) !== undefined)
  }

  /** Reads the agreements. Rejects as the state does. */
  static async read(state: State, host: FolderHost, call: RememberCall = {}): Promise<Agreements> {
    return new Agreements(await trustedFolders(state, call), host)
  }

  /** Returns the trusted folders that a path really lies in. */
  #around(path: string): readonly TrustedFolder[] {
    const real = realPathOrUndefined(path)
    return real === undefined ? [] : this.#folders.filter(one => isInside(real, one.path))
  }

  /** @param folder absolute path */
  isTrusted(folder: string): boolean {
    return this.#around(folder).length > 0
  }

  /** True if a folder was trusted before agreements were recorded. */
  isUnlisted(folder: string): boolean {
    const around = this.#around(folder)
    return around.length > 0 && around.every(({ items }) => items === undefined)
  }

  /**
   * Returns the state of an item. It is agreed to if its digest is in the record of a trusted folder around its file.
   */
  stateOf(item: Omit<ConsentItem, 'text' | 'line'>): ItemState {
    const known = this.#known(item)
    return known.some(({ digest }) => digest === item.digest) ? 'agreed' : known.length > 0 ? 'changed' : 'new'
  }

  /** Returns the record of a skill from the time when it was agreed to; undefined if there is none. */
  recordOf(item: Omit<ConsentItem, 'text' | 'line'>): SkillRecord | undefined {
    return this.#known(item).find(({ record }) => record !== undefined)?.record
  }

  #known(item: Omit<ConsentItem, 'text' | 'line'>): readonly AgreedItem[] {
    const path = realPathOrUndefined(item.path)
    if (path === undefined) return []
    const key = keyOf({ ...item, path })
    return this.#folders.filter(one => isInside(path, one.path)).flatMap(one => this.#agreedIn(one).get(key) ?? [])
  }

  #agreedIn(folder: TrustedFolder): ReadonlyMap<string, AgreedItem> {
    let agreed = this.#agreed.get(folder)
    if (agreed === undefined)
      this.#agreed.set(folder, (agreed = new Map((folder.items ?? []).map(item => [keyOf(item), item]))))
    return agreed
  }
}

/** Resolves a path; undefined if it does not exist or may not be read. Such a path is in no trusted folder. */
function realPathOrUndefined(path: string): string | undefined {
  return unlessRefused(() => realPathOf(plainFolder(path)), undefined)
}
