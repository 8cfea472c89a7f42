import * as s from '@skills/core/schema'
import { TreeStore, type TreeEntry } from './tree-store.js'

/** Text or bytes of a file, or the target of a link. */
export type MemoryContent = string | Uint8Array | { readonly link: string }

const memoryStoreOptions = s.options('new MemoryStore()', {
  /** Prefix of every file's path, without `/` at its end. Default: `memory:`. */
  root: s.text().default('memory:'),
})

export interface MemoryStoreOptions extends s.OptionsOf<typeof memoryStoreOptions> {}

/**
 * Store with files in memory, by their paths below the root. The simplest store; the contract of stores was written
 * with it.
 */
export class MemoryStore extends TreeStore {
  readonly root: string
  readonly #files: Map<string, TreeEntry>
  readonly #listeners = new Set<(paths: readonly string[]) => void>()
  #writes = 0

  /** @param files by path below the root, such as `deploy/SKILL.md` */
  constructor(files: Readonly<Record<string, MemoryContent>> = {}, given?: MemoryStoreOptions) {
    const { root } = memoryStoreOptions.read(given)
    const entries = new Map<string, TreeEntry>()
    super({ root, id: 'memory', entries: () => new Map(entries) })
    this.root = root
    this.#files = entries
    for (const [path, content] of Object.entries(files)) this.set(path, content)
  }

  /** Writes a file or a link, and replaces an existing one. */
  set(path: string, content: MemoryContent): void {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    const version = String(++this.#writes)
    this.#files.set(path, 'link' in bytes ? bytes : { size: bytes.length, version, read: () => bytes })
    this.#tell(path)
  }

  /** Removes a file, a link, or a folder with everything in it. */
  remove(path: string): void {
    for (const known of this.#files.keys())
      if (known === path || known.startsWith(`${path}/`)) this.#files.delete(known)
    this.#tell(path)
  }

  watch(onChange: (paths: readonly string[]) => void): () => void {
    const listener = (paths: readonly string[]): void => onChange(paths)
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #tell(path: string): void {
    this.forget()
    for (const listener of this.#listeners) listener([`${this.root}/${path}`])
  }
}
