import { abortError, SkillsError, type Diagnostic } from '@skills/core'
import { escapeProblem, type StoreStats } from '@skills/store'
import { LocalStore } from './local-store.js'
import { Node } from './node.js'
import { ioProblem } from './problem.js'
import { plainFolder, slashes } from './slashes.js'
import { Walk } from './walk.js'
import type { SkillTreeOptions, TreeOptions } from './tree-options.js'

export interface SkillTreeState<T> {
  readonly root: 'read' | 'missing' | 'unreadable'
  /** In order of their folders' paths, folder by folder, by code unit. */
  readonly items: readonly T[]
  /** Errors and warnings of the walk itself; the reader reports those of a file's content. */
  readonly problems: readonly Diagnostic[]
}

interface Known<T> {
  readonly root: SkillTreeState<T>['root']
  readonly problems: readonly Diagnostic[]
  readonly node: Node<T> | undefined
}

/**
 * Finds the skill files below one root. `scan` reads everything; `rescan` reads only what has changed since the last
 * `scan` or `rescan`. See docs/reference/skill-files.md, "Finding skill files".
 */
export class SkillTree<T> {
  readonly #options: TreeOptions<T>
  #known: Known<T> | undefined
  /** Root of a walk that has not ended, or was stopped by a time limit: its nodes are valid, but not complete. */
  #unfinished: Node<T> | undefined
  #filesRead = 0
  #foldersListed = 0

