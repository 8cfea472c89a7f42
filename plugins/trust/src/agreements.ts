import { isInside, realPathOf, plainFolder, systemCode } from '@skills/fs'
import { keyOf, type ConsentItem, type ItemState } from './consent.js'
import { folderAround, trustedFolders, type FolderHost, type TrustedFolder } from './trusted-folders.js'
import type { RememberCall } from './remembered.js'
import type { State } from '@skills/state'

/** What the user agreed to, as it is remembered at one moment. */
export class Agreements {
  readonly #folders: readonly TrustedFolder[]
  /** Digests by the item they are of, of each folder once an item in it is asked about. */
  readonly #digests = new Map<TrustedFolder, ReadonlyMap<string, string>>()

  /** @param folders those that are trusted */
  constructor(folders: readonly TrustedFolder[], host: FolderHost) {
    this.#folders = folders.filter(one => folderAround(one.path, [one], host) !== undefined)
  }

  /** Rejects as the state does. */
  static async read(state: State, host: FolderHost, call: RememberCall = {}): Promise<Agreements> {
    return new Agreements(await trustedFolders(state, call), host)
  }

  /** The trusted folders that a path really lies in. */
  #around(path: string): readonly TrustedFolder[] {
    const real = realPathOrUndefined(path)
    return real === undefined ? [] : this.#folders.filter(one => isInside(real, one.path))
  }

  /** @param folder absolute */
  isTrusted(folder: string): boolean {
    return this.#around(folder).length > 0
  }

  /** Whether a folder was trusted only before it was remembered what was agreed to. */
  isUnlisted(folder: string): boolean {
    const around = this.#around(folder)
    return around.length > 0 && around.every(({ items }) => items === undefined)
  }

  /** Agreed is what has its very digest in the record of a trusted folder that its file really lies in. */
  stateOf({ digest, ...item }: Omit<ConsentItem, 'text' | 'line'>): ItemState {
    const path = realPathOrUndefined(item.path)
    if (path === undefined) return 'new'
    const key = keyOf({ ...item, path, digest })
    const known = this.#folders.filter(one => isInside(path, one.path)).flatMap(one => this.#digestsOf(one).get(key) ?? [])
    return known.includes(digest) ? 'agreed' : known.length > 0 ? 'changed' : 'new'
  }

  #digestsOf(folder: TrustedFolder): ReadonlyMap<string, string> {
    let digests = this.#digests.get(folder)
    if (digests === undefined) this.#digests.set(folder, digests = new Map((folder.items ?? []).map(item => [keyOf(item), item.digest])))
    return digests
  }
}

/** What is not there, or may not be looked at, lies in no trusted folder. */
function realPathOrUndefined(path: string): string | undefined {
  try {
    return realPathOf(plainFolder(path))
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return undefined
  }
}
