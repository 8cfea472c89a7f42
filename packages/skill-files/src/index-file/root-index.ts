import { decodeIndex, encodeIndex } from './index-bytes.js'
import { indexName } from './index-key.js'
import { readIndexFile, writeIndexFile, type Owner } from './index-storage.js'
import { isLasting, storeItems, StoredItems } from './stored-items.js'
import { isNamedByPath, namedAs, type ReadContext, type SkillItem } from '../skill-entry.js'
import { saveTree, stampsOfFile, TreeMemory, type FoundFile, type RememberedTree, type SavedTree, type SkillTree, type SkillTreeState } from '@skills/fs'

export interface RootIndexOptions {
  /** Folder of the indexes, absolute. */
  readonly folder: string
  readonly key: string
  readonly owner: Owner
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** How much was looked at before the index was as it is. */
interface Stored {
  readonly shape: string | undefined
  readonly filesRead: number
  readonly foldersListed: number
}

/** The index of one root: what is known of its files from one process to the next. See docs/reference.md, "The index". */
export class RootIndex {
  readonly path: string
  readonly #options: RootIndexOptions
  #stored: Stored = { shape: undefined, filesRead: 0, foldersListed: 0 }

  constructor(options: RootIndexOptions) {
    this.#options = options
    this.path = `${options.folder}/${indexName(options.key)}`
  }

  /** The first look at a tree, with what the index knows of it; undefined, and nothing is looked at, when that is nothing. */
  async resume(tree: SkillTree<SkillItem>, context: ReadContext, signal: AbortSignal, onProgress: (done: number) => void): Promise<SkillTreeState<SkillItem> | undefined> {
    const memory = this.#read(context)
    if (memory === undefined) return undefined
    this.#stored = { shape: memory.shape, filesRead: 0, foldersListed: 0 }
    const state = await tree.resume(new TreeMemory(memory), signal, onProgress)
    if (state === undefined) this.#stored = { shape: undefined, filesRead: 0, foldersListed: 0 }
    return state
  }

  #read(context: ReadContext): RememberedTree<SkillItem> | undefined {
    const { key, owner, now } = this.#options
    const bytes = readIndexFile(this.path, owner)
    const content = bytes === undefined ? undefined : decodeIndex(bytes, key)
    // The clock was set back since: a file that is written now could get the very stamps of one that was read then.
    if (content === undefined || !(content.savedAt <= now())) return undefined
    const [where, shape] = linesOf(content.tree)
    if (where === undefined || shape === undefined) return undefined
    const items = new StoredItems(content, context)
    const { stamps, savedAt } = content
    const itemAt = isNamedByPath(context) ? (at: number, file: FoundFile) => items.next(at, namedAs(file, context)) : (at: number, file: FoundFile) => items.next(at, file)
    return { ...where, shape, stamps, savedAt, itemAt }
  }

  /**
   * Writes what is known of a tree by now, unless the index says so already. Rejects with whatever kept it from being written.
   * @param turn lets the rest of the process run
   */
  async write(tree: SkillTree<SkillItem>, turn: () => Promise<void>): Promise<void> {
    const { filesRead, foldersListed } = tree
    const before = this.#stored
    if (filesRead === before.filesRead && foldersListed === before.foldersListed) return
    // Whoever waits for what was loaded comes first.
    await turn()
    const saved = saveTree(tree, isLasting)
    if (saved === undefined) return
    this.#stored = { shape: saved.shape, filesRead, foldersListed }
    const isSame = saved.shape === before.shape && filesRead === before.filesRead
    // A root without skills is soon seen to be one.
    if (isSame || (before.shape === undefined && saved.items.length === 0)) return
    const { key, owner, now } = this.#options
    const savedAt = now()
    const stored = await storeItems(saved, turn)
    await turn()
    await writeIndexFile(this.path, encodeIndex({ key, savedAt, tree: `${JSON.stringify([saved.realPath, saved.isFile])}\n${saved.shape}`, stamps: stampsOf(saved), ...stored }), owner)
  }
}

function linesOf(text: string): readonly [where: Pick<SavedTree<never>, 'realPath' | 'isFile'> | undefined, shape: string | undefined] {
  const end = text.indexOf('\n')
  const [realPath, isFile]: readonly unknown[] = end < 0 ? [] : JSON.parse(text.slice(0, end)) as readonly unknown[]
  return [typeof realPath === 'string' && typeof isFile === 'boolean' ? { realPath, isFile } : undefined, text.slice(end + 1)]
}

function stampsOf({ files }: Pick<SavedTree<never>, 'files'>): Float64Array {
  const stamps = new Float64Array(files.length * stampsOfFile)
  for (const [at, { dev, ino, size, mtimeMs, ctimeMs }] of files.entries()) stamps.set([dev, ino, size, mtimeMs, ctimeMs], at * stampsOfFile)
  return stamps
}
