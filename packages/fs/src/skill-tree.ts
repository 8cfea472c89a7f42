import { abortError, SkillsError, type Diagnostic } from '@skills/core'
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
  /** The root of a walk that has not ended, or was given up for being late: what it found stands for itself, and not for everything. */
  #unfinished: Folder<T> | undefined
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
    this.#unfinished = undefined
    await this.#look(undefined, signal, onProgress)
    return this.#state(this.#known)
  }

  /**
   * Looks again, at everything or at what lies at or under `paths` (absolute). Undefined when nothing changed.
   * Rejects like `scan`; the next look is then a full one, and after a time limit (`E_TIMEOUT`) one at what was not seen yet.
   */
  async rescan(paths: readonly string[] | undefined, signal: AbortSignal, onProgress: (done: number) => void = () => {}): Promise<SkillTreeState<T> | undefined> {
    return await this.#look(paths?.map(slashes), signal, onProgress) ? this.#state(this.#known) : undefined
  }

  /** What was found so far: all there is, or what a walk that goes on, or was given up for being late, came upon. */
  found(): SkillTreeState<T> {
    return this.#state(this.#known ?? (this.#unfinished && { root: 'read', problems: [], folder: this.#unfinished }))
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
    return this.#state(this.#known)
  }

  /** Tells whether anything changed. What is moved or swapped meanwhile is looked at again. */
  async #look(paths: readonly string[] | undefined, signal: AbortSignal, onProgress: (done: number) => void): Promise<boolean> {
    let hasChanged = false
    let wanted = paths
    for (let left = mostLooks; left > 0; left--) {
      const { hasChanged: isNew, overtaken } = await this.#lookOnce(wanted, signal, onProgress)
      hasChanged ||= isNew
      if (overtaken.length === 0) break
      wanted = wanted && [...wanted, ...overtaken]
    }
    return hasChanged
  }

  async #lookOnce(paths: readonly string[] | undefined, signal: AbortSignal, onProgress: (done: number) => void): Promise<{ readonly hasChanged: boolean; readonly overtaken: readonly string[] }> {
    if (signal.aborted) throw abortError(signal)
    const before = this.#known
    const { root, problems, realPath } = this.#findRoot()
    if (root !== 'read') {
      this.#known = { root, problems, folder: undefined }
      this.#unfinished = undefined
      return { hasChanged: before?.root !== root || before.problems[0]?.message !== problems[0]?.message, overtaken: [] }
    }
    // A named pipe or a device is refused where files are read, which says what it is.
    const isFile = this.#options.mayBeSkill === true && statOf(realPath)?.isDirectory() === false
    const known = [before?.folder, this.#unfinished].find(one => one?.realPath === realPath && one.isLoose === isFile)
    const folder = known ?? this.#rootFolder(realPath, isFile)
    // What is half seen after an abort must not pass for known.
    this.#known = undefined
    this.#unfinished = folder
    const walk = new TreeWalk(this.#options, folder, known === before?.folder ? paths : undefined, signal)
    try {
      await walk.run(onProgress)
    } catch (error) {
      if (this.#unfinished === folder && !isLate(signal)) this.#unfinished = undefined
      throw error
    } finally {
      this.#filesRead += walk.filesRead
      this.#foldersListed += walk.foldersListed
    }
    this.#known = { root: folder.state === 'failed' ? 'unreadable' : 'read', problems: [], folder }
    this.#unfinished = undefined
    return { hasChanged: walk.hasChanged || folder !== before?.folder, overtaken: walk.overtaken() }
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

  #state(known: Known<T> | undefined): SkillTreeState<T> {
    const items: T[] = []
    const problems: Diagnostic[] = [...known?.problems ?? []]
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
    if (known?.folder !== undefined) collect(known.folder)
    const { root: path, depth, folders } = this.#options
    const limit = (code: string, message: string, hint: string): void => void problems.push({ severity: 'error', type: 'traversal', code, path, message, hint })
    if (tooDeep > 0) limit('depth-limit', `What lies more than ${depth} levels below ${path} was not searched: ${tooDeep === 1 ? 'a folder' : `${tooDeep} folders`}.`, 'Move skills further up, or raise the depth.')
    if (tooMany > 0) limit('folder-limit', `At least ${tooMany} folders below ${path} were not searched: the limit is ${folders}.`, 'Remove what does not belong there, or raise the limit.')
    return { root: known?.root ?? 'missing', items, problems }
  }
}

/** Looks at what never comes to rest: the next one, by whoever asks for it, begins with what is different then. */
const mostLooks = 4

/** Whether a signal aborted because a time limit passed, and not because nobody wants the answer. */
function isLate({ reason }: AbortSignal): boolean {
  return SkillsError.is(reason) && reason.code === 'E_TIMEOUT'
}
