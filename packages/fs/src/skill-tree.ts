import { abortError, type Diagnostic } from '@skills/core'
import { Folder } from './folder.js'
import { escapeProblem, realPathOf, statOf } from './real-path.js'
import { ioProblem } from './problem.js'
import { plainFolder, slashes } from './slashes.js'
import { stemOf } from './listing.js'
import { TreeWalk } from './tree-walk.js'
import type { TreeMemory } from './restore-tree.js'
import type { SkillTreeOptions, TreeOptions } from './tree-options.js'

export interface SkillTreeState<T> {
  readonly root: 'read' | 'missing' | 'unreadable'
  /** In order of their folders' paths, folder by folder, by code unit. */
  readonly items: readonly T[]
  /** Errors and warnings of the walk itself; what a file holds is the reader's. */
  readonly problems: readonly Diagnostic[]
}

interface Known<T> {
  readonly root: SkillTreeState<T>['root']
  readonly problems: readonly Diagnostic[]
  readonly folder: Folder<T> | undefined
}

/** The root of what a tree knows; undefined when there is none. For what works on a tree and few programs need. */
export let knownFolder: <T>(tree: SkillTree<T>) => Folder<T> | undefined

/**
 * The skill files below one root. `scan` looks everywhere, `rescan` reads only what changed since.
 * See docs/reference.md, "Finding skill files".
 */
export class SkillTree<T> {
  readonly #options: TreeOptions<T>
  #known: Known<T> | undefined
  #filesRead = 0
  #foldersListed = 0

  static {
    knownFolder = tree => tree.#known?.folder
  }

  constructor(options: SkillTreeOptions<T>) {
    this.#options = { depth: 6, folders: 200_000, fileBytes: 1024 * 1024, otherCase: 'load', skipped: ['hidden', 'node_modules'], ...options, root: plainFolder(options.root) }
  }

  /**
   * @param onProgress told now and then how many folders were looked at
   * Rejects with an `AbortError` when the signal aborts; nothing is read after that.
   */
  async scan(signal: AbortSignal, onProgress: (done: number) => void = () => {}): Promise<SkillTreeState<T>> {
    this.#known = undefined
    await this.#look(undefined, signal, onProgress)
    return this.#state()
  }

  /**
   * Looks again, at everything or at what lies at or under `paths` (absolute). Undefined when nothing changed.
   * Rejects like `scan`; the next look is then a full one.
   */
  async rescan(paths: readonly string[] | undefined, signal: AbortSignal, onProgress: (done: number) => void = () => {}): Promise<SkillTreeState<T> | undefined> {
    return await this.#look(paths?.map(slashes), signal, onProgress) ? this.#state() : undefined
  }

  /** Files that were read so far, be it only their beginning. */
  get filesRead(): number {
    return this.#filesRead
  }

  /** Folders whose entries were asked for so far. */
  get foldersListed(): number {
    return this.#foldersListed
  }

  /**
   * The first look of a tree that was seen before, perhaps by another process: reads only what changed since.
   * Undefined, and nothing is looked at, when the shape is none.
   */
  async resume(memory: TreeMemory<T>, signal: AbortSignal, onProgress: (done: number) => void = () => {}): Promise<SkillTreeState<T> | undefined> {
    const folder = this.#rootFolder(memory.realPath, memory.isFile)
    if (!await memory.restore(folder)) return undefined
    this.#known = { root: 'read', problems: [], folder }
    await this.#look(undefined, signal, onProgress)
    return this.#state()
  }

  /** Tells whether anything changed. */
  async #look(paths: readonly string[] | undefined, signal: AbortSignal, onProgress: (done: number) => void): Promise<boolean> {
    if (signal.aborted) throw abortError(signal)
    const before = this.#known
    const { root, problems, realPath } = this.#findRoot()
    if (root !== 'read') {
      this.#known = { root, problems, folder: undefined }
      return before?.root !== root || before.problems[0]?.message !== problems[0]?.message
    }
    // A named pipe or a device is refused where files are read, which says what it is.
    const isFile = this.#options.mayBeSkill === true && statOf(realPath)?.isDirectory() === false
    const known = before?.folder?.realPath === realPath && before.folder.isLoose === isFile ? before.folder : undefined
    const folder = known ?? this.#rootFolder(realPath, isFile)
    // What is half seen after an abort must not pass for known.
    this.#known = undefined
    const walk = new TreeWalk(this.#options, folder, paths, signal)
    await walk.run(onProgress).finally(() => {
      this.#filesRead += walk.filesRead
      this.#foldersListed += walk.foldersListed
    })
    this.#known = { root: folder.state === 'failed' ? 'unreadable' : 'read', problems: [], folder }
    return walk.hasChanged || known === undefined
  }

  #rootFolder(realPath: string, isFile: boolean): Folder<T> {
    const { root: path } = this.#options
    const name = path.slice(path.lastIndexOf('/') + 1)
    return new Folder<T>(isFile ? stemOf(name) : name, path, realPath, 0, false, isFile)
  }

  #findRoot(): { root: SkillTreeState<T>['root']; problems: readonly Diagnostic[]; realPath: string } {
    const { root, within } = this.#options
    try {
      const realPath = realPathOf(root)
      if (realPath === undefined) return { root: 'missing', problems: [], realPath: root }
      const escape = escapeProblem(root, realPath, within)
      return escape === undefined ? { root: 'read', problems: [], realPath } : { root: 'unreadable', problems: [escape], realPath }
    } catch (error) {
      return { root: 'unreadable', problems: [ioProblem('The folder', root, error)], realPath: root }
    }
  }

  #state(): SkillTreeState<T> {
    const items: T[] = []
    const problems: Diagnostic[] = [...this.#known?.problems ?? []]
    let tooDeep = 0
    let tooMany = 0
    const collect = ({ item, problems: own, listing }: Folder<T>): void => {
      if (item !== undefined) items.push(item)
      if (own.length > 0) problems.push(...own)
      if (listing === undefined) return
      tooDeep += listing.tooDeep
      tooMany += listing.tooMany
      for (let row = 0; row < listing.names.length; row++) {
        const plain = listing.items[row]
        const folder = plain === undefined ? listing.folders.get(row) : undefined
        if (plain !== undefined) items.push(plain)
        else if (folder !== undefined) collect(folder)
      }
    }
    if (this.#known?.folder !== undefined) collect(this.#known.folder)
    const { root: path, depth, folders } = this.#options
    const limit = (code: string, message: string, hint: string): void => void problems.push({ severity: 'error', type: 'traversal', code, path, message, hint })
    if (tooDeep > 0) limit('depth-limit', `What lies more than ${depth} levels below ${path} was not searched: ${tooDeep === 1 ? 'a folder' : `${tooDeep} folders`}.`, 'Move skills further up, or raise the depth.')
    if (tooMany > 0) limit('folder-limit', `At least ${tooMany} folders below ${path} were not searched: the limit is ${folders}.`, 'Remove what does not belong there, or raise the limit.')
    return { root: this.#known?.root ?? 'missing', items, problems }
  }
}