  constructor(options: SkillTreeOptions<T>) {
    const { store = new LocalStore() } = options
    this.#options = {
      depth: 6,
      folders: 200_000,
      fileBytes: 1024 * 1024,
      otherCase: 'load',
      skipped: ['hidden', 'node_modules'],
      ...options,
      store,
      root: store.id === 'disk' ? plainFolder(options.root) : options.root,
    }
  }

  /**
   * Looks at everything. Rejects with an `AbortError` if the signal aborts, and reads nothing after that.
   * @param onProgress called now and then with the number of folders looked at
   */
  async scan(signal: AbortSignal, onProgress: (done: number) => void = () => {}): Promise<SkillTreeState<T>> {
    this.#known = undefined
    this.#unfinished = undefined
    await this.#look(undefined, signal, onProgress)
    return this.#state(this.#known)
  }

  /**
   * Looks again, at everything or at what lies at or under `paths` (absolute). Returns undefined if nothing has
   * changed. Rejects like `scan`; the next look is then a full one. After a time limit (`E_TIMEOUT`) it looks only at
   * what was not seen yet.
   */
  async rescan(
    paths: readonly string[] | undefined,
    signal: AbortSignal,
    onProgress: (done: number) => void = () => {},
  ): Promise<SkillTreeState<T> | undefined> {
    return (await this.#look(paths?.map(slashes), signal, onProgress)) ? this.#state(this.#known) : undefined
  }

  /** Returns the items found so far: all of them, or those of a walk that still runs or was stopped by a time limit. */
  found(): SkillTreeState<T> {
    return this.#state(this.#known ?? (this.#unfinished && { root: 'read', problems: [], node: this.#unfinished }))
  }

  /** Number of files read so far, even if only their beginning. */
  get filesRead(): number {
    return this.#filesRead
  }

  /** Number of folders listed so far. */
  get foldersListed(): number {
    return this.#foldersListed
  }

  /** Walks the tree and returns true if anything has changed. Looks again at what is moved or swapped meanwhile. */
  async #look(
    paths: readonly string[] | undefined,
    signal: AbortSignal,
    onProgress: (done: number) => void,
  ): Promise<boolean> {
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

  async #lookOnce(
    paths: readonly string[] | undefined,
    signal: AbortSignal,
    onProgress: (done: number) => void,
  ): Promise<{ readonly hasChanged: boolean; readonly overtaken: readonly string[] }> {
    if (signal.aborted) throw abortError(signal)
    const before = this.#known
    const { state, problems, realPath, isFile } = await this.#findRoot(signal)
    if (state !== 'read') {
      this.#known = { root: state, problems, node: undefined }
      this.#unfinished = undefined
      return {
        hasChanged: before?.root !== state || before.problems[0]?.message !== problems[0]?.message,
        overtaken: [],
      }
    }
    const known = [before?.node, this.#unfinished].find(one => one?.realPath === realPath && one.isFile === isFile)
    const node = known ?? new Node<T>(undefined, this.#options.root, isFile, realPath)
    // After an abort, half a tree must not pass for the whole.
    this.#known = undefined
    this.#unfinished = node
    const walk = new Walk(this.#options, node, known === before?.node ? paths : undefined, signal)
    try {
      const { hasChanged, overtaken } = await walk.run(onProgress)
      this.#known = { root: node.state === 'failed' ? 'unreadable' : 'read', problems: [], node }
      this.#unfinished = undefined
      return { hasChanged: hasChanged || node !== before?.node, overtaken }
    } catch (error) {
      if (this.#unfinished === node && !isLate(signal)) this.#unfinished = undefined
      throw error
    } finally {
      this.#filesRead += walk.filesRead
      this.#foldersListed += walk.foldersListed
    }
  }

  async #findRoot(
    signal: AbortSignal,
  ): Promise<{
    readonly state: SkillTreeState<T>['root']
    readonly problems: readonly Diagnostic[]
    readonly realPath: string
    readonly isFile: boolean
  }> {
    const { root, within, store, mayBeSkill } = this.#options
    try {
      const realPath = store.realPath === undefined ? root : await store.realPath(root, { signal })
      const stats: StoreStats | undefined = realPath === undefined ? undefined : await store.stat(realPath, { signal })
      if (realPath === undefined || stats === undefined)
        return { state: 'missing', problems: [], realPath: root, isFile: false }
      if (stats.kind !== 'folder' && mayBeSkill !== true)
        return await (await import('./almost-skills.js')).fileAsRoot(root, this.#options, signal)
      const escape = escapeProblem(root, realPath, within, () => stats.kind === 'folder')
      // A named pipe or a device is refused where files are read, with a message that names its kind.
      return {
        state: escape === undefined ? 'read' : 'unreadable',
        problems: escape === undefined ? [] : [escape],
        realPath,
        isFile: mayBeSkill === true && stats.kind !== 'folder',
      }
    } catch (error) {
      if (signal.aborted) throw abortError(signal)
      return {
        state: 'unreadable',
        problems: [{ ...ioProblem('The folder', root, error), name: root.slice(root.lastIndexOf('/') + 1) }],
        realPath: root,
        isFile: false,
      }
    }
  }

  #state(known: Known<T> | undefined): SkillTreeState<T> {
    const items: T[] = []
    const problems: Diagnostic[] = [...(known?.problems ?? [])]
    let tooDeep = 0
    let tooMany = 0
    const collect = ({ item, problems: own, listed }: Node<T>): void => {
      if (item !== undefined) items.push(item)
      for (const problem of own) problems.push(problem)
      if (listed === undefined) return
      tooDeep += listed.tooDeep
      tooMany += listed.tooMany
      for (const child of listed.children) collect(child)
    }
    if (known?.node !== undefined) collect(known.node)
    const { root: path, depth, folders } = this.#options
    const limit = (code: string, message: string, hint: string): void =>
      void problems.push({ severity: 'error', type: 'traversal', code, path, message, hint })
    if (tooDeep > 0)
      limit(
        'depth-limit',
        `The search of ${path} stops after ${depth} levels and left out ${tooDeep === 1 ? 'a folder' : `${tooDeep} folders`}.`,
        'Move skills to a higher folder, or raise the depth.',
      )
    if (tooMany > 0)
      limit(
        'folder-limit',
        `At least ${tooMany} folders below ${path} were not searched: the limit is ${folders}.`,
        'Remove folders that do not belong there, or raise the limit.',
      )
    return { root: known?.root ?? 'missing', items, problems }
  }
}

/** Most looks at a tree that keeps changing; the next call begins with what has changed by then. */
const mostLooks = 4

/** Returns true if a signal was aborted by a time limit and not by the caller. */
function isLate({ reason }: AbortSignal): boolean {
  return SkillsError.is(reason) && reason.code === 'E_TIMEOUT'
}
