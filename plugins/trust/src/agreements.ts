import { isInside, realPathOf, plainFolder, unlessRefused } from '@skills/files/internal'
import { keyOf, type AgreedItem, type ConsentItem, type ItemState } from './consent.js'
import type { SkillRecord } from './skill-changes.js'
import { folderAround, trustedFolders, type FolderHost, type TrustedFolder } from './trusted-folders.js'
import type { RememberCall } from './remembered.js'
import type { State } from '@skills/state'

/** What the user agreed to, as it is remembered at one moment. */
export class Agreements {
  readonly #folders: readonly TrustedFolder[]
  /** Items by their keys, of each folder once an item in it is asked about. */
  readonly #agreed = new Map<TrustedFolder, ReadonlyMap<string, AgreedItem>>()

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
  stateOf(item: Omit<ConsentItem, 'text' | 'line'>): ItemState {
    const known = this.#known(item)
    return known.some(({ digest }) => digest === item.digest) ? 'agreed' : known.length > 0 ? 'changed' : 'new'
  }

  /** What a skill was when it was agreed to, where that is remembered. */
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

/** What is not there, or may not be looked at, lies in no trusted folder. */
function realPathOrUndefined(path: string): string | undefined {
  return unlessRefused(() => realPathOf(plainFolder(path)), undefined)
}
